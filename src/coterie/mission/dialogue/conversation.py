"""What the functions of the table work with: whom people talk with, one thread for each person, questions asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

from coterie.mission.dialogue.asking import Interaction, Question, Talk
from coterie.mission.dialogue.counterpart import Doubt, Partner
from coterie.mission.dialogue.thread import Deed, Thread, Threads
from coterie.mission.dialogue.utterance import Certainty
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording

#: What makes a difference: to robots, to what is known, wanted, allowed or taught.
CHANGES = (m.Order, m.Tell, m.Steer, m.Teach, m.Alter, m.Forget, m.Policy, m.Permit, m.Zone)
#: What answers a question, and else puts right what was said before.
ANSWERS = (m.Things, m.Somewhere, m.Number, m.Nothing, m.Show)


class Said(NamedTuple):
    """A meaning with how certain it is, and the words that have no place in it."""

    meaning: Meaning
    certainty: Certainty = Certainty.PLAIN
    missing: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether it counts as a plain yes or no."""
        return self.certainty >= Certainty.SURE


class Conversation(ABC):
    """One for a team."""

    partner: Partner
    threads: Threads

    @property
    def wording(self) -> Wording:
        return Wording(self.partner.vocabulary)

    @abstractmethod
    def take(self, thread: Thread, said: Said) -> str:
        """Do, answer or ask about one meaning; the reply."""

    # -- questions ------------------------------------------------------------------------------------------------
    def ask(self, thread: Thread, interaction: Interaction) -> str:
        """Begin to ask a person for something; the first question."""
        interaction.turns = [thread.spoken]
        interaction.begin()
        if not interaction.over:
            interaction.outer, thread.asking = thread.asking, interaction
        return self.go_on(thread, interaction)

    def go_on(self, thread: Thread, asking: Interaction) -> str:
        """The next question, or what comes of the answers."""
        if asking.question is not None:
            return asking.question.words
        if thread.asking is asking:
            thread.asking = asking.outer
        return asking.then(asking.result)

    # -- confirmation ---------------------------------------------------------------------------------------------
    def confirm(
        self,
        thread: Thread,
        meaning: Meaning,
        then_do: Callable[[], str] | None = None,
        words: str = "",
        replaces: Deed | None = None,
    ) -> str:
        """Read back what would be done, and do it at a yes: by `then_do`, if that is given, and in these `words`;
        `replaces` is the deed that it would be done instead of."""
        leave_confirmation(thread)
        words = words or f"Do you mean: {self.wording.sentence(meaning)}"

        def talk() -> Talk:
            answer = yield Question(words, (m.Approve, m.Refuse), "yes")
            return isinstance(answer, m.Approve)

        def then(yes: bool) -> str:
            if not yes:
                return "All right; I do nothing."
            return then_do() if then_do is not None else self.take(thread, Said(meaning))

        return self.ask(thread, Interaction("it", talk, then, passing=meaning, replaces=replaces))

    def confirm_doubt(self, thread: Thread, doubt: Doubt) -> str:
        return self.confirm(thread, doubt.meaning, doubt.then, doubt.words)

    def confirm_all(self, thread: Thread, meanings: Sequence[Meaning], missing: Sequence[str] = ()) -> str:
        """Read several meanings back as one, with the words that have no place in them."""

        def then() -> str:
            return "\n".join(self.take(thread, Said(x)) for x in meanings)

        words = f"Do you mean: {' '.join(self.wording.sentence(x) for x in meanings)}{no_place(missing)}"
        return self.confirm(thread, meanings[0], then, words)


def no_place(missing: Sequence[str]) -> str:
    """What is said of words that have no place in what was read."""
    return f" I have no place for: {', '.join(repr(w) for w in missing)}." if missing else ""


def leave_confirmation(thread: Thread) -> None:
    """What was read back and has no answer is over."""
    while thread.asking is not None and thread.asking.passing is not None:
        thread.asking = thread.asking.outer
