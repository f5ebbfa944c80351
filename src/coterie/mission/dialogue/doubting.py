"""What is asked back because of one word: a yes with more behind it, a no without a comma, a list that is changed.

Nothing is done by it, and what was said before stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.asking import Interaction, Question, Talk
from coterie.mission.dialogue.counterpart import BUT, Doubt, Partner
from coterie.mission.dialogue.guessing import Confirm, leave_passing
from coterie.mission.dialogue.lesson_words import asks_itself, renamed
from coterie.mission.dialogue.pointing import Pointing, names_in
from coterie.mission.dialogue.returning import returned
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.language.caution import changes, denies, taken_out
from coterie.mission.language.denied import adds
from coterie.mission.language.heard import heard_of
from coterie.mission.language.listing import listing, muses
from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.picking import picked, picked_but
from coterie.mission.language.stops.still import ends_a_list, puts_down, tells_to_stay
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording

LISTED = (m.Things, m.Somewhere, m.Number, m.Correct, m.Alter, m.Nothing)
COURTESY = (m.Approve, m.Greet)


_LEADS = re.compile(
    r"\W*(?:(yes|yeah|yep|yup|ok|okay|sure|fine|alright|all right|go ahead|agreed|approved)|(no|nope|nah))\b(.*)",
    re.I | re.S,
)


#: What follows may be meant instead of what was said.
_ACTUALLY = re.compile(r"\W*(?:actually|on second thoughts?|come to think of it|or rather|oh,? actually)\b", re.I)
#: A cry, which answers nothing.
_DISMAY = re.compile(r"\W*(?:oh+|ah+|uh|ugh|argh)\W+(?:no+|dear|god|my)(?:\W+(?:no+|dear|god))*\W*", re.I)

#: Somebody wants something else, and has not said what.
_CHANGED = re.compile(r"\W*(?:(?:no|oh|sorry|wait|actually)\W+)*i(?:'ve| have)?(?: just)? changed my mind\W*", re.I)

#: By which something begins: no yes to a no that was read back.
_GO = re.compile(
    r"\b(?:do (?:it|that|so)|go (?:ahead|for it|on)|proceed|execute|run it|carry|start|make it so)\b", re.I
)

#: What calls a robot to wait, or puts something right: "Wait, Spot!"
_WAIT = re.compile(r"\W*(?:wait|hang on|hold on)\b", re.I)

#: Somebody who thinks, and has not said anything yet.
_FILLER = re.compile(
    r"\W*(?:e+r+m*|e+h+m*|u+h*m*|h+m+|well|so|let me see|what was it|"
    r"(?:just |give (?:me|us) |let me have )?(?:a|one) (?:second|sec|moment|minute)|"
    r"(?:no\W+)?(?:that(?:'s| is)|this is|it(?:'s| is)) not (?:quite )?(?:everything|all|it)(?: yet)?|"
    r"there(?:'s| is) more|"
    r"(?:no\W+)?(?:i am|i'm|we are|we're) not (?:quite )?(?:done|finished)(?: yet)?)\W*",
    re.I,
)
#: A yes or a no that is taken back.
_TAKES_BACK = re.compile(
    r"\W*(?:(?:sorry|ok|okay|oh|actually|well|alright|all right)\W+)*i "
    r"(?:want to |would like to |have to |must |hereby )?"
    r"(?:take back|withdraw|revoke|retract) (?:my|that) (?P<word>no|yes|objection|veto|refusal|approval|answer)\W*",
    re.I,
)

#: What is not to be done, said so and not as a change of what is open.
_FORBIDS = re.compile(rf"(?:\b(?:{DO_NOT}|never|not|{NOBODY}|keep|stay)\b|n't\b)", re.I)
_DO_NOT = re.compile(rf"\b(?:{DO_NOT}|never)\b", re.I)
_LEAVES = re.compile(rf"{_DO_NOT.pattern}|^\W*(?:\w+[\s,]+)?drop\b", re.I)  # a robot that holds something, too
_CLOSES = re.compile(r"\b(?:close|closed|block|blocked|off limits|zone|area)\b", re.I)

#: Another thing to do in the case of a policy: "No, ask the pharmacist."
_RATHER = re.compile(
    r"\W*(?:(?:no|nope|sorry|wait|actually|rather|better|not that|i mean|i meant)\b[\s,]*)+(?P<what>.+?)"
    r"(?:[\s,]+(?:instead|rather|then))*[\s.!]*",
    re.I | re.S,
)


#: A yes, and what is wanted beside it. An ok may just lead that in.
_YES_AND = re.compile(
    r"\W*(?P<yes>yes|yeah|yep|yup|sure|go ahead|agreed|approved)(?: please)?"
    r"\s*(?:[,.;!-]+\s*(?:and|also|plus)?|\band\b|\balso\b|\bplus\b)[\s,]*(?P<rest>\w.*)",
    re.I | re.S,
)


def yes_and(text: str) -> tuple[str, str]:
    """A yes and what is said behind it, each by itself; nothing where a sentence is no such."""
    found = _YES_AND.fullmatch(text)
    return (found["yes"], found["rest"]) if found is not None else ("", "")


def answers_with_more(text: str, found: Sequence[Meaning | m.Unclear]) -> str:
    """Yes or no, where something begins with it that was not read as that: "ok, and also open the side door"."""
    lead = _LEADS.fullmatch(text)
    if lead is None or not re.search(r"\w", lead[3]) or any(isinstance(x, (*COURTESY, m.Refuse)) for x in found):
        return ""
    return "yes" if lead[1] else "no"


class Doubting:
    """What `Dialogue` asks back although it was read."""

    partner: Partner

    if TYPE_CHECKING:

        @property
        def wording(self) -> Wording: ...
        def undone(self, thread: Thread, last: Deed) -> str: ...
        def _put_right(self, thread: Thread, instead: Meaning) -> str: ...
        def _pointing(self, thread: Thread) -> Pointing: ...
        def _take(self, thread: Thread, meaning: Meaning, doubtful: bool) -> str: ...
        def _instead(self, thread: Thread, old: Deed, new: Meaning) -> str: ...
        def _read_back(self, thread: Thread, old: Deed, new: Meaning) -> str: ...
        def _answers_otherwise(self, thread: Thread, text: str) -> Callable[[], str] | None: ...
        def _wanted_again(self, thread: Thread, text: str) -> Callable[[], str] | None: ...
        def _how_many_said(self, thread: Thread, text: str) -> Callable[[], str] | None: ...
        def _rearranged(
            self, thread: Thread, text: str, found: Sequence[Meaning | m.Unclear]
        ) -> Callable[[], str] | None: ...

        confirm: Confirm

    # -- a yes ----------------------------------------------------------------------------------------------------
    def _yes_alone(self, thread: Thread, found: list[Meaning | m.Unclear]) -> tuple[list[Meaning | m.Unclear], bool]:
        """A yes counts by itself, or with courtesy: beside anything else it is none, and the rest stands. In a lesson a
        yes only leads an answer in."""
        yes = list(dict.fromkeys(x for x in found if isinstance(x, m.Approve)))
        if not yes or len(found) == 1:
            return found, False
        rest = [x for x in found if not isinstance(x, COURTESY)]
        if not rest and len(yes) == 1:
            return [yes[0], *(x for x in found if isinstance(x, m.Greet))], False
        asking = thread.asking
        ends = any(isinstance(x, (m.Refuse, m.Stop, m.Steer, m.Forget)) for x in rest)
        if asking is not None and asking.passing is None and asking.fits(yes[0]) and not ends:
            return found, False
        if not rest or any(isinstance(x, m.Refuse) for x in rest):  # two plans, or yes and no: neither
            rest = [x for x in rest if not isinstance(x, m.Refuse)]
        return list(rest), True

    def _asked_again(self, thread: Thread, answered: str) -> str:
        """What a yes or a no with more behind it may have been said to, if that is still open. Where the rest is read
        back, that is settled first."""
        asking, proposed = thread.asking, self.partner.proposed(thread.person)
        open_ = asking is not None and asking.passing is not None
        if not answered or not (proposed or (open_ and answered == "yes")):
            return ""
        if open_ and proposed and asking is not None and asking.question is not None:
            thread.owed = answered
            return ""
        words = f"I have not taken that for a {answered}, since you said more. Say yes or no by itself."
        return words if open_ or not proposed else f"{words}\n{proposed}"

    # -- two questions ---------------------------------------------------------------------------------------------
    def _which(self, thread: Thread, asking: Interaction, meaning: Meaning) -> Interaction | None:
        """Which of two questions is answered, where a plan was proposed after something was read back."""
        proposed, question = self.partner.proposed(thread.person), asking.question
        if not isinstance(meaning, (m.Approve, m.Refuse)) or question is None or not proposed:
            return None
        if question.words in thread.last_said or proposed not in thread.last_said:
            return None
        word = "yes" if isinstance(meaning, m.Approve) else "no"
        words = f"I have asked you two things. 1: {question.words} 2: {proposed} To which do you say {word}?"

        def talk() -> Talk:
            while True:
                answer = yield Question(f"{words} Say one or two.", (m.Number, m.Refuse, m.Approve), "one")
                named = answer.what if isinstance(answer, m.Approve) else ""
                number = answer.count if isinstance(answer, m.Number) else int(named) if named.isdigit() else 0
                if isinstance(answer, m.Refuse) or number in (1, 2):
                    return number

        def then(number: int) -> str:
            if number == 0:
                leave_passing(thread)
                return "All right; I do nothing."
            if number == 2:
                leave_passing(thread)
                return self._take(thread, meaning, False)
            asking.answer(meaning)
            thread.asking = asking.outer
            return asking.then(asking.result)

        return Interaction("it", talk, then)

    def _instead_of(self, thread: Thread) -> bool:
        """Whether an order that begins with "actually" may be meant instead of the last one, which is not over."""
        last = next((d for d in thread.deeds if isinstance(d.meaning, m.Order)), None)
        fate = self.partner.fate(last, thread.person) if last is not None else None
        return fate is not None and not fate.done and not fate.gone

    @staticmethod
    def _left(thread: Thread, words: str) -> str:
        leave_passing(thread)
        return words

    # -- prohibitions, and what else is said in a lesson or of a rule -----------------------------------------------
    def _forbidden(self, thread: Thread, text: str, found: Sequence[Meaning | m.Unclear]) -> Callable[[], str] | None:
        """Not to do something, from whoever may not command it: robots that are about to do it stop. Not to go where
        one has just sent a robot calls that off."""
        meaning = found[0] if len(found) == 1 else None
        zone = isinstance(meaning, m.Zone) and meaning.holds and _FORBIDS.search(text) and not _CLOSES.search(text)
        cancel = isinstance(meaning, m.Steer) and meaning.how == "cancel" and _LEAVES.search(text)
        if not (zone or cancel) or not isinstance(meaning, (m.Zone, m.Steer)):
            return None
        stops = self.partner.forbids(thread, meaning)
        if stops is not None:
            return lambda: self._left(thread, stops())
        asked = thread.asking.question if thread.asking is not None and thread.asking.passing is None else None
        if zone and asked is not None and m.Order in asked.forms:  # it may be about the steps that are being taught
            return lambda: self.confirm(thread, meaning)
        last = thread.last.meaning if thread.last is not None else None
        went = isinstance(last, m.Order) and [(w.kind, w.where) for w in last.wants] == [(m.AT, meaning.where)]
        if zone and went and _DO_NOT.search(text):
            return lambda: self._take(thread, m.Steer("cancel"), False)
        return None

    def _another_way(self, thread: Thread, text: str) -> Callable[[], str] | None:
        """What a policy that was said last, or is read back, is to do instead."""
        asking, said = thread.asking, _RATHER.fullmatch(text)
        passing = asking.passing if asking is not None else None
        last = thread.last if asking is None else None
        old = passing if passing is not None else last.meaning if last is not None else None
        if said is None or not isinstance(old, m.Policy) or self.partner.proposed(thread.person):
            return None
        read = understand(f"if something fails {said['what']}", self.partner.vocabulary)
        then = self._pointing(thread).resolved(read[0]) if len(read) == 1 and isinstance(read[0], m.Policy) else None
        if then is None:
            return None
        new = replace(old, then=then.then, person=then.person, wants=then.wants)
        if last is None:
            return lambda: self.confirm(thread, new)
        if thread.spoken > last.turn:  # something else was said in between, which may be meant
            return lambda: self._read_back(thread, last, new)
        return lambda: self._instead(thread, last, new)

    def _in_a_lesson(self, asking: Interaction, thread: Thread, text: str) -> Callable[[], str] | None:
        """Words that stop robots elsewhere, and here end a list, or say that a robot stays where a step has led it."""
        question = asking.question
        if question is None:
            return None
        names = "|".join(map(re.escape, self.partner.robots())) or r"(?!)"
        plain = re.sub(rf"[\s,]*\b(?:{names})\b[\s,]*", " ", text, flags=re.I)
        if puts_down(plain):
            return lambda: f"I stop nobody by that; say stop for that. {question.words}"
        if m.Nothing not in question.forms:
            return None
        if ends_a_list(text):
            return lambda: self._take(thread, m.Nothing(), False)
        if m.Order in question.forms and tells_to_stay(plain):
            words = (
                "A robot stays where a step has led it until the next one, so that is no step of its own, and I stop"
            )
            return lambda: f"{words} nobody by it; say stop for that. {question.words}"
        return None

    def _remark(self, asking: Interaction, text: str) -> str:
        """What is said where a sentence names things that are asked for, and lists none; empty where it does not."""
        question, names = asking.question, heard_of(text, self.partner.vocabulary, False).names
        if question is None or m.Things not in question.forms or text.rstrip().endswith("?"):
            return ""
        if not names or any(kind not in ("item", "caddy") for kind, _, _ in names):
            return ""
        things = self.wording.sentence(m.Things(tuple((n, 1 if c is None else c) for _, n, c in names)))
        rather = f" Instead of what you said last: No, {things[:1].lower()}{things[1:]}" if asking.answers else ""
        return f"I have not taken that for an answer. If it is one, say just: {things}{rather}"

    def _wanted_in_it(
        self, asking: Interaction, thread: Thread, text: str, found: Sequence[Meaning | m.Unclear]
    ) -> Callable[[], str] | None:
        """ "I would like two gloves", where things are listed: no order, since it says no place."""
        order = found[0] if len(found) == 1 else None
        if not isinstance(order, m.Order) or asking.question is None or m.Things not in asking.question.forms:
            return None
        if (
            order.robots
            or order.when
            or not all(w.kind == m.STOCK and not w.where and not w.source for w in order.wants)
        ):
            return None
        things, remark = listing(text, self.partner.vocabulary), self._remark(asking, text)
        if things is not None:
            return lambda: self._take(thread, things, False)
        return (lambda: remark) if remark else None

    def _changed_mind(self, thread: Thread, text: str) -> Callable[[], str] | None:
        """ "I changed my mind" says that something else is wanted, and not what."""
        last = next(
            (d for d in thread.deeds if isinstance(d.meaning, (m.Order, m.Zone, m.Permit, m.Tell, m.Alter))), None
        )
        if _CHANGED.fullmatch(text) is None or last is None:
            return None
        fate = self.partner.fate(last, thread.person)
        if fate.done or fate.gone:
            return None
        said = self.wording.sentence(last.meaning)
        word = "call that off" if isinstance(last.meaning, m.Order) else "undo that"
        words = f"Do you want me to {word}: {said} Say yes, or what you want instead."
        if not isinstance(last.meaning, m.Order):
            return lambda: self.confirm(thread, m.Forget(), lambda: self.undone(thread, last), words)
        return lambda: self.confirm(thread, m.Steer("cancel"), None, words)

    def _vote_taken_back(self, thread: Thread) -> str:
        """ "I take back my no": what still waits is asked again; what was answered stays so, and that is said."""
        proposed = self.partner.proposed(thread.person)
        if proposed:
            return f"I have taken that for neither yes nor no. Say yes or no by itself.\n{proposed}"
        voted = next((d for d in thread.deeds if isinstance(d.meaning, (m.Approve, m.Refuse)) and d.goals), None)
        if voted is None:
            return "You have said neither yes nor no to anything that I proposed."
        try:
            self.partner.undo(thread, voted)
        except CoterieError as err:
            return str(err)
        return ""

    def _chosen(self, text: str) -> tuple[str, str] | None:
        """What is to happen to which of several orders, by its place, or to all but one that is named."""
        how, what = picked_but(text) or ("", "")
        names = heard_of(what, self.partner.vocabulary, False).names if what else []
        return (how, f"{BUT}{names[0][1]}") if len(names) == 1 else picked(text)

    # -- one word --------------------------------------------------------------------------------------------------
    def _doubted(self, thread: Thread, text: str, found: Sequence[Meaning | m.Unclear]) -> Callable[[], str] | None:
        """What to ask about a word that may turn round what was read; None where there is none."""
        asking = thread.asking
        passing = asking is not None and asking.passing is not None
        if _DISMAY.fullmatch(text) and any(isinstance(x, m.Refuse) for x in found):
            proposed = self.partner.proposed(thread.person)
            if proposed and not passing:
                return lambda: f"Is that a no? I have not taken it for one.\n{proposed}"
            if asking is not None and not passing and asking.question is not None:
                question = asking.question.words
                return lambda: f"Did something go wrong? Say for example: No, two. Or: never mind. {question}"
        if _TAKES_BACK.fullmatch(text) and (asking is None or passing):
            return lambda: self._left(thread, self._vote_taken_back(thread))
        if asking is not None and not passing and asking.question is not None and _FILLER.fullmatch(text):
            again = asking.question.words
            return lambda: f"Take your time. {again}"
        if asks_itself(text, found):
            return lambda: "You have said no to your own question, and I do nothing by that."
        other_name = renamed(asking, text) if not passing else ""
        if other_name:
            return lambda: other_name
        where_back = returned(text, found, self.wording) if asking is None or passing else ""
        if where_back:
            return lambda: self._left(thread, where_back)
        free = asking is None or passing
        otherwise = (self._answers_otherwise(thread, text) or self._wanted_again(thread, text)) if free else None
        if otherwise is not None:
            return otherwise
        stops = len(found) == 1 and isinstance(found[0], m.Stop)
        here = self._in_a_lesson(asking, thread, text) if asking is not None and not passing and stops else None
        here = here or self._forbidden(thread, text, found)
        here = here or (self._another_way(thread, text) if asking is None or passing else None)
        if here is not None:
            return here
        changed = self._changed_mind(thread, text) if asking is None or passing else None
        if changed is not None:
            return changed
        other = found[0] if len(found) == 1 and asking is None else None
        if isinstance(other, m.Correct) and any(n.startswith("@other") for n in names_in(other)):
            words = "The other one of what? Say it by its name, and what you want of it."
            return lambda: words
        chosen = self._chosen(text) if asking is None or passing else None
        doubt = self.partner.picked(thread, *chosen) if chosen is not None else ""
        if isinstance(doubt, Doubt):
            asks = doubt
            return lambda: self.confirm(thread, asks.meaning, asks.then, asks.words)
        if doubt:
            words = doubt
            return lambda: self._left(thread, words)
        called = found[0] if len(found) == 1 and asking is None and _WAIT.match(text) else None
        if isinstance(called, m.Correct) and isinstance(called.instead, m.Somewhere):
            robot = called.instead.where
            ordered = any(isinstance(d.meaning, m.Order) for d in thread.deeds)  # which may be put right
            if robot in self.partner.robots() and not ordered:
                return lambda: self._take(thread, m.Stop((robot,)), False)
        open_ = asking is None or passing
        changed = (self._how_many_said(thread, text) or self._rearranged(thread, text, found)) if open_ else None
        if changed is not None:
            return changed
        says_no = asking is not None and isinstance(asking.passing, m.Refuse)
        if says_no and _GO.search(text) and any(isinstance(x, m.Approve) for x in found):
            again = f"Say yes or no by itself.\n{self.partner.proposed(thread.person)}".rstrip()
            return lambda: self._left(thread, f"I am not sure whether that is a yes or a no: it is neither. {again}")
        rather = found[0] if len(found) == 1 and asking is None and _ACTUALLY.match(text) else None
        if isinstance(rather, m.Order) and rather.wants and not rather.when:
            order = rather
            if "@it" not in names_in(order) and not adds(text) and self._instead_of(thread):
                return lambda: self._put_right(thread, self._pointing(thread).resolved(order))
        denied = next((x for x in found if isinstance(x, m.Correct) and denies(text, x)), None)
        if denied is not None and asking is None:
            instead = denied.instead
            return lambda: self._put_right(thread, instead)
        if asking is None or passing or asking.question is None:
            return None
        remark = self._remark(asking, text) if muses(text) and any(isinstance(x, LISTED) for x in found) else ""
        if remark:
            return lambda: remark
        if denied is not None:
            said = self.wording.sentence(denied.instead).rstrip(".").lower()
            return lambda: (
                f"Do you mean {said} instead, or none of that? Say for example: No, {said}. Or say how many, "
                "with zero for none."
            )
        lists_more = {m.Things, m.Nothing} <= set(asking.question.forms)
        told = any(isinstance(x, m.Tell) for x in found)  # "I don't have any gloves left" is a fact
        out = taken_out(text, self.partner.vocabulary) if lists_more and not told else []
        if out:
            zero = m.Things(tuple((name, 0) for name in out))
            return lambda: self._take(thread, zero, False)
        lists = any(isinstance(f, type) and issubclass(f, LISTED) for f in asking.question.forms)
        read = (*LISTED, m.Order, m.Steer) if m.Things in asking.question.forms else LISTED  # "Drop one painkiller."
        answers = [x for x in found if isinstance(x, read)]
        word = changes(text, any(isinstance(x, m.Correct) for x in answers))
        if not lists or not answers or not word:
            return self._wanted_in_it(asking, thread, text, found)
        names = heard_of(text, self.partner.vocabulary, False).names
        if all(isinstance(x, m.Nothing) for x in answers) and not names:
            return None
        example = asking.question.example
        how = f"Say it without that word, for example: {example}" if example else "Say it without that word"
        many = any(isinstance(x, (m.Things, m.Number, m.Alter, m.Correct)) for x in answers)
        all_of = " If you mean how many there are, say how many in all; zero takes it out." if many else ""
        if word == "?":
            return lambda: f"Do you ask, or is that part of it? {how.replace('that word', 'the question mark')}."
        return lambda: f"I am not sure what you mean by '{word}'. {how}.{all_of}"
