"""Correction: a person revises or undoes something they said; their own act, and none of anybody else.

The last act that a correction can be about is meant. Where that is not the very last one, or is done, called off, or
waits for an answer, what would become of it is read back before it is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.clarification import incomplete
from coterie.mission.dialogue.conversation import Deed, Interaction, Said, Thread
from coterie.mission.dialogue.effects import Confirm, Conversation, Effects, act, again, ask, call, effect, leave, take
from coterie.mission.dialogue.listening import Certainty
from coterie.mission.dialogue.reference import names_in
from coterie.talk import meanings as m
from coterie.talk.checking import CLAIMS, PLACES, WANTS, place_of
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording, upper

#: Meanings that "undo that" can be about, where it is no lesson.
DEEDS = (m.Order, m.Tell, m.Zone, m.Permit, m.Steer, m.Stop, m.Approve, m.Refuse)
COUNTED = (m.KIT, m.STOCK)
ROWS: dict[type[Meaning], str] = {m.Order: "wants", m.Tell: "claims"}  # the part that holds several


@effect
def undo(talk: Conversation, thread: Thread, deed: Deed) -> str:
    """Undo the effect of an act."""
    done = talk.partner.fate(deed, thread.person).done
    _undo(thread, deed)
    thread.did(Deed(m.Refuse()))
    if done:
        return f"{upper(done)} is done already, and stays. Say what you want instead."
    words = f"All right, I take that back: {talk.wording.sentence(deed.meaning)}"
    if isinstance(deed.instead, m.Tell):  # what was told first is so again
        talk.partner.act(thread, deed.instead)
        return f"{words} So it is as you said before: {talk.wording.sentence(deed.instead)}"
    return words


def undo_last(wording: Wording, deed: Deed) -> Confirm:
    """The confirmation to ask before an act is undone that may not be meant."""
    words = f"Do you want me to undo the last thing that you said: {wording.sentence(deed.meaning)}"
    return Confirm(m.Forget(), words, [undo(deed)])


def _undo(thread: Thread, deed: Deed) -> None:
    """Undo an act without recording the undoing as another act."""
    left = [d for d in thread.deeds if d is not deed]
    deed.undo(deed)
    thread.deeds = left


@effect
def rather(talk: Conversation, thread: Thread, old: Deed, new: Meaning) -> str:
    """Do something instead of an act; its effect on the world stays. What is refused, cannot be done or has to be
    asked about first leaves the act as it was."""
    if (asks := incomplete(talk, new, lambda whole: [rather(old, whole)])) is not None:
        return ask(asks)(talk, thread)
    fate = talk.partner.fate(old, thread.person)
    try:
        talk.partner.possible(thread, new, old)
    except CoterieError as err:
        stays = "" if fate.done or fate.gone else f" So this stays as it was: {talk.wording.sentence(old.meaning)}"
        raise CoterieError(f"{err}{stays}") from err
    doubt = talk.partner.doubts(thread, new) if not fate.rests else None  # a stop is not minded: it holds
    if doubt is not None:
        return replace(doubt, then=[_replaced(old, doubt.then)], replaces=old)(talk, thread)
    return _replaced(old, [act(new)], fate.rests)(talk, thread)


@effect
def _replaced(talk: Conversation, thread: Thread, old: Deed, effects: Effects, rests: bool = False) -> str:
    """Undo an act and do something in its place, which is paused if the act was."""
    _undo(thread, old)
    before, words = thread.last, talk.perform(thread, effects)
    if thread.last is None or thread.last is before:
        return words
    thread.deeds[0] = replace(thread.last, instead=old.meaning)
    return words + talk.partner.rest(thread) if rests else words


# -- taking back ------------------------------------------------------------------------------------------------------
def take_back(talk: Conversation, thread: Thread) -> Effects:
    """ "Undo that", of the person's last act; nothing where it is about a lesson."""
    last = thread.last
    if last is None or not isinstance(last.meaning, DEEDS):
        return []
    if isinstance(last.meaning, m.Refuse) and not last.goals:
        return ["I have taken that back already. To undo a lesson, say forget and its name."]
    if thread.spoken > last.turn + 1:  # something else was said in between, which may be meant
        return [undo_last(talk.wording, last)]
    if not isinstance(last.instead, m.Order) or thread.asking is not None:
        return [undo(last)]
    words = f"Do you want again what you said before: {talk.wording.sentence(last.instead)}"
    return [undo(last), Confirm(last.instead, words)]


