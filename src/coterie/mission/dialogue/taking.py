"""One meaning becomes a deed, an answer or a question: what is being asked comes first, then what its speaker wants."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.core.said import clean
from coterie.mission.dialogue.again import Again
from coterie.mission.dialogue.as_it_stands import AsItStands
from coterie.mission.dialogue.asking import Interaction, Question, Talk
from coterie.mission.dialogue.contrasting import Contrasting
from coterie.mission.dialogue.correcting import all_there, as_it_stands, in_place_of, patched
from coterie.mission.dialogue.counting import Counting
from coterie.mission.dialogue.definite import Definite
from coterie.mission.dialogue.doubting import Doubting
from coterie.mission.dialogue.guessing import Guessing, leave_passing
from coterie.mission.dialogue.lesson_words import waits_behind
from coterie.mission.dialogue.not_plain import NotPlain
from coterie.mission.dialogue.pointing import Unclear, Which, named, names_in, other_thing
from coterie.mission.dialogue.putting_right import PuttingRight, left_lesson
from coterie.mission.dialogue.rearranging import Rearranging
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.writing import brief

MOST_SHOWN = 80  # characters of what was not understood
_THEM = re.compile(r"\b(?:them|those|these|both|everything)\b", re.I)
#: What says something of its own, whatever a word before it pointed at.
WHOLE = (m.Order, m.Tell, m.Teach, m.Alter, m.Policy, m.Permit, m.Zone)


class Taking(
    PuttingRight, Doubting, Counting, Rearranging, Definite, AsItStands, NotPlain, Again, Contrasting, Guessing
):
    """What `Dialogue` does with each meaning."""

    def _reply(self, thread: Thread, meaning: Meaning, doubtful: bool = False) -> str:
        try:
            said = meaning
            the_other = self._the_other(thread, meaning) if other_thing(meaning) else None
            if isinstance(the_other, str):
                return the_other
            meaning, doubtful = the_other or meaning, doubtful or the_other is not None
            pointing = self._pointing(thread)
            meaning = self._all_of_them(thread, meaning)
            same = any(n == "@it" for n in names_in(meaning))
            meaning = pointing.resolved(_place_asked_for(thread, meaning))
            thread.meanings = tuple(meaning if x is said else x for x in thread.meanings)
            pointing.mention(meaning)
            if same and thread.perhaps and thread.perhaps in names_in(meaning):
                doubtful = True
            thread.perhaps = thread.perhaps if isinstance(meaning, m.Ask) else ""
            if same and isinstance(meaning, m.Order) and _about_the_same(meaning, thread.last):
                return self._moved(thread, meaning, doubtful)
            if the_other is not None:
                return self._corrected(thread, meaning, True)
            return self._take(thread, meaning, doubtful)
        except Which as err:
            brought = any(w.where in ("@me", "@here") for w in _wants(said))  # "can you bring me ..." asks for it
            no = self.partner.turned_away(thread.person) if brought else ""
            return no or self.ask(thread, self._choosing(thread, meaning, err))
        except Unclear as err:
            return str(err)
        except CoterieError as err:
            if isinstance(meaning, WHOLE):
                thread.refused = thread.spoken, meaning
            return str(err)

    def _all_of_them(self, thread: Thread, meaning: Meaning) -> Meaning:
        """ "Bring them to table F instead", of an order of several things: all of them are meant."""
        if not isinstance(meaning, m.Correct) or thread.last is None or not _THEM.search(thread.heard):
            return meaning
        return replace(meaning, instead=all_there(thread.last.meaning, meaning.instead))

    def _moved(self, thread: Thread, order: m.Order, doubtful: bool) -> str:
        """ "Deliver it to beta", of what was ordered last: that goes elsewhere, all of it. A thing that is there by now
        is moved again."""
        last = thread.last
        assert last is not None and isinstance(last.meaning, m.Order)
        kits = all(w.kind == m.KIT for w in order.wants)
        if not kits and self.partner.fate(last, thread.person).done:
            there = {w.what: w.where for w in last.meaning.wants}
            wants = [replace(w, source=w.source or there.get(w.what, "")) for w in order.wants]
            return self._take(thread, replace(order, wants=tuple(wants)), doubtful)
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

        return Interaction("it", talk, lambda whole: self._reply(thread, whole), pending=meaning, choice=True)

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
                if new is not None and asking.replaces is not None and new == asking.replaces.meaning:
                    leave_passing(thread)
                    return f"All right, that stays as it is: {self.wording.sentence(new)}"
                if new is not None and asking.replaces is not None:
                    return self._read_back(thread, asking.replaces, new)
                if new is not None:
                    return self.confirm(thread, new)
            if m.cancels_all(meaning):
                leave_passing(thread)
                return f"I leave what I asked you. {self._take(thread, meaning, doubtful)}"
            if meaning == asking.passing and isinstance(meaning, m.Forget) and asking.question is not None:
                asking.answer(m.Approve(), thread.spoken)  # said again in other words
                return self._go_on(thread, asking)
            calls_off = isinstance(asking.passing, m.Steer) and asking.passing.how == "cancel"
            if calls_off and isinstance(meaning, m.Steer) and meaning.how == "cancel":  # said again, and more clearly
                leave_passing(thread)
                return self._take(thread, meaning, doubtful)
            if _leaves(meaning):  # that is about what was read back, and about nothing that was done before
                leave_passing(thread)
                return "All right; I do nothing."
            goes_on = isinstance(meaning, m.Steer) and meaning.how == "resume"
            open_ = asking.replaces is not None or isinstance(asking.passing, (m.Stop, m.Order))
            if goes_on and open_ and asking.question is not None:
                return f"You have not answered that yet, so nothing goes on. {asking.question.words}"
            if isinstance(meaning, (m.Greet, m.Repeat)):  # that is no answer: it is asked again
                return self._do(thread, meaning, doubtful)
            if not asking.fits(meaning):
                left = asking.passing
                leave_passing(thread)
                asking = thread.asking
                if asking is not None and asking.right and isinstance(left, WHOLE) and meaning != left:
                    not_done = f"I have not taken that up, since you did not say yes: {self.wording.sentence(left)}"
                    return f"{not_done}\n{self._take(thread, meaning, doubtful)}"
            elif (which := self._which(thread, asking, meaning)) is not None:
                return self.ask(thread, which)
        if asking is not None and isinstance(asking.pending, m.Ask) and _goes_on(asking, meaning):
            thread.asking = asking = asking.outer
        if asking is not None and asking.choice and isinstance(meaning, WHOLE) and not asking.fits(meaning):
            thread.asking = asking = asking.outer
        other = asking is not None and isinstance(meaning, m.Approve) and not asking.fits(meaning)
        if other and self.partner.proposed(thread.person):  # that was asked, too, and nothing else by a yes
            return self._do(thread, meaning, doubtful)
        if asking is not None and m.cancels_all(meaning):
            thread.asking = asking.outer
            return f"I leave {asking.name}. {self._reply(thread, meaning, doubtful)}"
        if asking is not None and not isinstance(meaning, (m.Ask, m.Stop)):
            if isinstance(meaning, m.Correct) and asking.answers:
                if meaning.wrong and not asking.named(meaning.wrong) and asking.question is not None:
                    some = self.wording.some(meaning.wrong, 1)
                    return f"You have not said {some} before, so I change nothing. {asking.question.words}"
                at = asking.about(meaning.instead, meaning.wrong)
                rather = in_place_of(asking.answers[at], meaning.instead, meaning.wrong)
                new = patched(asking.answers[at], rather, self.partner.vocabulary)
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
            mine = isinstance(asking.pending, m.Order) and meaning == m.Steer("cancel", level="mine")
            if isinstance(meaning, m.Refuse) or _leaves(meaning) or mine:
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
            self.partner.fits(meaning)
            return self._understood(thread) if meaning.about == "understood" else self.partner.answer(thread, meaning)
        if isinstance(meaning, m.Greet):
            return greeting(thread.person, meaning)
        late = thread.ended and isinstance(meaning, (m.Things, m.Somewhere, m.Number, m.Nothing, m.Show))
        if late and thread.asking is None and not self.partner.awaits(thread.person):
            return too_late(thread)
        thread.ended = ""
        if isinstance(meaning, m.Repeat):
            return thread.last_said or "I have not said anything to you yet."
        if isinstance(meaning, m.Teach):
            before, lesson = thread.asking, self.partner.teach(thread, meaning)
            return f"{waits_behind(before, lesson.name)}{self.ask(thread, lesson)}"
        if isinstance(meaning, (m.Correct, m.Number, m.Somewhere, m.Things)):
            if isinstance(meaning, m.Correct):
                return self._corrected(thread, meaning.instead, False, meaning.wrong)
            return self._corrected(thread, meaning, True)
        if isinstance(meaning, (m.Nothing, m.Show)):
            return "I did not ask anything. What do you mean?"
        to_what = self._yes_to_what(thread, meaning) or self._stop_of_another(thread, meaning)
        if to_what:
            return to_what
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
        the_one = self._the_one(thread, meaning)
        if the_one:
            return the_one
        if doubtful and not isinstance(meaning, m.Stop):  # what was not understood may be about it: "yes, but ..."
            return self.confirm(thread, meaning)
        doubt = self.partner.doubts(thread, meaning) if isinstance(meaning, m.Order) else None
        if doubt is not None:
            return self.confirm(thread, doubt.meaning, doubt.then, doubt.words)
        return self.partner.act(thread, meaning)

    def incomplete(self, thread: Thread, meaning: Meaning, then: Callable[[Meaning], str]) -> Interaction | None:
        """What is asked before something can be done: how many, where, who. `then` does the whole."""
        self.partner.fits(meaning)
        how_many = self._how_many(meaning, then) if isinstance(meaning, (m.Order, m.Policy)) else None
        missing = self.partner.missing(meaning) if how_many is None else None
        if missing is None:
            return how_many
        question, complete = missing

        def talk() -> Talk:
            return complete((yield question))

        return Interaction("it", talk, then, pending=meaning)

    def _understood(self, thread: Thread) -> str:
        asking = thread.asking
        while asking is not None and asking.passing is not None:
            asking = asking.outer
        if asking is not None and asking.answers:  # a lesson: all that it was told so far
            told = " ".join(self.wording.sentence(x) for x in as_it_stands(asking.answers))
            return f"So far I have understood of {asking.name}: {told}"
        if asking is not None and asking.right:
            unread = f" I did not understand '{clean(thread.unread, MOST_SHOWN)}'." if thread.unread else ""
            return f"So far you have told me nothing of {asking.name}.{unread}"
        if not thread.meanings and not thread.unread:
            return "You have not said anything yet."
        inner = [brief(x) for x in thread.meanings]  # in names of the world, where words do not point at something
        rows = [self.wording.sentence(x) + (f" ({b})" if "@" not in b else "") for x, b in zip(thread.meanings, inner)]
        if thread.unread:
            rows.append(f"I did not understand '{clean(thread.unread, MOST_SHOWN)}'.")
        return "I understood: " + "\n".join(rows) if thread.meanings else rows[0]


def too_late(thread: Thread) -> str:
    """What is said to an answer in a lesson that has ended."""
    return f"The lesson of {thread.ended} has ended, since you may not teach me any more. Nothing of it is kept."


def greeting(person: str, meaning: m.Greet) -> str:
    words = {
        "hello": f"Hello, {person}.",
        "thanks": "You are welcome.",
        "no worries": "All right.",
        "unstopped": "All right, I stop nothing. If something rests, it goes on when somebody says continue.",
        "unchanged": "All right, I change nothing.",
        "own work": "All right. What rests goes on when somebody says continue.",
    }
    return words.get(meaning.how, "Goodbye.")


def _place_asked_for(thread: Thread, meaning: Meaning) -> Meaning:
    """ "You will find them on table C", while something is asked: a place, of what was asked for."""
    claims = meaning.claims if isinstance(meaning, m.Tell) else ()
    asked = thread.asking is not None and thread.asking.passing is None
    if not asked or len(claims) != 1 or claims[0] != m.Claim(m.STOCK, "@it", claims[0].where):
        return meaning
    return m.Somewhere(claims[0].where)


def _wants(meaning: Meaning) -> tuple[m.Want, ...]:
    return meaning.wants if isinstance(meaning, (m.Order, m.Ask)) else ()


def _leaves(meaning: Meaning) -> bool:
    """Whether somebody wants to leave what is being asked: "cancel", "forget it"."""
    return meaning == m.Steer("cancel") or (isinstance(meaning, m.Forget) and not meaning.label)


def _goes_on(asking: Interaction, meaning: Meaning) -> bool:
    """Whether somebody speaks of something else than what was asked about their own question."""
    inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
    return not asking.fits(inner) and not isinstance(meaning, m.Stop)


def _about_the_same(order: m.Order, last: Deed | None) -> bool:
    """Whether an order wants the very kits or things that the last one wanted, elsewhere."""
    old = last.meaning if last is not None else None
    if not isinstance(old, m.Order) or not all(w.where for w in order.wants):
        return False
    before = [(w.kind, w.what) for w in old.wants if w.kind in (m.KIT, m.STOCK)]
    return [(w.kind, w.what) for w in order.wants] == before
