"""The manager of all talk: what each person says becomes meanings, is done or answered, and nothing else happens.

It knows no mission: whom it speaks for is a `Partner`, which does and answers what was meant. So the same manager talks
for a mission with plans, and for a team of other minds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeGuard

from coterie.core.errors import CoterieError
from coterie.core.said import clean
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.doubting import answers_with_more, yes_and
from coterie.mission.dialogue.guessing import MOST_OTHERS, leave_choice, leave_passing
from coterie.mission.dialogue.not_plain import read_back
from coterie.mission.dialogue.pointing import names_in, points
from coterie.mission.dialogue.speaking_for import Named, named_speaker
from coterie.mission.dialogue.taking import MOST_SHOWN, Taking, too_late
from coterie.mission.dialogue.thread import NOT_READ, US, Thread, Threads
from coterie.mission.journal import Journal
from coterie.mission.language.caution import changes, contrary, turned_round
from coterie.mission.language.contrasts import Contrast, all_but, contrast
from coterie.mission.language.others import others_named
from coterie.mission.language.plain_answers import plainly
from coterie.mission.language.signs import straight
from coterie.mission.language.stops.ahead import not_now, resting
from coterie.mission.language.stops.cries import cries_no
from coterie.mission.language.stops.first import First, stop_first
from coterie.mission.language.understand import nearest, understand, without_calm, without_ok
from coterie.talk import meanings as m
from coterie.talk.marks import EARLY, FAINT, HEARD, PERHAPS, unheard
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording
from coterie.talk.writing import brief

_NOT = re.compile(r"\b(?:not|no|never|nothing|none|nobody|\w+n't)\b[^?]*$", re.I)


class Dialogue(Taking):
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
        """One utterance; what it was taken to mean. Whatever cannot be done is said, and ends nothing."""
        try:
            return self._hear(person, text)
        except CoterieError as err:
            self._answer(self.threads.of(person), [str(err)])
            return [m.Unclear(text)]

    def _hear(self, person: str, text: str) -> list[Meaning | m.Unclear]:
        thread = self.threads.of(person)
        early, text = text.startswith(EARLY), text.removeprefix(EARLY)
        aloud, faint = text.startswith((HEARD, FAINT)), text.startswith(FAINT)
        text = straight(unheard(text))
        rephrased = text.startswith(PERHAPS) or aloud
        for_whom = named_speaker(text, self.partner.people()) if not rephrased else None
        if for_whom is not None and for_whom.known:
            if for_whom.person != person:
                return self._for_somebody(thread, text, for_whom)
            text = for_whom.words
        text = others_named(text.removeprefix(PERHAPS), self.partner.robots())
        if not rephrased and thread.asking is None and not self.partner.awaits(person):
            text = without_ok(text, self.partner.vocabulary)
        if not rephrased and thread.asking is None:
            text = without_calm(text, self.partner.vocabulary, self.partner.awaits(person))
        text = all_but(text)
        against = contrast(text, self.partner.vocabulary) if not rephrased and not _asks_for_steps(thread) else None
        if against is not None:
            return self._contrasted(thread, text, against, EARLY if early else "")
        first = stop_first(text, self.partner.vocabulary) if not rephrased or aloud else None
        read_back = thread.asking is not None and thread.asking.passing is not None
        if first is not None and first.alone and not first.rest and thread.asking is not None and not read_back:
            text = first.alone
            first = stop_first(text, self.partner.vocabulary)
        if cries_no(text) and not read_back and not self.partner.awaits(person):
            first = First(m.Stop())
        if not_now(text, self.partner.vocabulary) and self.partner.unprompted(thread):
            first = First(m.Stop())
        if first is not None and not (_asks_for_steps(thread) and isinstance(first.meaning, m.Steer)):
            marks = (EARLY if early else "") + (FAINT if faint else HEARD if aloud else "")
            return self._stopped_first(thread, text, first, marks)
        text = resting(text, self.partner.vocabulary) if not rephrased else text
        both = self._yes_and_more(thread, text) if not rephrased and not early else None
        if both is not None:
            return both
        found = _unreleased(_without_echo(self._read(thread, text)))
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
                self._spoken_of(thread, text)
                leave_choice(thread)
            replies.append(self._unread(thread, max(unread, key=lambda x: len(x.text))))
        replies.append(self._asked_again(thread, answered))
        self._answer(thread, replies)
        return found

    def _contrasted(self, thread: Thread, text: str, said: Contrast, marks: str) -> list[Meaning | m.Unclear]:
        """ "Pause the feverkit, not the medkit": what is meant is heard by itself, and nothing becomes of the rest."""
        rather = self._of_the_wrong_one(thread, said)
        if rather is not None:
            self.threads.said(thread.person, US, clean(text, 2000), brief(m.Correct(rather)))
            thread.meanings, thread.unread = (m.Correct(rather),), ""
            self._answer(thread, [self._reply(thread, m.Correct(rather))])
            return [m.Correct(rather)]
        found = self.hear(thread.person, marks + said.meant)
        stays = self._set_against(said) if thread.asking is None else ""
        if stays:
            self._say(thread.person, stays)
        return found

    def _yes_and_more(self, thread: Thread, text: str) -> list[Meaning | m.Unclear] | None:
        """ "Yes, and a woundkit to beta": a yes to what is asked, and an order of its own that says nothing of it. Each
        is heard by itself; None where it is no such, and where the order may be about what is asked."""
        yes, rest = yes_and(text)
        asking = thread.asking
        read_back = asking.passing if asking is not None else None
        if not yes or not (read_back is not None or (asking is None and self.partner.proposed(thread.person))):
            return None
        order = understand(rest, self.partner.vocabulary)
        if len(order) == 1 and isinstance(order[0], m.Unclear) and not changes(rest):
            order = [x for x in (self._guessed(thread, rest),) if x is not None]
        if len(order) != 1 or not self._of_its_own(order[0], read_back):
            return None
        found = self.hear(thread.person, f"{yes}.")
        if thread.asking is not None:  # something is asked first
            shown = clean(rest, MOST_SHOWN)
            self._say(thread.person, f"After that, say again what you said behind it: '{shown}'")
            return found
        return [*found, *self.hear(thread.person, rest)]

    def _of_its_own(self, order: Meaning | m.Unclear, read_back: Meaning | None) -> bool:
        """Whether something is a whole order, which changes nothing of what is asked."""
        if not isinstance(order, m.Order) or order.when or order.without or order.robots or points(order):
            return False
        named = read_back is None or not {w.what for w in order.wants} & set(names_in(read_back))
        return named and all(w.where or w.kind == m.DOOR for w in order.wants) and self.partner.missing(order) is None

    def _for_somebody(self, thread: Thread, text: str, said: Named) -> list[Meaning | m.Unclear]:
        """Words under somebody else's name count for nobody: neither has said them. A stop counts from anybody."""
        stop = stop_first(said.words, self.partner.vocabulary)
        found: list[Meaning | m.Unclear] = [stop.meaning] if stop is not None else self._read(thread, said.words)
        self.threads.said(thread.person, US, clean(text, 2000), "; ".join(brief(x) for x in found))
        if len(found) == 1 and isinstance(found[0], m.Stop):
            self._answer(thread, [self._reply(thread, found[0])])
            return found
        may = f"You are {thread.person} here, and nobody speaks for {said.person} but {said.person}, so I do nothing."
        self._answer(thread, [f"{may} Say it without the name if you want it yourself."])
        return [m.Unclear(text)]

    def _stopped_first(self, thread: Thread, text: str, first: First, marks: str) -> list[Meaning | m.Unclear]:
        """A sentence that begins with a plea to stop: that is done, and the rest of it is heard by itself. Robots that
        would move because of it wait for a yes."""
        person, rest = thread.person, first.rest
        self.threads.said(person, US, clean(text, 2000), brief(first.meaning))
        thread.meanings, thread.unread = (first.meaning,), ""
        leave_passing(thread)
        named = isinstance(first.meaning, (m.Steer, m.Zone)) and (
            first.meaning.where or getattr(first.meaning, "what", "")
        )
        stops = self.partner.forbids(thread, first.meaning) if named else None
        if stops is not None:  # whoever may not let an order rest may stop it
            words = stops()
        else:
            words = self._order_stopped(thread, first.of) if first.of else self._reply(thread, first.meaning)
        if first.but:
            left = clean(first.but, MOST_SHOWN)
            kind = self.partner.vocabulary.phrases.get(left.lower().removeprefix("the "), ("", ""))[0]
            words += f" That goes for {left}, too" + (
                f"; say 'Go on with {left}.' to let it go on." if kind == "kit" else "."
            )
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
        waits = read_back(thread) is not None or (thread.asking is None and self.partner.awaits(thread.person))
        answer = plainly(text) if waits and any(isinstance(x, m.Unclear) for x in found) else None
        if answer is not None:
            return [answer]
        question = thread.asking.question if thread.asking is not None else None
        if question is not None and m.Things in question.forms:
            return found
        whole = text.strip() if len(found) == 1 else ""
        return [
            m.Unclear(whole or " ".join(x.unknown), x.unknown, nearest(text, examples)) if _new_words(x) else x
            for x in found
        ]

    def _answer(self, thread: Thread, replies: list[str]) -> None:
        asking = thread.asking
        undo = asking is not None and isinstance(asking.passing, m.Forget) and thread.last is not None
        if undo and thread.last is not None and self.partner.fate(thread.last, thread.person).done:
            leave_passing(thread)  # nothing is left to be undone
        still = thread.asking.question if thread.asking is not None else None
        if still is not None and not any(still.words in r for r in replies):
            replies.append(still.words)
        words = "\n".join(dict.fromkeys(r for r in replies if r))
        if words:
            self._say(thread.person, words)

    def _unread(self, thread: Thread, found: m.Unclear) -> str:
        if thread.ended and thread.asking is None:
            return too_late(thread)
        not_that = self._not_that(thread, found.text) if thread.asking is None else ""
        if not_that:
            return not_that
        asks = self._all_but(thread, found.text)
        if asks:
            return asks
        against = _NOT.search(found.text) is not None or turned_round(found.text)
        remark = self._remark(thread.asking, found.text) if thread.asking is not None and not against else ""
        if remark:
            return remark
        said = clean(found.text, MOST_SHOWN) or "that"
        unknown = f" I do not know {_words(found.unknown)}." if found.unknown else ""
        nearest = () if against else found.nearest  # "do not ..." is near to what is not wanted
        could_be = dict.fromkeys((*self._others(found.text)[:MOST_OTHERS], *nearest)) if found.text else {}
        bare = {"Yes.": m.Approve(), "No.": m.Refuse()}
        near = [e for e in could_be if e not in bare or not contrary(found.text, bare[e])]
        could = "".join(f"\n  {e}" for e in near[: MOST_OTHERS + 2])
        asked = " What do you want? Say help for what can be said." if thread.asking is None else ""
        return f"{NOT_READ}'{said}'.{unknown}" + (f" You could say:{could}" if could else asked)


