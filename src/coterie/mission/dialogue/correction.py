"""Correction: something that somebody said is put right or taken back; their own deed, and none of anybody else.

The last deed that a correction can be about is meant. Where that is not the very last one, or is done, called off, or
waits for an answer, what would become of it is read back before it is touched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.asking import Interaction
from coterie.mission.dialogue.clarification import incomplete
from coterie.mission.dialogue.conversation import Conversation, Said, leave_confirmation
from coterie.mission.dialogue.counterpart import Fate
from coterie.mission.dialogue.patches import as_many, in_place_of, kept, part_of, patched, same_thing, unsure
from coterie.mission.dialogue.reference import names_in
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.dialogue.utterance import Certainty
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import listed, upper

#: What "undo that" is about, where it is no lesson.
DEEDS = (m.Order, m.Tell, m.Zone, m.Permit, m.Steer, m.Stop, m.Approve, m.Refuse)


# -- taking back ------------------------------------------------------------------------------------------------------
def take_back(talk: Conversation, thread: Thread) -> str | None:
    """ "Undo that", of what somebody has just done; None where it is about a lesson."""
    last = thread.last
    if last is None or not isinstance(last.meaning, DEEDS):
        return None
    if isinstance(last.meaning, m.Refuse) and not last.goals:
        return "I have taken that back already. To undo a lesson, say forget and its name."
    if thread.spoken > last.turn + 1:  # something else was said in between, which may be meant
        words = f"Do you want me to undo the last thing that you said: {talk.wording.sentence(last.meaning)}"
        return talk.confirm(thread, m.Forget(), lambda: undone(talk, thread, last), words)
    words = undone(talk, thread, last)
    if not isinstance(last.instead, m.Order) or thread.asking is not None:
        return words
    before = f" Do you want again what you said before: {talk.wording.sentence(last.instead)}"
    return talk.confirm(thread, last.instead, None, f"{words}{before}")


def take_back_answer(talk: Conversation, thread: Thread, asking: Interaction) -> str | None:
    """ "Undo that" while something is asked, as in a lesson: what its speaker did meanwhile, or else the last answer.
    None where there is neither: that is about the lesson itself."""
    deed = next((d for d in thread.deeds if not _mark_of_undoing(d)), None)
    if deed is not None and deed.turn > asking.turns[-1]:
        taught = isinstance(deed.meaning, (m.Teach, m.Forget))
        words = talk.partner.act(thread, m.Forget()) if taught else undone(talk, thread, deed)
        return f"{words} I go on with {asking.name}."
    if not asking.answers:
        return None
    last = talk.wording.sentence(asking.back())
    return f"All right, I take that back: {last} I go on with {asking.name}; to leave it, say: Leave the lesson."


def undone(talk: Conversation, thread: Thread, last: Deed) -> str:
    """What came of a deed is taken back."""
    done = talk.partner.fate(last, thread.person).done
    _undo(talk, thread, last)
    thread.did(Deed(m.Refuse()))
    if done:
        return f"{upper(done)} is done already, and stays. Say what you want instead."
    words = f"All right, I take that back: {talk.wording.sentence(last.meaning)}"
    if isinstance(last.instead, m.Tell):  # what was told first is so again
        talk.partner.act(thread, last.instead)
        return f"{words} So it is as you said before: {talk.wording.sentence(last.instead)}"
    return f"{words}{talk.partner.restored(thread, last)}" if last.called_off else words


def _undo(talk: Conversation, thread: Thread, deed: Deed) -> None:
    """What takes a deed back is no deed of its own: to undo twice does nothing again."""
    left = [d for d in thread.deeds if d is not deed]
    talk.partner.undo(thread, deed)
    thread.deeds = left


def _mark_of_undoing(deed: Deed) -> bool:
    meaning = deed.meaning
    return (isinstance(meaning, m.Refuse) and not deed.goals) or (isinstance(meaning, m.Forget) and not meaning.label)


# -- putting right ----------------------------------------------------------------------------------------------------
def correct(talk: Conversation, thread: Thread, said: Said) -> str:
    """What was said last is put right. A bare answer to nothing, and what a model has read, is read back first."""
    meaning = said.meaning
    bare = not isinstance(meaning, m.Correct) or said.certainty < Certainty.PLAIN
    instead, wrong = (meaning.instead, meaning.wrong) if isinstance(meaning, m.Correct) else (meaning, "")
    refused = _refused(talk, thread, instead)
    if refused is not None:
        return talk.confirm(thread, refused) if bare else talk.take(thread, Said(refused))
    words = _steered(talk, thread, instead, bare)
    if words:
        return words
    found = _meant(talk, thread, instead, wrong)
    if isinstance(instead, m.Order) and instead.wants and not instead.when:
        words = _of_others(talk, thread, instead, found, wrong)
        if words:
            return words
    if found is None:
        return _nothing_to_correct(talk, thread, instead, wrong)
    old, new = found
    held = part_of(thread.last.meaning, instead, talk.partner.vocabulary) if thread.last is not None else None
    if held is not None and old is not thread.last:
        return _held(talk, *held)
    fate = talk.partner.fate(old, thread.person)
    if isinstance(new, m.Order) and new == old.meaning and not fate.done and not fate.gone:
        return _same_again(talk, new)
    last = next((d for d in thread.deeds if not _rests(d.meaning)), None)  # a stop of theirs changed no order
    open_ = bool(talk.partner.proposed(thread.person))
    doubtful = bare or old is not last or open_ or unsure(old.meaning, instead) or thread.unclear_since(old)
    if doubtful or fate.done or fate.gone:
        return read_back(talk, thread, old, new)
    return do_instead(talk, thread, old, new)


def correct_answer(talk: Conversation, thread: Thread, asking: Interaction, meaning: m.Correct) -> str | None:
    """An answer in a lesson is put right; None where the correction says nothing of any."""
    if not asking.answers:
        return None
    if meaning.wrong and not asking.named(meaning.wrong) and asking.question is not None:
        some = talk.wording.some(meaning.wrong, 1)
        return f"You have not said {some} before, so I change nothing. {asking.question.words}"
    at = asking.about(meaning.instead, meaning.wrong)
    rather = in_place_of(asking.answers[at], meaning.instead, meaning.wrong)
    new = patched(asking.answers[at], rather, talk.partner.vocabulary)
    if new is None:
        return None
    asking.again(new, at)
    return talk.go_on(thread, asking)


def correct_read_back(talk: Conversation, thread: Thread, asking: Interaction, instead: Meaning) -> str | None:
    """What was read back is read back as it should have been; None where the correction says nothing of it."""
    assert asking.passing is not None
    new = patched(asking.passing, instead, talk.partner.vocabulary)
    if new is None:
        return None
    if asking.redo is not None:
        return asking.redo(new)
    if asking.replaces is not None and new == asking.replaces.meaning:
        leave_confirmation(thread)
        return f"All right, that stays as it is: {talk.wording.sentence(new)}"
    if asking.replaces is not None:
        return read_back(talk, thread, asking.replaces, new)
    return talk.confirm(thread, new)


def _nothing_to_correct(talk: Conversation, thread: Thread, instead: Meaning, wrong: str) -> str:
    if wrong:
        name = talk.wording.name(wrong)
        return f"You have said nothing with {name} that I could put right. Say what I should leave."
    held = part_of(thread.last.meaning, instead, talk.partner.vocabulary) if thread.last is not None else None
    if held is not None:
        return _held(talk, *held)
    if isinstance(instead, m.Order) and not instead.wants:
        return "I do not know what to do without them. Say a whole sentence, for example: Deliver it without Spot."
    if isinstance(instead, m.Order):
        return talk.take(thread, Said(instead))
    doubt = talk.partner.instead(thread, instead, True)
    if doubt:
        return doubt if isinstance(doubt, str) else talk.confirm_doubt(thread, doubt)
    said = talk.wording.sentence(instead)
    return f"I did not ask anything, and do not know what to do with: {said} Say a whole sentence."


def _meant(talk: Conversation, thread: Thread, instead: Meaning, wrong: str) -> tuple[Deed, Meaning] | None:
    """The last deed that a correction can be about, and what it should have been. What is named as wrong stands in it,
    and what names the same thing comes before what does not."""
    deeds = [d for d in thread.deeds if not wrong or wrong in names_in(d.meaning)]
    same = [d for d in deeds if same_thing(d.meaning, instead)]
    for deed in (*same, *deeds):
        new = patched(deed.meaning, kept(deed.meaning, instead, wrong), talk.partner.vocabulary)
        if new is not None:
            return deed, as_many(deed.meaning, new)
    return None


def _refused(talk: Conversation, thread: Thread, instead: Meaning) -> Meaning | None:
    """What somebody has just ordered in vain, as it should have been: "Sorry, I meant Spot." """
    turn, order = thread.refused or (0, None)
    whole = isinstance(instead, m.Order) and not instead.wants
    if order is None or turn + 1 != thread.spoken or whole:
        return None
    new = patched(order, instead, talk.partner.vocabulary)
    return as_many(order, new) if new is not None else None


def _of_others(
    talk: Conversation, thread: Thread, order: m.Order, found: tuple[Deed, Meaning] | None, wrong: str
) -> str:
    """An order instead of what somebody else wants. What its speaker has ordered of the same thing, and is not over,
    comes first; empty where it is about that, or about nothing of anybody."""
    if found is not None and {w.what for w in order.wants} & set(names_in(found[0].meaning)):
        fate = talk.partner.fate(found[0], thread.person)
        if not fate.done and not fate.gone:
            return ""
    return _instead_of(talk, thread, order, found is not None, wrong)


def _instead_of(talk: Conversation, thread: Thread, order: m.Order, same: bool, wrong: str) -> str:
    def whole(meaning: Meaning) -> str:
        assert isinstance(meaning, m.Order)
        return _instead_of(talk, thread, meaning, same, wrong) or talk.take(thread, Said(meaning))

    asks = incomplete(talk, order, whole) if not same else None
    if asks is not None:
        return talk.ask(thread, asks)
    doubt = talk.partner.instead(thread, order, same, wrong)
    if isinstance(doubt, str):
        return doubt
    words = talk.confirm_doubt(thread, doubt)
    if thread.asking is not None:
        thread.asking.redo = whole
    return words


def the_one(talk: Conversation, thread: Thread, order: m.Order) -> str:
    """What is asked where somebody orders "the medkit" and one is on its way: that one, or another? Empty where none
    is."""
    want = order.wants[0] if len(order.wants) == 1 and not order.when else None
    if want is None or not want.definite:
        return ""
    mine = [d for d in thread.deeds if same_thing(d.meaning, order) and d.goals]
    fates = [(d, talk.partner.fate(d, thread.person)) for d in mine]
    found = [d for d, fate in fates if not fate.done and not fate.gone]
    said = talk.wording.sentence(replace(order, robots=(), without=()))
    another = f"For another one, say: {said.replace(' a ', ' another ', 1)}"
    if not found:  # that of somebody else may be meant
        doubt = talk.partner.instead(thread, order, True)
        if isinstance(doubt, str):
            return f"{doubt} {another}" if doubt else ""
        return talk.confirm_doubt(thread, doubt._replace(words=f"{doubt.words} {another}"))
    if len(found) > 1:
        rows = " ".join(talk.wording.sentence(d.meaning) for d in found)
        return f"You have ordered that more than once: {rows} Say first which I should leave. {another}"
    new = patched(found[0].meaning, order, talk.partner.vocabulary)
    if new is None or new == found[0].meaning:
        return f"That is under way already: {talk.wording.sentence(found[0].meaning)} {another}"
    return f"{read_back(talk, thread, found[0], new)} {another}"


def read_back(talk: Conversation, thread: Thread, old: Deed, new: Meaning) -> str:
    """What a correction makes of something is done at a yes, and what it stands in for is said."""
    lead = _fate(talk.partner.fate(old, thread.person))
    if new == old.meaning and not lead:
        return _same_again(talk, new)
    clear = old is thread.last and not isinstance(new, m.Order)
    more = "" if clear else f" That is instead of: {talk.wording.sentence(old.meaning)}"
    words = f"{lead}Do you mean: {talk.wording.sentence(new)}{more}"
    return talk.confirm(thread, new, lambda: do_instead(talk, thread, old, new), words, old)


def do_instead(talk: Conversation, thread: Thread, old: Deed, new: Meaning) -> str:
    """Something is done instead of a deed; what that has made of the world stays. What is refused, cannot be done or
    has to be asked about first leaves the deed as it was."""
    asks = incomplete(talk, new, lambda whole: do_instead(talk, thread, old, whole))
    if asks is not None:
        return talk.ask(thread, asks)
    fate = talk.partner.fate(old, thread.person)
    try:
        talk.partner.possible(thread, new, old)
    except CoterieError as err:
        stays = "" if fate.done or fate.gone else f" So this stays as it was: {talk.wording.sentence(old.meaning)}"
        raise CoterieError(f"{err}{stays}") from err
    doubt = talk.partner.doubts(thread, new) if not fate.rests else None  # a stop is not minded: it holds
    if doubt is not None:
        then = doubt.then
        return talk.confirm(thread, new, lambda: _replace(talk, thread, old, then), doubt.words, old)
    return _replace(talk, thread, old, lambda: talk.partner.act(thread, new), fate.rests)


def _replace(talk: Conversation, thread: Thread, old: Deed, act: Callable[[], str], rests: bool = False) -> str:
    _undo(talk, thread, old)
    before, reply = thread.last, act()
    if thread.last is not None and thread.last is not before:
        thread.replaces(old.meaning)
        return reply + talk.partner.rest(thread) if rests else reply
    return reply


def _same_again(talk: Conversation, meaning: Meaning) -> str:
    """Nothing is offered instead of itself: what is wanted is asked."""
    want = meaning.wants[0] if isinstance(meaning, m.Order) and len(meaning.wants) == 1 else None
    placed = want is not None and want.kind in (m.KIT, m.STOCK)
    off = talk.wording.sentence(m.Steer("cancel", want.what)) if want is not None and placed else "Undo that."
    said = talk.wording.sentence(meaning)
    return f"That is what you said already: {said} To have something else, say it. To leave it, say: {off}"


def _held(talk: Conversation, kit: str, thing: str, count: int) -> str:
    """A kit was ordered, and somebody says how many of a thing: that may be about the kit, or be another order."""
    w = talk.wording
    alter, word = w.sentence(m.Alter(kit, "set", thing, count)), w.some(thing, count)
    order = w.sentence(m.Order((m.Want(m.STOCK, thing, "", count),)))
    lead = f"You have ordered {w.name(kit)}."
    return f"{lead} To have {word} in it, say: {alter} To have {word} brought as well, say: {order}"


# -- what was steered -------------------------------------------------------------------------------------------------
def _steered(talk: Conversation, thread: Thread, instead: Meaning, bare: bool) -> str:
    """ "No, I meant the feverkit", of what was paused, stopped or put first: that is as it was, and the other one is.
    Empty where it is about something else."""
    last = thread.last
    if last is not None and isinstance(last.meaning, m.Stop):
        return _stopped(talk, thread, last.meaning, instead)
    new = _other(last.meaning, instead, talk.partner.vocabulary) if last is not None else None
    if last is None or new is None or new == last.meaning:
        return ""
    said, old = talk.wording.sentence(new), talk.wording.sentence(last.meaning)
    if new.how == "cancel":  # what was called off stays so
        return talk.confirm(thread, new, None, f"I have called that off: {old} Do you mean, as well: {said}")

    def rather() -> str:
        try:
            words = talk.partner.act(thread, new)
        except CoterieError as err:
            raise CoterieError(f"{err} So this stays as it was: {old}") from err
        _undo(talk, thread, last)
        return f"{words} I take this back: {old}"

    if bare or new.how == "resume" or last.turn + 1 != thread.spoken:
        return talk.confirm(thread, new, rather, f"Do you mean: {said} That is instead of: {old}", last)
    return rather()


def _stopped(talk: Conversation, thread: Thread, stop: m.Stop, instead: Meaning) -> str:
    """ "No, I meant Spot", of a robot that was stopped: that one stops, too."""
    robot = instead.where if isinstance(instead, m.Somewhere) else ""
    if not stop.robots or talk.partner.vocabulary.kind_of(robot) != "robot" or robot in stop.robots:
        return ""
    words = talk.partner.act(thread, m.Stop((robot,)))
    names = listed(list(stop.robots))
    return f"{words} {upper(names)} still {'stand' if len(stop.robots) > 1 else 'stands'}; say: {names}, continue."


def _other(old: Meaning, instead: Meaning, vocabulary: Vocabulary) -> m.Steer | None:
    """The same done to another thing, place or robot."""
    if not isinstance(old, m.Steer):
        return None
    if isinstance(instead, m.Things) and not instead.unknown and [count for _, count in instead.items] == [1]:
        return replace(old, what=instead.items[0][0], where="") if old.what or old.where else None
    if not isinstance(instead, m.Somewhere):
        return None
    if vocabulary.kind_of(instead.where) == "robot":
        return replace(old, robots=(instead.where,)) if old.robots else None
    return replace(old, where=instead.where) if old.where else None


def _rests(meaning: Meaning) -> bool:
    """Whether something was only halted by it, or let go on."""
    return isinstance(meaning, m.Stop) or (isinstance(meaning, m.Steer) and meaning.how in ("pause", "resume"))


def _fate(fate: Fate) -> str:
    """What has become of something that is to be put right."""
    if fate.done:
        return f"{upper(fate.done)} is done already, and stays. "
    if fate.gone:
        return f"{fate.gone.capitalize()} {'have' if fate.gone == 'you' else 'has'} called that off. "
    return ""
