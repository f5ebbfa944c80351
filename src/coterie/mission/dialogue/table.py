"""The dialogue as a table: what a meaning does in each state of a thread.

A handler is given the conversation, the thread and what was said; it returns the reply. Whatever it changes is in the
thread, or done by the partner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from coterie.core.replies.fields import clean
from coterie.mission.dialogue import clarification, correction
from coterie.mission.dialogue.capabilities import adapted, cannot
from coterie.mission.dialogue.conversation import (
    ANSWERS,
    CHANGES,
    Interaction,
    Said,
    Thread,
    leave_confirmation,
    no_place,
)
from coterie.mission.dialogue.counterpart import Conversation
from coterie.mission.dialogue.patches import as_it_stands, patched
from coterie.mission.dialogue.utterance import Certainty
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import Wording, upper
from coterie.talk.writing import brief

NOT_PLAIN = "It is not plain to me whether that is a yes or a no to what I propose, so that waits."
SAY_NO = "Say no, and I stop."
#: What is done at once although a model has read it, where it is likely: it can be undone, or does nothing.
AT_ONCE = ("pause", "prioritise", "keep", "help")

Handler = Callable[[Conversation, Thread, Said], str]


class State(Enum):
    IDLE = "idle"
    ASKING = "asking"  # a lesson, or something that is missing
    CONFIRMING = "confirming"  # something was read back and waits for a yes
    PROPOSAL = "proposal"  # the partner waits for a yes, or asked for something


def state_of(talk: Conversation, thread: Thread) -> State:
    if thread.asking is not None:
        return State.CONFIRMING if thread.asking.passing is not None else State.ASKING
    return State.PROPOSAL if talk.partner.awaits(thread.person) else State.IDLE


# -- in every state ---------------------------------------------------------------------------------------------------
def stop(talk: Conversation, thread: Thread, said: Said) -> str:
    """At once, whoever says it; a later yes is none to what was read back before it."""
    leave_confirmation(thread)
    return talk.partner.act(thread, adapted(said.meaning, talk.partner.robots()))


def answer(talk: Conversation, thread: Thread, said: Said) -> str:
    question = said.meaning
    assert isinstance(question, m.Ask)
    lead = taken_for(talk.wording, question) if said.certainty < Certainty.PLAIN else ""
    less = cannot(question, talk.partner.robots())
    if less:
        return f"{lead}I cannot {less}."
    talk.partner.fits(question)
    words = _understood(talk, thread) if question.about == "understood" else talk.partner.answer(thread, question)
    unsure = " If you meant something else, say it in other words." * (said.certainty == Certainty.UNLIKELY)
    return f"{lead}{words}{no_place(said.missing)}{unsure}"


def greet(talk: Conversation, thread: Thread, said: Said) -> str:
    assert isinstance(said.meaning, m.Greet)
    return greeting(thread.person, said.meaning)


def repeat(talk: Conversation, thread: Thread, said: Said) -> str:
    return thread.last_said or "I have not said anything to you yet."


def remark(talk: Conversation, thread: Thread, said: Said) -> str:
    return "All right."


def taken_for(wording: Wording, meaning: Meaning) -> str:
    """What goes before the answer to a question in other words."""
    return f"(I take it for: {wording.sentence(meaning)})\n"


def greeting(person: str, meaning: m.Greet) -> str:
    words = {
        "hello": f"Hello, {person}.",
        "thanks": "You are welcome.",
        "no worries": "All right.",
        "sorry": "All right.",
    }
    return words.get(meaning.how, "Goodbye.")


def _understood(talk: Conversation, thread: Thread) -> str:
    asking = thread.asking
    while asking is not None and asking.passing is not None:
        asking = asking.outer
    if asking is not None and asking.answers:  # a lesson: all that it was told so far
        told = " ".join(talk.wording.sentence(x) for x in as_it_stands(asking.answers))
        return f"So far I have understood of {asking.name}: {told}"
    unread = f"I did not understand '{clean(thread.unread, clarification.MOST_SHOWN)}'." if thread.unread else ""
    if asking is not None and asking.right:
        return f"So far you have told me nothing of {asking.name}. {unread}".rstrip()
    inner = [brief(x) for x in thread.meanings]  # in names of the world, where words do not point at something
    rows = [talk.wording.sentence(x) + f" ({b})" * ("@" not in b) for x, b in zip(thread.meanings, inner)]
    if not rows:
        return unread or "You have not said anything yet."
    return "I understood: " + "\n".join([*rows, unread]).rstrip()


# -- changes ----------------------------------------------------------------------------------------------------------
def change(talk: Conversation, thread: Thread, said: Said) -> str:
    """What makes a difference is done, by whoever may; before that whatever is missing or doubtful is asked."""
    partner, meaning = talk.partner, adapted(said.meaning, talk.partner.robots())
    said = said._replace(meaning=meaning)
    thread.ended = ""
    less = cannot(meaning, partner.robots())
    if less:
        return f"I understand: {talk.wording.sentence(meaning)} I cannot {less}."
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, [meaning])
    if isinstance(meaning, m.Steer) and meaning.how == "keep":
        return "All right, I call nothing off."
    partner.fits(meaning)
    forbids = partner.forbids(thread, meaning)
    if forbids is not None:
        return forbids()
    order = isinstance(meaning, m.Order)
    doubt = partner.doubts(thread, meaning) if not order else None
    if doubt is not None:
        return talk.confirm_doubt(thread, doubt)
    refused = order and bool(partner.turned_away(thread.person))
    asks = clarification.incomplete(talk, meaning, lambda whole: talk.take(thread, said._replace(meaning=whole)))
    if asks is not None and not refused:
        return talk.ask(thread, asks)
    if needs_yes(said) and not refused:
        return talk.confirm_all(thread, [meaning], said.missing)
    doubt = partner.doubts(thread, meaning) if order else None
    if doubt is not None:
        return talk.confirm_doubt(thread, doubt)
    there_is = correction.the_one(talk, thread, meaning) if isinstance(meaning, m.Order) and not refused else ""
    if there_is:
        return there_is
    return _begun(talk, thread, said)


def _begun(talk: Conversation, thread: Thread, said: Said) -> str:
    """Something is done; what a model has read is read back, and a no takes it back."""
    before, words = thread.last, talk.partner.act(thread, said.meaning)
    if said.certainty == Certainty.PLAIN or thread.last is before:
        return words
    thread.begun = thread.spoken
    return f"{taken_for(talk.wording, said.meaning)}{words} {SAY_NO}"


def needs_yes(said: Said) -> bool:
    """Whether something waits for a yes: it is doubtful, cannot be undone, or changes what is known or allowed."""
    meaning = said.meaning
    if said.certainty == Certainty.PLAIN:
        return False
    if said.certainty < Certainty.LIKELY:
        return True
    if isinstance(meaning, m.Order):
        return meaning.hedged
    return not (isinstance(meaning, m.Steer) and meaning.how in AT_ONCE)


def teach(talk: Conversation, thread: Thread, said: Said) -> str:
    assert isinstance(said.meaning, m.Teach)
    thread.ended = ""
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, [said.meaning])
    if needs_yes(said):
        return talk.confirm_all(thread, [said.meaning], said.missing)
    before, lesson = thread.asking, talk.partner.teach(thread, said.meaning)
    while before is not None and not before.right:
        before = before.outer
    waits = f"{upper(before.name)} waits until {lesson.name} is done.\n" if before is not None else ""
    return f"{waits}{talk.ask(thread, lesson)}"


def forget(talk: Conversation, thread: Thread, said: Said) -> str:
    assert isinstance(said.meaning, m.Forget)
    if said.meaning.label or needs_yes(said) or talk.partner.doubts(thread, said.meaning) is not None:
        return change(talk, thread, said)
    taken = correction.take_back(talk, thread)
    return taken if taken is not None else change(talk, thread, said)


# -- nothing is asked -------------------------------------------------------------------------------------------------
def yes_or_no(talk: Conversation, thread: Thread, said: Said) -> str:
    """A yes or a no to nothing that was asked: a no takes back what was begun by reading; all else is asked about."""
    meaning, last = said.meaning, thread.last
    no = isinstance(meaning, m.Refuse) and meaning.what != m.LATER
    if no and thread.begun and thread.begun + 1 == thread.spoken and last is not None:
        return correction.undone(talk, thread, last)
    if isinstance(meaning, m.Refuse) and meaning.what == m.LESSON:
        return "There is no lesson that I could leave. To undo one, say forget and its name."
    if not said.plain:
        return "I did not ask you anything, so I do nothing by that. Say stop to stop, or cancel that to call it off."
    doubt = talk.partner.doubts(thread, meaning)
    return talk.confirm_doubt(thread, doubt) if doubt is not None else talk.partner.act(thread, meaning)


def bare_answer(talk: Conversation, thread: Thread, said: Said) -> str:
    """An answer to nothing puts right what was said last, or comes too late."""
    if thread.ended:
        return clarification.too_late(thread)
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, [said.meaning])
    return correction.correct(talk, thread, said)


def no_answer(talk: Conversation, thread: Thread, said: Said) -> str:
    if thread.ended:
        return bare_answer(talk, thread, said)
    return "I did not ask anything. What do you mean?"


# -- a proposal waits -------------------------------------------------------------------------------------------------
def to_proposal(talk: Conversation, thread: Thread, said: Said) -> str:
    """A proposal needs a plain yes, and nothing lost since it was told."""
    meaning, proposed = said.meaning, talk.partner.proposed(thread.person)
    if isinstance(meaning, m.Refuse) and thread.begun + 1 == thread.spoken and SAY_NO in thread.last_said:
        return yes_or_no(talk, thread, said)
    if isinstance(meaning, m.Refuse) and meaning.what == m.LESSON:
        return yes_or_no(talk, thread, said)
    less = cannot(meaning, talk.partner.robots())
    if not less and proposed and isinstance(meaning, m.Approve) and said.certainty == Certainty.LIKELY:
        return talk.confirm(thread, meaning, None, f"Do you say yes to this? {proposed}")
    if less or not said.plain:
        return f"{f'I cannot {less}.' if less else NOT_PLAIN}\n{proposed or 'Say yes or no by itself.'}"
    lost = clarification.yes_to_what(talk, thread) if isinstance(meaning, m.Approve) and not meaning.what else ""
    if lost:
        return lost
    doubt = talk.partner.doubts(thread, meaning)
    return talk.confirm_doubt(thread, doubt) if doubt is not None else talk.partner.act(thread, meaning)


def to_request(talk: Conversation, thread: Thread, said: Said) -> str:
    """An answer of whoever was asked for a thing or a favour; where a plan was proposed after that, yes and no are
    about the plan, and all else is what it is elsewhere."""
    meaning, proposed = said.meaning, talk.partner.proposed(thread.person)
    does = talk.partner.requested(thread, meaning) if not proposed or proposed not in thread.last_said else None
    if does is None:
        return (to_proposal if isinstance(meaning, (m.Approve, m.Refuse)) else _IDLE[type(meaning)])(talk, thread, said)
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, [meaning])
    if said.certainty == Certainty.DOUBTFUL and not isinstance(meaning, m.Ask):
        return talk.confirm(thread, meaning, does, f"Do you mean: {talk.wording.sentence(meaning)}")
    return does()


def one_answer(talk: Conversation, thread: Thread, meanings: Sequence[Meaning]) -> list[Meaning]:
    """Several meanings of which all answer what their speaker was asked for are one: "no, I have none left"."""
    if len(meanings) < 2 or state_of(talk, thread) != State.PROPOSAL:
        return list(meanings)
    answers = [x for x in meanings if talk.partner.requested(thread, x) is not None]
    return [x for x in meanings if x not in answers[1:]]


# -- something was read back ------------------------------------------------------------------------------------------
def confirmed(talk: Conversation, thread: Thread, said: Said) -> str:
    """A yes or a no to what was read back. Where a plan was proposed after that, what is answered is asked; a no need
    not be plain."""
    asking, meaning, proposed = thread.asking, said.meaning, talk.partner.proposed(thread.person)
    assert asking is not None and asking.question is not None
    if isinstance(meaning, m.Refuse) and meaning.what == m.LESSON:
        leave_confirmation(thread)
        return talk.take(thread, said)
    if isinstance(meaning, m.Approve) and meaning.what and proposed:
        leave_confirmation(thread)
        return to_proposal(talk, thread, said)
    if proposed and proposed in thread.last_said and asking.question.words not in thread.last_said:
        return f"I have asked you two things. First: {asking.question.words}"
    if isinstance(meaning, m.Approve) and (meaning.what or not said.plain):
        return f"I am not sure that this is a yes. Say yes or no by itself. {asking.question.words}"
    asking.answer(meaning, thread.spoken)
    return talk.go_on(thread, asking)


def beside_read_back(talk: Conversation, thread: Thread, said: Said) -> str:
    """Something else than a yes or a no: it puts right what was read back, leaves it, or takes its place."""
    asking, meaning = thread.asking, said.meaning
    assert asking is not None and asking.passing is not None and asking.question is not None
    left = asking.passing
    if isinstance(meaning, (m.Correct, *ANSWERS)):
        instead = meaning.instead if isinstance(meaning, m.Correct) else meaning
        words = correction.correct_read_back(talk, thread, asking, instead)
        if words is not None:
            return words
    if meaning == m.Forget() == left:  # said again in other words
        return confirmed(talk, thread, said._replace(meaning=m.Approve()))
    again = isinstance(left, m.Steer) and left.how == "cancel" and isinstance(meaning, m.Steer)
    if _leaves(meaning) and not again:
        leave_confirmation(thread)
        return "All right; I do nothing."
    if isinstance(meaning, m.Steer) and meaning.how == "keep":
        leave_confirmation(thread)
        return "All right, that stays as it is."
    open_ = asking.replaces is not None or isinstance(left, m.Order)
    if isinstance(meaning, m.Steer) and meaning.how == "resume" and open_:
        return f"You have not answered that yet, so nothing goes on. {asking.question.words}"
    leave_confirmation(thread)
    lesson = thread.asking is not None and bool(thread.asking.right)
    not_done = ""
    if lesson and isinstance(left, CHANGES) and meaning != left:
        not_done = f"I have not taken that up, since you did not say yes: {talk.wording.sentence(left)}\n"
    return f"{not_done}{talk.take(thread, said)}"


# -- something is asked -----------------------------------------------------------------------------------------------
def in_question(talk: Conversation, thread: Thread, said: Said) -> str:
    """An answer, a word about what is asked, or something else meanwhile."""
    asking, meaning = thread.asking, said.meaning
    assert asking is not None
    inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
    fits = asking.fits(inner)
    mine = isinstance(asking.pending, m.Order) and meaning == m.Steer("cancel", level="mine")
    left = isinstance(meaning, m.Refuse) and meaning.what in (m.LEAVE, m.LESSON)
    if left or mine or (not fits and isinstance(meaning, m.Refuse) and not meaning.what):
        return leave_question(thread, asking)
    if isinstance(meaning, m.Refuse) and meaning.what == m.LATER:
        return f"All right, that waits. {asking.question.words if asking.question is not None else ''}"
    if not fits and (isinstance(asking.pending, m.Ask) or (asking.choice and isinstance(meaning, CHANGES))):
        thread.asking = asking.outer  # who speaks of something else leaves a choice
        return talk.take(thread, said)
    if isinstance(meaning, m.Correct):
        words = correction.correct_answer(talk, thread, asking, meaning)
        if words is not None:
            return words
        new = patched(asking.pending, inner, talk.partner.vocabulary) if asking.pending is not None else None
        if new is not None and not fits:  # what cannot be done yet was put right
            thread.asking = asking.outer
            return talk.take(thread, said._replace(meaning=new))
    if fits:
        return _answered(talk, thread, asking, said._replace(meaning=inner))
    if isinstance(meaning, m.Approve) and talk.partner.proposed(thread.person):
        return to_proposal(talk, thread, said)  # that was asked, too, and nothing else by a yes
    return _about_question(talk, thread, asking, said)


def _answered(talk: Conversation, thread: Thread, asking: Interaction, said: Said) -> str:
    """What answers the question counts; a doubtful answer is read back first."""

    def then() -> str:
        asking.answer(said.meaning, thread.spoken)
        return talk.go_on(thread, asking)

    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, [said.meaning])
    if said.certainty < Certainty.LIKELY:
        words = f"Do you mean: {talk.wording.sentence(said.meaning)}{no_place(said.missing)}"
        return talk.confirm(thread, said.meaning, then, words)
    return then()


def _about_question(talk: Conversation, thread: Thread, asking: Interaction, said: Said) -> str:
    meaning = said.meaning
    if isinstance(meaning, m.Forget) and not meaning.label and asking.pending is None:
        taken = correction.take_back_answer(talk, thread, asking)
        if taken is not None:
            return taken
    if isinstance(meaning, m.Refuse) or _leaves(meaning):
        return leave_question(thread, asking)
    if isinstance(meaning, m.Steer) and meaning.how == "cancel" and asking.lists(meaning.what):
        return _answered(talk, thread, asking, said._replace(meaning=m.Things(((meaning.what, 0),))))
    if m.cancels_all(meaning):
        return f"{leave_question(thread, asking)} {talk.take(thread, said)}"
    if isinstance(meaning, (m.Approve, *ANSWERS)):
        example = asking.question.example if asking.question is not None else ""
        return f"That does not answer what I asked{f'; say for example: {example}' if example else ''}."
    if isinstance(meaning, m.Correct):
        return correction.correct(talk, thread, said)
    return TABLE[State.IDLE].get(type(meaning), change)(talk, thread, said)


def leave_question(thread: Thread, asking: Interaction) -> str:
    """What was asked is left; "leave the lesson" leaves also what was asked about it."""
    while asking.outer is not None and asking.outer.right and not asking.right:
        asking = asking.outer
    thread.asking = asking.outer
    return f"All right; I leave {asking.name}."


def _leaves(meaning: Meaning) -> bool:
    """Whether somebody wants to leave what is being asked: "cancel", "forget it"."""
    return meaning == m.Steer("cancel") or (isinstance(meaning, m.Forget) and not meaning.label)


# -- the table --------------------------------------------------------------------------------------------------------
ALWAYS: dict[type[Meaning], Handler] = {
    m.Stop: stop,
    m.Ask: answer,
    m.Greet: greet,
    m.Repeat: repeat,
    m.Remark: remark,
    m.Unknown: clarification.unknown,
    m.Ambiguous: clarification.ambiguous,
}
_IDLE: dict[type[Meaning], Handler] = {
    **ALWAYS,
    **dict.fromkeys(CHANGES, change),
    m.Teach: teach,
    m.Forget: forget,
    m.Approve: yes_or_no,
    m.Refuse: yes_or_no,
    m.Correct: bare_answer,
    m.Things: bare_answer,
    m.Somewhere: bare_answer,
    m.Number: bare_answer,
    m.Nothing: no_answer,
    m.Show: no_answer,
}
TABLE: dict[State, dict[type[Meaning], Handler]] = {
    State.IDLE: _IDLE,
    State.PROPOSAL: {
        **_IDLE,
        **dict.fromkeys((m.Approve, m.Refuse, m.Nothing, m.Show, m.Ask, m.Steer, m.Tell), to_request),
    },
    State.CONFIRMING: {
        **dict.fromkeys(_IDLE, beside_read_back),
        **ALWAYS,
        m.Approve: confirmed,
        m.Refuse: confirmed,
    },
    State.ASKING: {**dict.fromkeys(_IDLE, in_question), **ALWAYS},
}
