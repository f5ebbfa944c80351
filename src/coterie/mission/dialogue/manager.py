"""The manager of all talk: what each person says becomes meanings, is done or answered, and nothing else happens.

It knows no mission: whom it speaks for is a `Partner`, which does and answers what was meant. So the same manager talks
for a mission with plans, and for a team of other minds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeGuard

from coterie.core.errors import CoterieError
from coterie.core.said import clean
from coterie.mission.dialogue.asking import Interaction, Question, Talk
from coterie.mission.dialogue.correcting import patched
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.doubting import Doubting, answers_with_more
from coterie.mission.dialogue.guessing import MOST_OTHERS, Guessing, leave_passing
from coterie.mission.dialogue.pointing import Unclear, Which, named, names_in
from coterie.mission.dialogue.putting_right import PuttingRight, left_lesson
from coterie.mission.dialogue.thread import US, Deed, Thread, Threads
from coterie.mission.journal import Journal
from coterie.mission.language import meanings as m
from coterie.mission.language.caution import contrary, turned_round
from coterie.mission.language.meanings import Meaning
from coterie.mission.language.stop_first import First, stop_first
from coterie.mission.language.understand import nearest, understand
from coterie.mission.language.wording import Wording, brief

PERHAPS = "perhaps: "  # what follows was put into these words by somebody else, and is read back before it is done
HEARD = "heard: "  # what follows was made out from sound, which may be wrong: it is read back before it is done
FAINT = "heard faintly: "  # the same, where it may well have been something else: not even a yes counts before it is
# confirmed
EARLY = "before that was proposed: "  # what follows was said before its speaker was told what is proposed now
MOST_SHOWN = 80  # characters of what was not understood
_NOT = re.compile(r"\b(?:not|no|never|nothing|none|nobody|\w+n't)\b[^?]*$", re.I)


class Dialogue(PuttingRight, Doubting, Guessing):
    """One for a team. `say` brings words to one person and to nobody else."""

    def __init__(self, partner: Partner, journal: Journal, say: Callable[[str, str], None]):
        self.partner, self.threads, self._say = partner, Threads(journal), say

    @property
    def wording(self) -> Wording:
        return Wording(self.partner.vocabulary)

    def spoke(self, person: str, text: str) -> None:
        """Words have gone to a person: they are part of the thread."""
        self.threads.said(US, person, text)

    def hear(self, person: str, text: str) -> list[Meaning | m.Unclear]:
        """One utterance; what it was taken to mean."""
        thread = self.threads.of(person)
        early, text = text.startswith(EARLY), text.removeprefix(EARLY)
        aloud, faint = text.startswith((HEARD, FAINT)), text.startswith(FAINT)
        text = unheard(text)
        rephrased = text.startswith(PERHAPS) or aloud
        text = text.removeprefix(PERHAPS)
        first = stop_first(text, self.partner.vocabulary) if not rephrased or aloud else None
        if first is not None and not (_asks_for_steps(thread) and isinstance(first.meaning, m.Steer)):
            marks = (EARLY if early else "") + (FAINT if faint else HEARD if aloud else "")
            return self._stopped_first(thread, text, first, marks)
        found = self._read(thread, text)
        proposed = self.partner.proposed(person) if early and thread.asking is None else ""
        if proposed and any(isinstance(x, (m.Approve, m.Refuse)) for x in found):
            self.threads.said(person, US, clean(text, 2000), "; ".join(brief(x) for x in found))
            thread.meanings, thread.unread = tuple(x for x in found if isinstance(x, Meaning)), ""
            self._answer(thread, [f"You said that before I could tell you what I propose. {proposed}"])
            return found
        if not rephrased:
            found, more = self._yes_alone(thread, found)
            doubt = self._doubted(thread, text, found)
            if doubt is not None:
                self.threads.said(person, US, clean(text, 2000), "; ".join(brief(x) for x in found))
                self._answer(thread, [doubt()])
                return found
        else:
            more = False
        answered = "yes" if more else answers_with_more(text, found) if not rephrased else ""
        alone = len(found) == 1 and (isinstance(found[0], m.Unclear) or rephrased)
        if more and alone:  # a yes with something behind it: that is guessed at
            text = found[0].text + "?" * text.rstrip().endswith("?")  # type: ignore[union-attr]
        if alone or (
            found and all(isinstance(x, m.Unclear) for x in found)
        ):  # nothing of it was read: it can be guessed at
            guessed = self._pointed(thread, found[0]) if rephrased else self._guessed(thread, text)
            doubt = self._doubted(thread, text, [guessed]) if guessed is not None and not rephrased else None
            if doubt is not None:
                self.threads.said(person, US, clean(text, 2000), "; ".join(brief(x) for x in found))
                self._answer(thread, [doubt()])
                return found
            if guessed is not None and (rephrased or self._asked_for(thread, guessed)):
                self.threads.said(person, US, clean(text, 2000), f"perhaps {brief(guessed)}")
                thread.meanings, thread.unread = (guessed,), ""
                reply = self._perhaps(thread, guessed, text, aloud, faint)
                answered = "" if isinstance(guessed, (m.Approve, m.Refuse)) else answered  # it is being asked
                self._answer(thread, [reply, self._asked_again(thread, answered)])
                return [guessed]
        self.threads.said(person, US, clean(text, 2000), "; ".join(brief(x) for x in found))
        unread = [x for x in found if isinstance(x, m.Unclear)]
        meant = [x for x in found if isinstance(x, Meaning)]
        if not (len(meant) == 1 and isinstance(meant[0], m.Ask) and meant[0].about == "understood"):
            thread.meanings, thread.unread = tuple(meant), unread[0].text if unread else ""
        replies = [self._reply(thread, x, bool(unread)) for x in meant]
        if unread:
            if not meant:
                leave_passing(thread)
            replies.append(self._unread(thread, max(unread, key=lambda x: len(x.text))))
        replies.append(self._asked_again(thread, answered))
        self._answer(thread, replies)
        return found

    def _stopped_first(self, thread: Thread, text: str, first: First, marks: str) -> list[Meaning | m.Unclear]:
        """A sentence that begins with a plea to stop: that is done, and the rest of it is heard by itself. Robots that
        would move because of it wait for a yes."""
        person, rest = thread.person, first.rest
        self.threads.said(person, US, clean(text, 2000), brief(first.meaning))
        thread.meanings, thread.unread = (first.meaning,), ""
        leave_passing(thread)
        words = self._order_stopped(thread, first.of) if first.of else self._reply(thread, first.meaning)
        asked = first.of and thread.asking is not None and thread.asking.passing is not None
        if not rest or asked:
            later = f"After that, say again what you said behind it: '{clean(rest, MOST_SHOWN)}'" if rest else ""
            self._answer(thread, [words, later])
            return [first.meaning]
        self._say(person, words)
        found = self._read(thread, rest)
        if all(isinstance(x, m.Unclear) for x in found) and self._guessed(thread, rest) is None:
            shown = clean(rest, MOST_SHOWN).rstrip(" .!")
            self._answer(thread, [f"I did not understand what you said behind that: '{shown}'."])
            return [first.meaning, *found]
        doubtful = [x for x in found if isinstance(x, Meaning) and not _with_a_stop(x)]
        if doubtful and len(found) > 1:
            replies = [self._reply(thread, x, x in doubtful) for x in found if isinstance(x, Meaning)]
            self._answer(thread, replies[-1:] if thread.asking is not None else replies)
            return [first.meaning, *found]
        return [first.meaning, *self.hear(person, marks + (PERHAPS if doubtful and not marks else "") + rest)]

    def _order_stopped(self, thread: Thread, thing: str) -> str:
        """ "Stop the painkiller": whoever works on that order stops, and whether it is called off is asked."""
        cancel = m.Steer("cancel", thing)
        try:
            stops = self.partner.forbids(thread, cancel)
            if stops is not None:
                return stops()
            return f"{self.partner.act(thread, m.Steer('pause', thing))} {self.confirm(thread, cancel)}"
        except CoterieError as err:
            return str(err)

    def _read(self, thread: Thread, text: str) -> list[Meaning | m.Unclear]:
        """What was said. A word that nobody knows names a thing where one is asked for, and nothing elsewhere."""
        examples = self.partner.examples()
        found = understand(text, self.partner.vocabulary, examples)
        question = thread.asking.question if thread.asking is not None else None
        if question is not None and m.Things in question.forms:
            return found
        whole = text.strip() if len(found) == 1 else ""
        return [
            m.Unclear(whole or " ".join(x.unknown), x.unknown, nearest(text, examples)) if _new_words(x) else x
            for x in found
        ]

    def _answer(self, thread: Thread, replies: list[str]) -> None:
        still = thread.asking.question if thread.asking is not None else None
        if still is not None and not any(still.words in r for r in replies):
            replies.append(still.words)
        words = "\n".join(dict.fromkeys(r for r in replies if r))
        if words:
            self._say(thread.person, words)

    # -- one meaning ----------------------------------------------------------------------------------------------
    def _reply(self, thread: Thread, meaning: Meaning, doubtful: bool = False) -> str:
        try:
            pointing = self._pointing(thread)
            same = any(n == "@it" for n in names_in(meaning))
            said, meaning = meaning, pointing.resolved(_place_asked_for(thread, meaning))
            thread.meanings = tuple(meaning if x is said else x for x in thread.meanings)
            pointing.mention(meaning)
            if same and isinstance(meaning, m.Order) and _about_the_same(meaning, thread.last):
                return self._moved(thread, meaning, doubtful)
            return self._take(thread, meaning, doubtful)
        except Which as err:
            return self.ask(thread, self._choosing(thread, meaning, err))
        except Unclear as err:
            return str(err)
        except CoterieError as err:
            if isinstance(meaning, m.Order):
                thread.refused = thread.spoken, meaning
            return str(err)

    def _moved(self, thread: Thread, order: m.Order, doubtful: bool) -> str:
        """ "Deliver it to beta", of what was ordered last: that goes elsewhere, all of it. A thing that is there by now
        is moved again."""
        last = thread.last
        assert last is not None and isinstance(last.meaning, m.Order)
        kits = all(w.kind == m.KIT for w in order.wants)
        if not kits and self.partner.fate(last, thread.person).done:
            return self._take(thread, order, doubtful)
        old = [w for w in last.meaning.wants if w.kind in (m.KIT, m.STOCK)]
        several = not kits and any(w.count != 1 for w in old)
        counts = [replace(new, count=w.count) for new, w in zip(order.wants, old)] if several else order.wants
        order = replace(order, wants=tuple(counts))
        if several and thread.asking is None:
            return self._corrected(thread, order, True)
        return self._take(thread, m.Correct(order), doubtful)

    def _choosing(self, thread: Thread, meaning: Meaning, err: Which) -> Interaction:
        """Which of several is meant; until one of them is named."""

        def talk() -> Talk:
            while True:
                answer = yield Question(str(err), (m.Somewhere, m.Things), err.example)
                name = answer.where if isinstance(answer, m.Somewhere) else ""
                if isinstance(answer, m.Things) and len(answer.items) == 1:
                    name = answer.items[0][0]
                if name in err.names:
                    return named(meaning, err.word, name)

        return Interaction("it", talk, lambda whole: self._reply(thread, whole), pending=meaning)

    def _take(self, thread: Thread, meaning: Meaning, doubtful: bool) -> str:
        if isinstance(meaning, m.Refuse) and meaning.what == m.LESSON:
            return left_lesson(thread)
        if isinstance(meaning, m.Stop):  # a later yes is none to what was read back before it
            leave_passing(thread)
        asking = thread.asking
        if asking is not None and asking.passing is not None and not isinstance(meaning, (m.Ask, m.Stop)):
            if isinstance(meaning, m.Correct):  # of what was read back
                new = patched(asking.passing, meaning.instead, self.partner.vocabulary)
                if new is not None and asking.redo is not None:
                    return asking.redo(new)
                if new is not None and asking.replaces is not None:
                    return self._read_back(thread, asking.replaces, new)
                if new is not None:
                    return self.confirm(thread, new)
            if m.cancels_all(meaning):
                leave_passing(thread)
                return f"I leave what I asked you. {self._take(thread, meaning, doubtful)}"
            if _leaves(meaning):  # that is about what was read back, and about nothing that was done before
                leave_passing(thread)
                return "All right; I do nothing."
            goes_on = isinstance(meaning, m.Steer) and meaning.how == "resume"
            open_ = asking.replaces is not None or isinstance(asking.passing, m.Stop)
            if goes_on and open_ and asking.question is not None:
                return f"You have not answered that yet, so nothing goes on. {asking.question.words}"
            if not asking.fits(meaning):
                leave_passing(thread)
                asking = thread.asking
            elif (which := self._which(thread, asking, meaning)) is not None:
                return self.ask(thread, which)
        if asking is not None and m.cancels_all(meaning):
            thread.asking = asking.outer
            return f"I leave {asking.name}. {self._reply(thread, meaning, doubtful)}"
        if asking is not None and not isinstance(meaning, (m.Ask, m.Stop)):
            if isinstance(meaning, m.Correct) and asking.answers:
                at = asking.about(meaning.instead)
                new = patched(asking.answers[at], meaning.instead, self.partner.vocabulary)
                if new is not None:
                    asking.again(new, at)
                    return self._go_on(thread, asking)
            waits = isinstance(meaning, m.Refuse) and meaning.what == m.LATER and asking.passing is None
            if waits and asking.question is not None:
                return f"All right, that waits. {asking.question.words}"
            if isinstance(meaning, m.Refuse) and meaning.what == m.LEAVE and asking.passing is None:
                thread.asking = asking.outer
                return f"All right; I leave {asking.name}."
            if isinstance(meaning, m.Forget) and not meaning.label and asking.pending is None:
                taken = self.taken_back_in(thread, asking)
                if taken is not None:
                    return taken
            inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
            if isinstance(meaning, m.Correct) and asking.pending is not None and not asking.fits(inner):
                new = patched(asking.pending, inner, self.partner.vocabulary)
                if new is not None:  # what cannot be done yet was put right
                    thread.asking = asking.outer
                    return self._reply(thread, new)
            if asking.fits(inner):
                asking.answer(inner, thread.spoken)
                return self._go_on(thread, asking)
            if isinstance(meaning, m.Refuse) or _leaves(meaning):
                thread.asking = asking.outer
                return f"All right; I leave {asking.name}."
            if isinstance(meaning, (m.Things, m.Somewhere, m.Number, m.Nothing, m.Show, m.Approve)):
                example = asking.question.example if asking.question is not None else ""
                return f"That does not answer what I asked{f'; say for example: {example}' if example else ''}."
        return self._do(thread, meaning, doubtful)

    def _go_on(self, thread: Thread, asking: Interaction) -> str:
        if asking.question is not None:
            return asking.question.words
        if thread.asking is asking:
            thread.asking = asking.outer
        words = asking.then(asking.result)
        owed, thread.owed = thread.owed, ""
        return f"{words}\n{self._asked_again(thread, owed)}".rstrip()

    def ask(self, thread: Thread, interaction: Interaction) -> str:
        """Begin to ask a person for something; the first question."""
        interaction.turns = [thread.spoken]
        interaction.begin()
        if not interaction.over:
            interaction.outer, thread.asking = thread.asking, interaction
        return self._go_on(thread, interaction)

    def _do(self, thread: Thread, meaning: Meaning, doubtful: bool = False) -> str:
        if isinstance(meaning, m.Ask):
            return self._understood(thread) if meaning.about == "understood" else self.partner.answer(thread, meaning)
        if isinstance(meaning, m.Greet):
            return greeting(thread.person, meaning)
        if isinstance(meaning, m.Repeat):
            return thread.last_said or "I have not said anything to you yet."
        if isinstance(meaning, m.Teach):
            return self.ask(thread, self.partner.teach(thread, meaning))
        if isinstance(meaning, (m.Correct, m.Number, m.Somewhere, m.Things)):
            bare = not isinstance(meaning, m.Correct)
            return self._corrected(thread, meaning.instead if isinstance(meaning, m.Correct) else meaning, bare)
        if isinstance(meaning, (m.Nothing, m.Show)):
            return "I did not ask anything. What do you mean?"
        doubt = self.partner.doubts(thread, meaning) if not isinstance(meaning, m.Order) else None
        if doubt is not None:
            return self.confirm(thread, doubt.meaning, doubt.then, doubt.words)
        if isinstance(meaning, m.Forget) and not meaning.label:
            taken_back = self.taken_back(thread)
            if taken_back is not None:
                return taken_back
        incomplete = self.incomplete(thread, meaning, lambda whole: self._reply(thread, whole))
        if incomplete is not None:
            return self.ask(thread, incomplete)
        if doubtful and not isinstance(meaning, m.Stop):  # what was not understood may be about it: "yes, but ..."
            return self.confirm(thread, meaning)
        doubt = self.partner.doubts(thread, meaning) if isinstance(meaning, m.Order) else None
        if doubt is not None:
            return self.confirm(thread, doubt.meaning, doubt.then, doubt.words)
        return self.partner.act(thread, meaning)

    def incomplete(self, thread: Thread, meaning: Meaning, then: Callable[[Meaning], str]) -> Interaction | None:
        """What is asked before something can be done: how many, where, who. `then` does the whole."""
        how_many = self._how_many(meaning, then) if isinstance(meaning, (m.Order, m.Policy)) else None
        missing = self.partner.missing(meaning) if how_many is None else None
        if missing is None:
            return how_many
        question, complete = missing

        def talk() -> Talk:
            return complete((yield question))

        return Interaction("it", talk, then, pending=meaning)

    # -- what was understood --------------------------------------------------------------------------------------
    def _understood(self, thread: Thread) -> str:
        asking = thread.asking
        if asking is not None and asking.answers:  # a lesson: all that it was told so far
            told = " ".join(self.wording.sentence(x) for x in asking.answers)
            return f"So far I have understood of {asking.name}: {told}"
        if not thread.meanings and not thread.unread:
            return "You have not said anything yet."
        inner = [brief(x) for x in thread.meanings]  # in names of the world, where words do not point at something
        rows = [self.wording.sentence(x) + (f" ({b})" if "@" not in b else "") for x, b in zip(thread.meanings, inner)]
        if thread.unread:
            rows.append(f"I did not understand '{clean(thread.unread, MOST_SHOWN)}'.")
        return "I understood: " + "\n".join(rows) if thread.meanings else rows[0]

    def _unread(self, thread: Thread, found: m.Unclear) -> str:
        said = clean(found.text, MOST_SHOWN) or "that"
        unknown = f" I do not know {_words(found.unknown)}." if found.unknown else ""
        nearest = (
            () if _NOT.search(found.text) or turned_round(found.text) else found.nearest
        )  # "do not ..." is near to what is not wanted
        could_be = dict.fromkeys((*self._others(found.text)[:MOST_OTHERS], *nearest)) if found.text else {}
        near = [e for e in could_be if e != "Yes." or not contrary(found.text, m.Approve())]
        could = "".join(f"\n  {e}" for e in near[: MOST_OTHERS + 2])
        asked = " What do you want? Say help for what can be said." if thread.asking is None else ""
        return f"I did not understand '{said}'.{unknown}" + (f" You could say:{could}" if could else asked)


def greeting(person: str, meaning: m.Greet) -> str:
    return {"hello": f"Hello, {person}.", "thanks": "You are welcome."}.get(meaning.how, "Goodbye.")


def _new_words(found: Meaning | m.Unclear) -> TypeGuard[m.Things]:
    """Whether something is nothing but words that nobody knows."""
    return isinstance(found, m.Things) and bool(found.unknown) and len(found.items) <= len(found.unknown)


def _with_a_stop(meaning: Meaning) -> bool:
    """Whether something is done at once that was said in one breath with a stop: nothing moves or is lost by it."""
    less = isinstance(meaning, m.Steer) and meaning.how in ("cancel", "pause")
    taken_back = isinstance(meaning, m.Forget) and not meaning.label
    return less or taken_back or isinstance(meaning, (m.Ask, m.Stop, m.Greet, m.Repeat, m.Refuse))


def _asks_for_steps(thread: Thread) -> bool:
    """Whether a lesson asks for steps, in which a robot may wait somewhere."""
    asking = thread.asking
    return asking is not None and asking.question is not None and m.Order in asking.question.forms


def _place_asked_for(thread: Thread, meaning: Meaning) -> Meaning:
    """ "You will find them on table C", while something is asked: a place, of what was asked for."""
    claims = meaning.claims if isinstance(meaning, m.Tell) else ()
    asked = thread.asking is not None and thread.asking.passing is None
    if not asked or len(claims) != 1 or claims[0] != m.Claim(m.STOCK, "@it", claims[0].where):
        return meaning
    return m.Somewhere(claims[0].where)


def _leaves(meaning: Meaning) -> bool:
    """Whether somebody wants to leave what is being asked: "cancel", "forget it"."""
    return (isinstance(meaning, m.Steer) and meaning.how == "cancel" and not meaning.what) or (
        isinstance(meaning, m.Forget) and not meaning.label
    )


def unheard(text: str) -> str:
    """Words without the marks of when they were said, and that they were made out from sound."""
    return text.removeprefix(EARLY).removeprefix(HEARD).removeprefix(FAINT)


def _about_the_same(order: m.Order, last: Deed | None) -> bool:
    """Whether an order wants the very kits or things that the last one wanted, elsewhere."""
    old = last.meaning if last is not None else None
    if not isinstance(old, m.Order) or not all(w.where for w in order.wants):
        return False
    before = [(w.kind, w.what) for w in old.wants if w.kind in (m.KIT, m.STOCK)]
    return [(w.kind, w.what) for w in order.wants] == before


def _words(words: Sequence[str]) -> str:
    shown = [f"'{clean(w, 30)}'" for w in words[:3]]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