def take_back_answer(talk: Conversation, thread: Thread, asking: Interaction) -> Effects:
    """ "Undo that" while something is asked, as in a lesson: what its speaker did meanwhile, or else the last answer.
    Nothing where there is neither: that is about the lesson itself."""
    marks = (m.Refuse(), m.Forget())  # that something was undone
    deed = next((d for d in thread.deeds if d.goals or d.meaning not in marks), None)
    if deed is not None and deed.turn > asking.turn:
        taught = isinstance(deed.meaning, (m.Teach, m.Forget))
        return [act(m.Forget()) if taught else undo(deed), f"I go on with {asking.name}."]
    if not asking.answers:
        return []
    last = talk.wording.sentence(asking.answers[-1])

    def back() -> str:
        asking.back()
        return f"All right, I take that back: {last} I go on with {asking.name}; to leave it, say: Leave the lesson."

    return [call(back)]


# -- correction -------------------------------------------------------------------------------------------------------
def correct(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """Correct the last utterance. A bare answer to nothing, and what a model has read, is read back first."""
    meaning = said.meaning
    bare = not isinstance(meaning, m.Correct) or said.certainty < Certainty.PLAIN
    instead, wrong = (meaning.instead, meaning.wrong) if isinstance(meaning, m.Correct) else (meaning, "")
    if (refused := _refused(talk, thread, instead)) is not None:
        return [Confirm(refused) if bare else take(Said(refused))]
    found = _meant(talk, thread, instead, wrong)
    if found is None:
        return _nothing_to_correct(talk, thread, instead, wrong)
    old, new = found
    others = isinstance(instead, m.Order) and {w.what for w in instead.wants} - set(names_in(old.meaning))
    if others and any(map(talk.partner.under_way, others)):  # another person's order may be meant
        return _nothing_to_correct(talk, thread, instead, wrong)
    if isinstance(new, m.Stop):  # "No, Spot": at once, and the one that was stopped first stands still, too
        return [act(new)]
    fate = talk.partner.fate(old, thread.person)
    if isinstance(new, m.Order) and new == old.meaning and not fate.done and not fate.gone:
        return _same_again(talk, new)
    moved = [d for d in thread.deeds if getattr(d.meaning, "how", "") not in ("pause", "resume")]
    last = next((d for d in moved if not isinstance(d.meaning, m.Stop)), None)  # a stop of theirs changed no order
    open_ = bool(talk.partner.proposed(thread.person))
    other = old is not last and old is not thread.last
    doubtful = bare or other or open_ or unsure(old.meaning, instead) or thread.unclear_since(old)
    if doubtful or fate.done or fate.gone:
        return read_back(talk, thread, old, new)
    return [rather(old, new)]


def correct_answer(talk: Conversation, asking: Interaction, meaning: m.Correct) -> Effects:
    """An answer in a lesson is corrected; nothing where the correction says nothing of any."""
    if not asking.answers:
        return []
    if meaning.wrong and not asking.named(meaning.wrong):
        some = talk.wording.some(meaning.wrong, 1)
        return [f"You have not said {some} before, so I change nothing. {asking.question.words}"]
    at = asking.about(meaning.instead, meaning.wrong)
    instead = in_place_of(asking.answers[at], meaning.instead, meaning.wrong)
    new = patched(asking.answers[at], instead, talk.partner.vocabulary)
    return [again(new, at)] if new is not None else []


def correct_read_back(talk: Conversation, thread: Thread, instead: Meaning) -> Effects:
    """Read back a pending confirmation as corrected; nothing where the correction does not apply to it."""
    asking = thread.asking
    new = patched(asking.passing, instead, talk.partner.vocabulary) if asking is not None and asking.passing else None
    if asking is None or new is None:
        return []
    if asking.replaces is not None and new == asking.replaces.meaning:
        return [leave(), f"All right, that stays as it is: {talk.wording.sentence(new)}"]
    return read_back(talk, thread, asking.replaces, new) if asking.replaces is not None else [Confirm(new)]


def _nothing_to_correct(talk: Conversation, thread: Thread, instead: Meaning, wrong: str) -> Effects:
    """The question where a correction is about nothing."""
    if wrong:
        name = talk.wording.name(wrong)
        return [f"You have said nothing with {name} that I could put right. Say what I should leave."]
    said = talk.wording.sentence(instead)
    if isinstance(instead, m.Order) and instead.wants:
        talk.partner.fits(instead)
        if no := talk.partner.turned_away(thread.person):
            return [no]
        leave_first = f"Say first what I should leave. To have it as well, say: {said}"
        return ["Instead of what?", act(m.Ask("goals")), leave_first]
    if isinstance(instead, m.Order):
        return ["I do not know what to do without them. Say a whole sentence, for example: Deliver it without Spot."]
    return [f"I did not ask anything, and do not know what to do with: {said} Say a whole sentence."]


def _meant(talk: Conversation, thread: Thread, instead: Meaning, wrong: str) -> tuple[Deed, Meaning] | None:
    """The last act that a correction can be about, one of the same thing first, and what it should have been."""
    deeds = [d for d in thread.deeds if not wrong or wrong in names_in(d.meaning)]
    same = [d for d in deeds if same_thing(d.meaning, instead)]
    for deed in (*same, *deeds):
        new = patched(deed.meaning, kept(deed.meaning, instead, wrong), talk.partner.vocabulary)
        if new is not None:
            return deed, as_many(deed.meaning, new)
    return None


def _refused(talk: Conversation, thread: Thread, instead: Meaning) -> Meaning | None:
    """The order that this person was just refused, as it should have been: "Sorry, I meant Spot." """
    turn, order, _ = thread.refused or (0, None, "")
    whole = isinstance(instead, m.Order) and not instead.wants
    if order is None or turn + 1 != thread.spoken or whole:
        return None
    new = patched(order, instead, talk.partner.vocabulary)
    return as_many(order, new) if new is not None else None


def the_one(talk: Conversation, thread: Thread, order: m.Order) -> Effects:
    """A person orders "the medkit" and one is on its way: that one, or another? Nothing where none is."""
    want = order.wants[0] if len(order.wants) == 1 and not order.when else None
    if want is None or not want.definite:
        return []
    mine = [d for d in thread.deeds if same_thing(d.meaning, order) and d.goals]
    fates = [(d, talk.partner.fate(d, thread.person)) for d in mine]
    found = [d for d, fate in fates if not fate.done and not fate.gone]
    said = talk.wording.sentence(replace(order, robots=(), without=()))
    another = f"For another one, say: {said.replace(' a ', ' another ', 1)}"
    if not found:  # another person's may be meant
        others, off = talk.partner.under_way(want.what), talk.wording.sentence(m.Steer("cancel", want.what))
        elsewhere = f"Under way is {others}. To have that elsewhere, say first: {off}"
        return [elsewhere, another] if others else []
    if len(found) > 1:
        rows = " ".join(talk.wording.sentence(d.meaning) for d in found)
        return [f"You have ordered that more than once: {rows} Say first which I should leave.", another]
    new = patched(found[0].meaning, order, talk.partner.vocabulary)
    if new is None or new == found[0].meaning:
        return [f"That is under way already: {talk.wording.sentence(found[0].meaning)}", another]
    return [*read_back(talk, thread, found[0], new), another]


def read_back(talk: Conversation, thread: Thread, old: Deed, new: Meaning) -> Effects:
    """Read a correction back, with what it stands in for, and do it at a yes."""
    fate, lead = talk.partner.fate(old, thread.person), ""
    if fate.done:
        lead = f"{upper(fate.done)} is done already, and stays. "
    elif fate.gone:
        lead = f"{fate.gone.capitalize()} {'have' if fate.gone == 'you' else 'has'} called that off. "
    if new == old.meaning and not lead:
        return _same_again(talk, new)
    clear = old is thread.last and not isinstance(new, m.Order)
    more = "" if clear else f" That is instead of: {talk.wording.sentence(old.meaning)}"
    return [Confirm(new, f"{lead}Do you mean: {talk.wording.sentence(new)}{more}", [rather(old, new)], old)]


def _same_again(talk: Conversation, meaning: Meaning) -> Effects:
    """Nothing is offered instead of itself: what is wanted is asked."""
    said = talk.wording.sentence(meaning)
    return [f"That is what you said already: {said} To have something else, say it. To leave it, say: Undo that."]


# -- what a meaning should have been: "no, two", "I meant table C", "make it three" -----------------------------------
def rows_of(meaning: Meaning) -> tuple[Any, ...]:
    """The wants or claims of a meaning."""
    return getattr(meaning, ROWS.get(type(meaning), ""), ())


def patched(old: Meaning, instead: Meaning, vocabulary: Vocabulary) -> Meaning | None:
    """The old meaning as it should have been; None where the correction says nothing of it."""
    if isinstance(instead, m.Order) and not instead.wants:  # by whom, or without whom, it is to be done
        if not isinstance(old, m.Order) or not old.wants:
            return None
        if instead.robots:
            return replace(old, robots=instead.robots)
        left = tuple(r for r in old.robots if r not in instead.without)
        return replace(old, robots=left, without=tuple(dict.fromkeys((*old.without, *instead.without))))
    if isinstance(instead, m.Order) and isinstance(old, m.Order) and same_thing(old, instead):
        new = instead.wants[0]
        wants = tuple(replace(new, where=new.where or w.where) if _same(w, new) else w for w in old.wants)
        return replace(instead, wants=wants, robots=instead.robots or old.robots)
    if isinstance(instead, (m.Order, m.Tell, m.Alter, m.Policy)):
        return instead if type(instead) is type(old) else None
    if isinstance(old, (m.Order, m.Tell)) and rows_of(old):
        is_robot = vocabulary.kind_of(getattr(instead, "where", "")) == "robot"
        if isinstance(old, m.Order) and isinstance(instead, m.Somewhere) and is_robot:
            return replace(old, robots=(instead.where,))
        rows = _one_of(rows_of(old), instead, vocabulary)
        return None if rows is None else replace(old, **{ROWS[type(old)]: rows})  # type: ignore[arg-type]
    if isinstance(old, (m.Stop, m.Steer, m.Zone, m.Permit, m.Policy, m.Alter)):
        return _put(old, instead, vocabulary)
    if isinstance(old, m.Things):
        if isinstance(instead, m.Number) and old.items:
            return replace(old, items=(*old.items[:-1], (old.items[-1][0], instead.count)))
        return _listed(old, instead) if isinstance(instead, m.Things) else None
    return instead if type(instead) is type(old) else None


def as_many(old: Meaning, new: Meaning) -> Meaning:
    """An order with as many of each thing as another one had, where it names no other number than one."""
    if not isinstance(old, m.Order) or not isinstance(new, m.Order):
        return new
    rows = [next((o for o in old.wants if _same(o, w) and w.kind in COUNTED), w) for w in new.wants]
    moved = [w.count == 1 and w.where != o.where for w, o in zip(new.wants, rows)]
    wants = [replace(w, count=o.count) if there else w for w, o, there in zip(new.wants, rows, moved)]
    return replace(new, wants=tuple(wants))


def kept(old: Meaning, instead: Meaning, wrong: str) -> Meaning:
    """The order with one part replaced and the rest kept: "a woundkit instead of a medkit"."""
    if not wrong or not isinstance(old, m.Order) or not isinstance(instead, m.Order) or len(instead.wants) != 1:
        return instead
    want = instead.wants[0]
    row = next((w for w in old.wants if wrong in (w.what, w.where) and w.kind == want.kind), None)
    if row is None:
        return instead
    put = replace(want, where=want.where or (row.where if row.where != wrong else ""))
    robots = instead.robots or old.robots
    return replace(instead, wants=tuple(put if w is row else w for w in old.wants), robots=robots, without=old.without)


def in_place_of(old: Meaning, instead: Meaning, wrong: str) -> Meaning:
    """A list in which one thing stands in the place of another; as many, where no other number is said."""
    if not isinstance(old, m.Things) or not isinstance(instead, m.Things) or wrong not in dict(old.items):
        return instead
    rows = [(n, c if c != 1 else dict(old.items)[wrong]) for n, c in instead.items]
    items = [r for name, count in old.items for r in (rows if name == wrong else [(name, count)])]
    return m.Things(tuple(items), (*old.unknown, *instead.unknown))


def as_it_stands(answers: Sequence[Meaning]) -> Sequence[Meaning]:
    """The list as it stands, each thing with its last count and none that was taken out; other answers as they are."""
    lists = [x for x in answers if isinstance(x, m.Things)]
    if len(lists) != len(answers):
        return answers
    counts = {name: count for x in lists for name, count in x.items}
    unknown = tuple(dict.fromkeys(word for x in lists for word in x.unknown if counts.get(word, 1)))
    return [m.Things(tuple((name, count) for name, count in counts.items() if count), unknown)]


def _listed(old: m.Things, instead: m.Things) -> m.Things:
    """A list in which things are as many as is said now; another list, where one of them does not stand in it."""
    counts = dict(old.items)
    if instead.unknown or not {name for name, _ in instead.items} <= counts.keys() or len(counts) <= 1:
        return instead
    return replace(old, items=tuple({**counts, **dict(instead.items)}.items()))


def same_thing(old: Meaning, instead: Meaning) -> bool:
    """True if an order is of one thing that stands once in another, too: "the medkit should go to gamma"."""
    if isinstance(old, m.Order) and isinstance(instead, m.Things) and _one(instead):
        return sum(w.what == instead.items[0][0] for w in old.wants) == 1
    if not isinstance(old, m.Order) or not isinstance(instead, m.Order) or len(instead.wants) != 1:
        return False
    want = instead.wants[0]
    return bool(want.what) and want.kind in COUNTED and sum(_same(w, want) for w in old.wants) == 1


def _same(row: Any, want: Any) -> bool:
    return bool(row.kind == want.kind and row.what == want.what)


def _one_of(rows: tuple[Any, ...], instead: Meaning, vocabulary: Vocabulary) -> tuple[Any, ...] | None:
    """Several wants or claims, one of them put right: the one that names the same thing, or else the last."""
    same = [i for i, row in enumerate(rows) if isinstance(instead, m.Things) and _one(instead)
            and row.what == instead.items[0][0]]  # fmt: skip
    at = same[0] if len(same) == 1 else len(rows) - 1
    row = _put(rows[at], instead, vocabulary)
    return None if row is None else (*rows[:at], row, *rows[at + 1 :])


def unsure(old: Meaning, instead: Meaning) -> bool:
    """True if a correction may be about more than one part of what was said."""
    if isinstance(old, m.Order) and isinstance(instead, m.Order):  # something of quite another kind
        return not {w.kind for w in old.wants} & {w.kind for w in instead.wants}
    rows = rows_of(old)
    named = isinstance(instead, m.Things) and _one(instead) and sum(r.what == instead.items[0][0] for r in rows) == 1
    return len(rows) > 1 and not named and isinstance(instead, (m.Things, m.Number, m.Somewhere))


def _put(old: Any, instead: Meaning, vocabulary: Vocabulary) -> Any:
    """A meaning, a want or a claim with another name or number in it; None where nothing like that stands in it."""
    if isinstance(instead, m.Number):
        counted = isinstance(old, m.Alter) or getattr(old, "kind", "") in COUNTED
        return replace(old, count=instead.count) if counted else None
    name = instead.where if isinstance(instead, m.Somewhere) else ""
    name = instead.items[0][0] if isinstance(instead, m.Things) and _one(instead) else name
    slot = _slot(old, vocabulary.kind_of(name), isinstance(instead, m.Things))
    if not slot:
        return None
    new: dict[str, Any] = {slot: (name,) if slot == "robots" else name}
    if isinstance(instead, m.Things) and isinstance(old, (m.Alter, m.Want, m.Claim)) and slot in ("what", "item"):
        said = instead.items[0][1]
        new["count"] = said if said != 1 else old.count  # one may just be its article
    return replace(old, **new)


def _slot(old: Any, kind: str, counted: bool) -> str:
    """The part of something in which a name of some kind stands; empty where there is none. What was counted is no
    place."""
    if isinstance(old, (m.Want, m.Claim)):
        parts = (WANTS if isinstance(old, m.Want) else CLAIMS).get(old.kind, {})
        from_them = isinstance(old, m.Want) and (old.kind, kind) == (m.STOCK, "person")
        there = kind in PLACES or old.kind == m.SUPPLY
        fits = [p for p, of in parts.items() if kind in of.kinds and (p == "what" or (there and not counted))]
        return "source" if from_them and not counted else next(iter(fits), "")
    slot = "robots" * (kind == "robot") if isinstance(old, m.Stop) else place_of(old, kind)
    return slot if slot and (getattr(old, slot) or isinstance(old, m.Zone)) else ""


def _one(instead: Meaning) -> bool:
    return isinstance(instead, m.Things) and len(instead.items) == 1 and not instead.unknown