def _new_words(found: Meaning | m.Unclear) -> TypeGuard[m.Things]:
    """Whether something is nothing but words that nobody knows."""
    return isinstance(found, m.Things) and bool(found.unknown) and len(found.items) <= len(found.unknown)


def _with_a_stop(meaning: Meaning) -> bool:
    """Whether something is done at once that was said in one breath with a stop: nothing moves or is lost by it."""
    less = isinstance(meaning, m.Steer) and meaning.how in ("cancel", "pause")
    taken_back = isinstance(meaning, m.Forget) and not meaning.label
    return less or taken_back or isinstance(meaning, (m.Ask, m.Stop, m.Greet, m.Repeat, m.Refuse))


def _without_echo(found: list[Meaning | m.Unclear]) -> list[Meaning | m.Unclear]:
    """What was said without a bare place that an order beside it says, too: "Beta. Deliver it to beta." """
    said = {w.where for x in found if isinstance(x, m.Order) for w in x.wants}
    return [x for x in found if not (isinstance(x, m.Somewhere) and x.where in said)]


def _unreleased(found: list[Meaning | m.Unclear]) -> list[Meaning | m.Unclear]:
    """What was said without a continue that a stop or a wait for all stands behind: nothing is let go in between."""
    held = [i for i, x in enumerate(found) if (isinstance(x, m.Stop) or m.only_waits(x)) and not x.robots]
    last = held[-1] if held else 0
    go_on = [i < last and isinstance(x, m.Steer) and x.how == "resume" for i, x in enumerate(found)]
    return [x for x, dropped in zip(found, go_on) if not dropped]


def _asks_for_steps(thread: Thread) -> bool:
    """Whether a lesson asks for steps, in which a robot may wait somewhere."""
    asking = thread.asking
    return asking is not None and asking.question is not None and m.Order in asking.question.forms


def _words(words: Sequence[str]) -> str:
    shown = [f"'{clean(w, 30)}'" for w in words[:3]]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
