"""The dialogue as a table: the effects of a meaning in each state of a thread.

A handler is a pure function of the conversation, the thread and what was said.
"""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.replies.fields import clean
from coterie.mission.dialogue import clarification, correction, effects
from coterie.mission.dialogue.clarification import adapted, cannot
from coterie.mission.dialogue.conversation import ANSWERS, CHANGES, Interaction, Said, Thread, no_place
from coterie.mission.dialogue.effects import SAY_NO, Confirm, Conversation, Effects, Handler, State
from coterie.mission.dialogue.listening import Certainty
from coterie.mission.dialogue.reference import more_of
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import upper
from coterie.talk.writing import brief

NOT_PLAIN = "It is not plain to me whether that is a yes or a no to what I propose, so that waits."
#: Actions done at once although a model has read them, where likely: they can be undone, or do nothing.
AT_ONCE = ("pause", "prioritise", "keep", "help")
GREETINGS = {"hello": "Hello, {}.", "thanks": "You are welcome.", "no worries": "All right.", "sorry": "All right."}


# -- in every state ---------------------------------------------------------------------------------------------------
def stop(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """Stop at once, for anybody; a later yes does not confirm what was read back before it."""
    return [effects.leave(), effects.act(adapted(said.meaning, talk.partner.robots()))]


def answer(talk: Conversation, thread: Thread, said: Said) -> Effects:
    question = said.meaning
    lead = effects.taken_for(talk.wording, question) if said.certainty < Certainty.PLAIN else ""
    if less := cannot(question, talk.partner.robots(), talk.partner.wants()):
        return [lead, f"I cannot {less}."]
    talk.partner.fits(question)
    words = _understood(talk, thread) if question.about == "understood" else effects.act(question)
    unsure = "If you meant something else, say it in other words." * (said.certainty == Certainty.UNLIKELY)
    return [lead, words, no_place(said.missing), unsure]


def greeting(person: str, meaning: m.Greet) -> str:
    return GREETINGS.get(meaning.how, "Goodbye.").format(person)


def _understood(talk: Conversation, thread: Thread) -> str:
    asking = thread.open_question
    if asking is not None and asking.answers:  # a lesson: all that it was told so far
        told = " ".join(talk.wording.sentence(x) for x in correction.as_it_stands(asking.answers))
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
def change(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """Make a change, if the person may; before that, ask for anything missing or doubtful."""
    partner, meaning = talk.partner, adapted(said.meaning, talk.partner.robots())
    said = said._replace(meaning=meaning)
    if less := cannot(meaning, partner.robots(), partner.wants()):
        return [f"I understand: {talk.wording.sentence(meaning)} I cannot {less}."]
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, meaning)
    if isinstance(meaning, m.Steer) and meaning.how == "keep":
        return ["All right, I call nothing off."]
    partner.fits(meaning)
    if (forbids := partner.forbids(thread, meaning)) is not None:
        return list(forbids)
    orders = isinstance(meaning, m.Order)
    if not orders and (doubt := partner.doubts(thread, meaning)):
        return [doubt]
    if orders and partner.turned_away(thread.person):
        return [effects.begin(said)]  # which says so
    asks = clarification.incomplete(talk, meaning, lambda whole: [effects.take(said._replace(meaning=whole))])
    if asks is not None:
        return [effects.ask(asks)]
    if needs_yes(said):
        return [effects.confirm_all(talk.wording, [meaning], said.missing)]
    if orders and (doubt := partner.doubts(thread, meaning)):
        return [doubt]
    the_one = correction.the_one(talk, thread, meaning) if isinstance(meaning, m.Order) else []
    return the_one or [effects.begin(said)]


def needs_yes(said: Said) -> bool:
    """True if a meaning needs a yes: it is doubtful, cannot be undone, or changes what is known or allowed."""
    meaning = said.meaning
    if said.certainty == Certainty.PLAIN:
        return False
    if m.only_waits(meaning) and said.certainty > Certainty.UNLIKELY:
        return False  # waiting in vain costs less than going on
    if said.certainty < Certainty.LIKELY:
        return True
    if isinstance(meaning, m.Order):
        return meaning.hedged
    return not (isinstance(meaning, m.Steer) and meaning.how in AT_ONCE)


def teach(talk: Conversation, thread: Thread, said: Said) -> Effects:
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, said.meaning)
    if needs_yes(said):
        return [effects.confirm_all(talk.wording, [said.meaning], said.missing)]
    before, lesson = thread.asking, talk.partner.teach(thread, said.meaning)
    while before is not None and not before.right:
        before = before.outer
    waits = f"{upper(before.name)} waits until {lesson.name} is done.\n" if before is not None else ""
    return [waits, effects.ask(lesson)]


