"""The conversation of a team with people, and the effects that the handlers of its table return.

A handler changes nothing: it is given the conversation, the thread of a person and what was said, and returns effects:
words, or functions of the conversation and the thread. Only `Conversation.perform` calls them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Concatenate, ParamSpec

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.conversation import (
    CHANGES,
    US,
    Deed,
    Interaction,
    Question,
    Said,
    Thread,
    Threads,
    no_place,
    single,
)
from coterie.mission.dialogue.listening import Certainty
from coterie.mission.dialogue.reference import References, Unclear, Which, names_in, names_said, renamed
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording

SAY_NO = "Say no, and I stop."


Effect = Callable[["Conversation", Thread], str]  # carries something out; what is said about it
Effects = Sequence[Effect | str]
P = ParamSpec("P")
Handler = Callable[["Conversation", Thread, Said], Effects]


class State(Enum):
    IDLE = "idle"
    ASKING = "asking"  # a lesson, or something that is missing
    CONFIRMING = "confirming"  # something was read back and waits for a yes
    PROPOSAL = "proposal"  # the partner waits for a yes, or asked for something


@dataclass
class Conversation:
    """A team and the people who speak with it: one thread for each, and a table of what each meaning does in each
    state of a thread. `say` brings words to one person and to nobody else."""

    partner: Any  # a `Partner`
    threads: Threads
    say: Callable[[str, str], None]
    table: Mapping[State, Mapping[type[Meaning], Handler]]

    @property
    def wording(self) -> Wording:
        return Wording(self.partner.vocabulary)

    def spoke(self, person: str, text: str) -> None:
        """Words have gone to a person: they are part of the thread, and what they name can be pointed at."""
        self.threads.said(US, person, text)
        self.threads.of(person).told.update(names_said(text, self.partner.vocabulary))

    def state_of(self, thread: Thread) -> State:
        if thread.asking is not None:
            return State.CONFIRMING if thread.asking.passing is not None else State.ASKING
        return State.PROPOSAL if self.partner.awaits(thread.person) else State.IDLE

    def take(self, thread: Thread, said: Said) -> str:
        """Look up what a meaning does in the state of the thread, and do it; the reply."""
        meaning = said.meaning
        try:
            pointed = names_in(meaning)
            if isinstance(meaning, m.Correct) and "@other" in pointed:  # of which it may be several
                said = said._replace(certainty=min(said.certainty, Certainty.DOUBTFUL))
            meaning = self.resolved(thread, meaning)
            thread.meanings = tuple(meaning if x is said.meaning else x for x in thread.meanings)
            if "@it" in pointed and isinstance(meaning, m.Order):
                meaning = _moved(self, thread, meaning)
            handler = self.table[self.state_of(thread)][type(meaning)]
            return self.perform(thread, handler(self, thread, said._replace(meaning=meaning)))
        except Which as err:
            brought = any(w.where in ("@me", "@here") for w in getattr(said.meaning, "wants", ()))
            no = self.partner.turned_away(thread.person) if brought else ""
            return no or self.perform(thread, [_choice(said, err)])
        except Unclear as err:
            return str(err)
        except CoterieError as err:
            if isinstance(meaning, CHANGES):
                thread.refused = thread.spoken, meaning, str(err)
            return str(err)

    def resolved(self, thread: Thread, meaning: Meaning) -> Meaning:
        """A meaning with names for words that point; a place that was asked for may come as a fact."""
        references = References(thread, self.partner.vocabulary, self.partner.home, self.partner.robots())
        found: Meaning = references.resolved(_place_asked_for(thread, meaning))
        references.mention(found)
        return found

    def perform(self, thread: Thread, effects: Effects) -> str:
        """Carry effects out, in order; what is said about all of them."""
        said = ""
        for effect in [effects] if isinstance(effects, str) else effects:
            words = (effect if isinstance(effect, str) else effect(self, thread)).lstrip(" ")
            said += " " * bool(said and words and not said.endswith("\n")) + words
        return said.rstrip()


def _place_asked_for(thread: Thread, meaning: Meaning) -> Meaning:
    """ "You will find them on table C", while something is asked: a place, of what was asked for."""
    claims = meaning.claims if isinstance(meaning, m.Tell) else ()
    asked = thread.asking is not None and thread.asking.passing is None
    if not asked or len(claims) != 1 or claims[0] != m.Claim(m.STOCK, "@it", claims[0].where):
        return meaning
    return m.Somewhere(claims[0].where)


def _moved(talk: Conversation, thread: Thread, order: m.Order) -> Meaning:
    """ "Deliver it to beta": all that was ordered last goes elsewhere; a thing that is there by now is moved again."""
    last = thread.last
    old = last.meaning if last is not None else None
    if last is None or not isinstance(old, m.Order):
        return order
    before = [(w.kind, w.what) for w in old.wants if w.kind in (m.KIT, m.STOCK)]
    if not all(w.where for w in order.wants) or [(w.kind, w.what) for w in order.wants] != before:
        return order
    if talk.partner.fate(last, thread.person).done and not all(w.kind == m.KIT for w in order.wants):
        there = {w.what: w.where for w in old.wants}
        wants = tuple(replace(w, source=w.source or there[w.what]) for w in order.wants)
        return replace(order, wants=wants)
    return m.Correct(order)


def _choice(said: Said, err: Which) -> Effect:
    """Which of several is meant is asked, until one of them is named."""
    question = Question(str(err), (m.Somewhere, m.Things), err.example)

    def name(answer: Meaning) -> str | None:
        names = [answer.where] if isinstance(answer, m.Somewhere) else [n for n, _ in getattr(answer, "items", ())]
        return names[0] if len(names) == 1 and names[0] in err.names else None

    def then(name: str) -> Effects:
        whole = renamed(said.meaning, lambda word, *_: name if word == err.word else word)
        return [take(said._replace(meaning=whole))]

    return ask(single(question, name, then, pending=said.meaning, choice=True))


def taken_for(wording: Wording, meaning: Meaning) -> str:
    """The words before an answer to an utterance that was rephrased."""
    return f"(I take it for: {wording.sentence(meaning)})\n"


# -- effects ----------------------------------------------------------------------------------------------------------
def effect(do: Callable[Concatenate[Conversation, Thread, P], str]) -> Callable[P, Effect]:
    """Makes an effect of what it needs besides the conversation and the thread."""

    def made(*args: P.args, **more: P.kwargs) -> Effect:
        return lambda talk, thread: do(talk, thread, *args, **more)

    return made


def take(said: Said) -> Effect:
    """Look up in the table what a meaning does now."""
    return lambda talk, thread: talk.take(thread, said)


def act(meaning: Meaning) -> Effect:
    """The partner does what was meant, or answers it."""
    asks = isinstance(meaning, m.Ask)
    return lambda talk, thread: str((talk.partner.answers.of if asks else talk.partner.act)(thread, meaning))


def call(do: Callable[[], str]) -> Effect:
    """Something that only the partner knows how to do."""
    return lambda talk, thread: do()


@effect
def begin(talk: Conversation, thread: Thread, said: Said) -> str:
    """The partner does what was meant; what a model has read is read back, and a no takes it back."""
    before, words = thread.last, str(talk.partner.act(thread, said.meaning))
    if said.certainty == Certainty.PLAIN or thread.last is before:
        return words
    thread.begun = thread.spoken
    return f"{taken_for(talk.wording, said.meaning)}{words} {SAY_NO}"


@effect
def ask(talk: Conversation, thread: Thread, asking: Interaction) -> str:
    """Begin to ask a person for something."""
    asking.begun = thread.spoken
    asking.begin()
    if not asking.over:
        asking.outer, thread.asking = thread.asking, asking
    return _go_on(talk, thread, asking)


@dataclass(frozen=True)
class Confirm:
    """Read back what would be done, in these `words` if there are some, and do it, or `then`, at a yes; `replaces` is
    the act that it would replace."""

    meaning: Meaning
    words: str = ""
    then: Effects | None = None
    replaces: Deed | None = None

    def __call__(self, talk: Conversation, thread: Thread) -> str:
        leave()(talk, thread)
        words = self.words or f"Do you mean: {talk.wording.sentence(self.meaning)}"
        question = Question(words, (m.Approve, m.Refuse), "yes")
        at_yes = self.then if self.then is not None else [take(Said(self.meaning))]

        def then(answer: Meaning) -> Effects:
            return at_yes if isinstance(answer, m.Approve) else ["All right; I do nothing."]

        asking = single(question, lambda x: x, then, passing=self.meaning, replaces=self.replaces)
        return ask(asking)(talk, thread)


def confirm_all(wording: Wording, meanings: Sequence[Meaning], missing: Sequence[str] = ()) -> Confirm:
    """Several meanings are read back as one, with the words that have no place in them."""
    words = f"Do you mean: {' '.join(wording.sentence(x) for x in meanings)}{no_place(missing)}"
    return Confirm(meanings[0], words, [part for x in meanings for part in (take(Said(x)), "\n")])


@effect
def reply(talk: Conversation, thread: Thread, meaning: Meaning) -> str:
    """Something answers what is asked."""
    asking = thread.asked
    asking.answer(talk.partner.seen(thread, meaning), thread.spoken)
    return _go_on(talk, thread, asking)


@effect
def again(talk: Conversation, thread: Thread, meaning: Meaning, at: int) -> str:
    """Replace an earlier answer to a question that is being asked."""
    asking = thread.asked
    asking.again(meaning, at)
    return _go_on(talk, thread, asking)


@effect
def leave(talk: Conversation, thread: Thread, asking: Interaction | None = None) -> str:
    """Stop asking a question; without one, stop only an unanswered confirmation."""
    thread.asking = thread.open_question if asking is None else asking.outer
    return ""


def _go_on(talk: Conversation, thread: Thread, asking: Interaction) -> str:
    """The next question, or what comes of the answers."""
    if not asking.over:
        return asking.question.words
    if thread.asking is asking:
        thread.asking = asking.outer
    return talk.perform(thread, asking.then(asking.result))