def forget(talk: Conversation, thread: Thread, said: Said) -> Effects:
    if said.meaning.label or needs_yes(said) or talk.partner.doubts(thread, said.meaning) is not None:
        return change(talk, thread, said)
    return correction.take_back(talk, thread) or change(talk, thread, said)


# -- nothing is asked -------------------------------------------------------------------------------------------------
def yes_or_no(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """A yes or a no to nothing that was asked: a no takes back what was begun by reading; all else is asked about."""
    meaning, last = said.meaning, thread.last
    no = isinstance(meaning, m.Refuse) and meaning.what != m.LATER
    if no and thread.begun and thread.begun + 1 == thread.spoken and last is not None:
        return [correction.undo(last)]
    if isinstance(meaning, m.Refuse) and meaning.what == m.LESSON:
        return ["There is no lesson that I could leave. To undo one, say forget and its name."]
    if not said.plain:
        return ["I did not ask you anything, so I do nothing by that. Say stop to stop, or cancel that to call it off."]
    return [talk.partner.doubts(thread, meaning) or effects.act(meaning)]


def bare_answer(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """An answer to nothing corrects what was said last; "three more gloves" are wanted besides those."""
    things = said.meaning
    orders = [d.meaning for d in thread.deeds if isinstance(d.meaning, m.Order)]
    if isinstance(things, m.Things) and things.more and orders:
        wants = [[more_of(w, n) for o in orders for w in o.wants if w.what == name][:1] for name, n in things.items]
        if all(wants):
            return change(talk, thread, said._replace(meaning=m.Order(tuple(w for row in wants for w in row))))
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, said.meaning)
    return correction.correct(talk, thread, said)


# -- a proposal waits -------------------------------------------------------------------------------------------------
def to_proposal(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """A proposal needs a plain yes, and nothing lost since it was told."""
    meaning, proposed = said.meaning, talk.partner.proposed(thread.person)
    begun = thread.begun + 1 == thread.spoken and SAY_NO in thread.last_said
    if isinstance(meaning, m.Refuse) and (begun or meaning.what == m.LESSON):
        return yes_or_no(talk, thread, said)
    less = cannot(meaning, talk.partner.robots(), talk.partner.wants())
    if not less and proposed and isinstance(meaning, m.Approve) and said.certainty == Certainty.LIKELY:
        return [Confirm(meaning, f"Do you say yes to this? {proposed}")]
    if less or not said.plain:
        return [f"{f'I cannot {less}.' if less else NOT_PLAIN}\n{proposed or 'Say yes or no by itself.'}"]
    lost = clarification.yes_to_what(talk, thread) if isinstance(meaning, m.Approve) and not meaning.what else ""
    return [lost or talk.partner.doubts(thread, meaning) or effects.act(meaning)]


def to_request(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """An answer to a request for a thing or a favour; where a plan was proposed after it, yes and no are about that."""
    meaning, proposed = said.meaning, talk.partner.proposed(thread.person)
    does = talk.partner.requested(thread, meaning) if not proposed or proposed not in thread.last_said else None
    if does is None:
        return (to_proposal if isinstance(meaning, (m.Approve, m.Refuse)) else _IDLE[type(meaning)])(talk, thread, said)
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, meaning)
    doubtful = said.certainty == Certainty.DOUBTFUL and not isinstance(meaning, m.Ask)
    return [Confirm(meaning, then=[effects.call(does)]) if doubtful else effects.call(does)]


def one_answer(talk: Conversation, thread: Thread, meanings: Sequence[Meaning]) -> list[Meaning]:
    """Several meanings of which all answer what their speaker was asked for are one: "no, I have none left"."""
    if len(meanings) < 2 or talk.state_of(thread) != State.PROPOSAL:
        return list(meanings)
    answers = [x for x in meanings if talk.partner.requested(thread, x) is not None]
    return [x for x in meanings if x not in answers[1:]]


# -- something was read back ------------------------------------------------------------------------------------------
def confirmed(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """A yes or a no to what was read back; where a plan was proposed after that, what is answered is asked."""
    asking, meaning, proposed = thread.asked, said.meaning, talk.partner.proposed(thread.person)
    if isinstance(meaning, m.Refuse) and meaning.what == m.LESSON:
        return [effects.leave(), effects.take(said)]
    if isinstance(meaning, m.Approve) and meaning.what and proposed:
        return [effects.leave(), *to_proposal(talk, thread, said)]
    if proposed and proposed in thread.last_said and asking.question.words not in thread.last_said:
        return [f"I have asked you two things. First: {asking.question.words}"]
    if isinstance(meaning, m.Approve) and (meaning.what or not said.plain):
        return [f"I am not sure that this is a yes. Say yes or no by itself. {asking.question.words}"]
    return [effects.reply(meaning)]


def beside_read_back(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """Something else than a yes or a no: it corrects what was read back, leaves it, or takes its place."""
    asking, meaning = thread.asked, said.meaning
    left, steer = asking.passing, meaning if isinstance(meaning, m.Steer) else None
    if isinstance(meaning, (m.Correct, *ANSWERS)):
        instead = meaning.instead if isinstance(meaning, m.Correct) else meaning
        if corrected := correction.correct_read_back(talk, thread, instead):
            return corrected
    if meaning == m.Forget() == left:  # said again in other words
        return confirmed(talk, thread, said._replace(meaning=m.Approve()))
    again = isinstance(left, m.Steer) and left.how == "cancel" and steer is not None
    if _leaves(meaning) and not again:
        return [effects.leave(), "All right; I do nothing."]
    if steer is not None and steer.how == "keep":
        return [effects.leave(), "All right, that stays as it is."]
    if steer is not None and steer.how == "resume" and (asking.replaces is not None or isinstance(left, m.Order)):
        return [f"You have not answered that yet, so nothing goes on. {asking.question.words}"]
    lesson, not_done = thread.open_question, ""
    if lesson is not None and lesson.right and isinstance(left, CHANGES) and meaning != left:
        not_done = f"I have not taken that up, since you did not say yes: {talk.wording.sentence(left)}\n"
    return [effects.leave(), not_done, effects.take(said)]


# -- something is asked -----------------------------------------------------------------------------------------------
def in_question(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """An answer, a word about what is asked, or something else meanwhile."""
    asking, meaning = thread.asked, said.meaning
    inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
    fits = asking.fits(inner)
    mine = isinstance(asking.pending, m.Order) and meaning == m.Steer("cancel", level="mine")
    left = isinstance(meaning, m.Refuse) and meaning.what in (m.LEAVE, m.LESSON)
    if left or mine or (not fits and isinstance(meaning, m.Refuse) and not meaning.what):
        return leave_question(asking)
    if isinstance(meaning, m.Refuse) and meaning.what == m.LATER:
        return [f"All right, that waits. {asking.question.words}"]
    if not fits and (isinstance(asking.pending, m.Ask) or (asking.choice and isinstance(meaning, CHANGES))):
        return [effects.leave(asking), effects.take(said)]  # who speaks of something else leaves a choice
    if isinstance(meaning, m.Correct):
        if corrected := correction.correct_answer(talk, asking, meaning):
            return corrected
        new = correction.patched(asking.pending, inner, talk.partner.vocabulary) if asking.pending is not None else None
        if new is not None and not fits:  # what cannot be done yet was corrected
            return [effects.leave(asking), effects.take(said._replace(meaning=new))]
    if fits:
        return _answered(talk, thread, said._replace(meaning=inner))
    if isinstance(meaning, m.Approve) and talk.partner.proposed(thread.person):
        return to_proposal(talk, thread, said)  # that was asked, too, and nothing else by a yes
    return _about_question(talk, thread, asking, said)


def _answered(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """Take an answer to the question; a doubtful one is read back first."""
    if said.certainty == Certainty.UNLIKELY:
        return clarification.rephrase(talk, thread, said.meaning)
    if said.certainty < Certainty.LIKELY:
        words = f"Do you mean: {talk.wording.sentence(said.meaning)}{no_place(said.missing)}"
        return [Confirm(said.meaning, words, [effects.reply(said.meaning)])]
    return [effects.reply(said.meaning)]


def _about_question(talk: Conversation, thread: Thread, asking: Interaction, said: Said) -> Effects:
    meaning = said.meaning
    undoes = isinstance(meaning, m.Forget) and not meaning.label and asking.pending is None
    if undoes and (taken := correction.take_back_answer(talk, thread, asking)):
        return taken
    if isinstance(meaning, m.Refuse) or _leaves(meaning):
        return leave_question(asking)
    if isinstance(meaning, m.Steer) and meaning.how == "cancel" and asking.lists(meaning.what):
        return _answered(talk, thread, said._replace(meaning=m.Things(((meaning.what, 0),))))
    if m.cancels_all(meaning):
        return [*leave_question(asking), effects.take(said)]
    if isinstance(meaning, (m.Approve, *ANSWERS)):
        example = asking.question.example
        return [f"That does not answer what I asked{f'; say for example: {example}' if example else ''}."]
    if isinstance(meaning, m.Correct):
        return correction.correct(talk, thread, said)
    return _IDLE.get(type(meaning), change)(talk, thread, said)


def leave_question(asking: Interaction) -> Effects:
    """Drop a question; "leave the lesson" drops also what was asked about it."""
    while asking.outer is not None and asking.outer.right and not asking.right:
        asking = asking.outer
    return [effects.leave(asking), f"All right; I leave {asking.name}."]


def _leaves(meaning: Meaning) -> bool:
    """True if a person wants to drop what is being asked: "cancel", "forget it"."""
    return meaning == m.Steer("cancel") or (isinstance(meaning, m.Forget) and not meaning.label)


# -- the table --------------------------------------------------------------------------------------------------------
ALWAYS: dict[type[Meaning], Handler] = {
    m.Stop: stop,
    m.Ask: answer,
    m.Greet: lambda talk, thread, said: [greeting(thread.person, said.meaning)],
    m.Repeat: lambda talk, thread, said: [thread.last_said or "I have not said anything to you yet."],
    m.Remark: lambda talk, thread, said: ["All right."],
    m.Unknown: clarification.unknown,
    m.Ambiguous: clarification.ambiguous,
}
_IDLE: dict[type[Meaning], Handler] = {
    **ALWAYS,
    **dict.fromkeys(CHANGES, change),
    m.Teach: teach,
    m.Forget: forget,
    **dict.fromkeys((m.Approve, m.Refuse), yes_or_no),
    **dict.fromkeys((m.Correct, m.Things, m.Somewhere, m.Number), bare_answer),
    **dict.fromkeys((m.Nothing, m.Show), lambda talk, thread, said: ["I did not ask anything. What do you mean?"]),
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
        **dict.fromkeys((m.Approve, m.Refuse), confirmed),
    },
    State.ASKING: {**dict.fromkeys(_IDLE, in_question), **ALWAYS},
}
