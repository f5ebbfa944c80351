"""The alternatives of the grammar, each with its meaning: a value that is always the same, or one made of its parts.

A row that is made takes the reading and the parts of its alternative (names, numbers, what other rows made of them).
Alternatives that need more than that are methods of `reading.Reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Want
from coterie.talk.vocabulary import WHICH

IT, OTHER, THERE, HERE, ME, ALL = "@it", "@other", "@there", "@here", "@me", "@all"
SAME = "@same"  # one more of what was spoken of, where `IT` is that one itself
SO_MANY = "@so many"  # of what stands before it in the sentence
GOODS = ("kit", "item", "caddy")  # what is brought
PLACES = ("room", "table", "place")
Row = Callable[[Any, Sequence[Any]], Any]


class Name(str):
    """A name with its kind; for things, how many."""

    kind: str = ""
    many: int | None = None

    @property
    def so_many(self) -> int:
        """How many; one where no number was said. Zero is a number."""
        return 1 if self.many is None else self.many


def named(name: str, kind: str, count: int | None = None) -> Name:
    found = Name(name)
    found.kind, found.many = kind, count
    return found


def names(parts: Any) -> Iterator[Name]:
    """All names in what was read."""
    if isinstance(parts, Name):
        yield parts
    elif isinstance(parts, (list, tuple)):
        for part in parts:
            yield from names(part)


def flat(parts: Any) -> tuple[Any, ...]:
    """Parts of which some are several, one after the other."""
    return tuple(x for p in parts for x in (p if isinstance(p, tuple) else (p,)))


# -- parts of an alternative ------------------------------------------------------------------------------------------
def made(kind: Callable[..., Any], *values: Any, **fields: Any) -> Row:
    """A row that makes this kind of its parts: values are taken as they are, or picked by a row."""

    def make(reading: Any, parts: Sequence[Any]) -> Any:
        def value(x: Any) -> Any:
            return x(reading, parts) if callable(x) else x

        return kind(*map(value, values), **{name: value(x) for name, x in fields.items()})

    return make


def at(i: int) -> Row:
    """The part at a place, as a plain string if it is a name."""
    return lambda reading, parts: str(parts[i]) if isinstance(parts[i], str) else parts[i]


def part(i: int, missing: Any) -> Row:
    """The part at a place, where there is one."""
    return lambda reading, parts: parts[i] if len(parts) > i else missing


def of(*kinds: str) -> Row:
    """The first name of some kinds."""
    return lambda reading, parts: str(next((n for n in names(parts) if n.kind in kinds), ""))


def beside(*kinds: str) -> Row:
    """The first name of any other kind."""
    return lambda reading, parts: str(next((n for n in names(parts) if n.kind not in kinds), ""))


def first(reading: Any, parts: Sequence[Any]) -> str:
    return str(next(names(parts), ""))


def first_goods(reading: Any, parts: Sequence[Any]) -> str:
    name = next(names(parts), None)
    return str(name) if name is not None and name.kind in GOODS else ""


def robot(reading: Any, parts: Sequence[Any]) -> str:
    """The robot that is named; empty where all are meant."""
    return of("robot")(reading, parts).replace(ALL, "")


def called(reading: Any, parts: Sequence[Any]) -> str:
    """The robot that is named, which may be called like a verb."""
    return first(reading, parts) or str(reading.fetch_robot())


def robots(reading: Any, parts: Sequence[Any]) -> tuple[str, ...]:
    """The robots that are named; none where everybody is meant."""
    return tuple(str(n) for n in names(parts) if n.kind == "robot" and n and n != ALL)


def every(reading: Any, parts: Sequence[Any]) -> tuple[str, ...]:
    """The robots that are named, or `ALL`."""
    return tuple(str(n) for n in names(parts[0]) if n)


def together(*rows: Any) -> Row:
    """Several as one."""
    return lambda reading, parts: flat([row(reading, parts) if callable(row) else row for row in rows])


def things_of(value: Any) -> list[Name]:
    return [value] if isinstance(value, Name) else list(value)


def stock(things: int = 0, where: int | None = -1, holds: bool = True) -> Row:
    """That things are somewhere, or are not; none of a thing is that it is not there."""

    def make(reading: Any, parts: Sequence[Any]) -> tuple[Claim, ...]:
        place = str(parts[where]) if where is not None else ""
        some = [(t, holds and t.many != 0) for t in things_of(parts[things])]
        return tuple(Claim(m.STOCK, str(t), place, t.many if so else None, so) for t, so in some)

    return make


def supply(holds: bool) -> Row:
    return lambda reading, parts: tuple(
        Claim(m.SUPPLY, str(t), str(parts[0]), t.many if holds else None, holds) for t in things_of(parts[1])
    )


def wants(kind: str, things: int = 0, where: int | None = None, source: int | None = None) -> Row:
    """What is wanted of each of several things."""

    def make(reading: Any, parts: Sequence[Any]) -> tuple[Want, ...]:
        place, origin = (str(parts[i]) if i is not None and i < len(parts) else "" for i in (where, source))
        count = [1 if kind == m.LOOK else t.so_many for t in things_of(parts[things])]
        return tuple(Want(kind, str(t), place, n, source=origin) for t, n in zip(things_of(parts[things]), count))

    return make


def kit(reading: Any, parts: Sequence[Any]) -> Want:
    """A kit, and a place or a person that it goes to, in either order."""
    found = next(n for n in names(parts) if n.kind == "kit")
    return Want(m.KIT, str(found), str(next((n for n in names(parts) if n is not found), "")), found.so_many)


def of_one(how: str, level: str = "") -> Row:
    """What is to become of the last of the parts; nothing where that is several."""

    def make(reading: Any, parts: Sequence[Any]) -> m.Steer | None:
        many = [t for p in parts for t in (things_of(p) if not isinstance(p, int) else ())]
        return m.Steer(how, str(many[0]), level) if len(many) == 1 else None

    return make


def alter(how: str, of_kit: int, things: int, count: int | None = None) -> Row:
    def make(reading: Any, parts: Sequence[Any]) -> m.Alter | None:
        many = things_of([p for p in parts if not isinstance(p, int)][things])  # "three painkillers, not two"
        if len(many) != 1:
            return None
        return m.Alter(str(parts[of_kit]), how, str(many[0]), many[0].so_many if count is None else count)

    return make


def claims(reading: Any, parts: Sequence[Any]) -> tuple[Claim, ...]:
    return parts[-1] if isinstance(parts[-1], tuple) else (parts[-1],)


def closed(holds: bool = True) -> Row:
    """That a place is closed for robots, or for all."""

    def make(reading: Any, parts: Sequence[Any]) -> tuple[Claim, ...]:
        where = next((n for n in names(parts) if n.kind != "robot"), "")
        who = [str(n) for n in names(parts) if n.kind == "robot" and n] or [""]
        return tuple(Claim(m.CLOSED, r if r != ALL else "", str(where), holds=holds) for r in who)

    return make


THAT_DOOR = named(f"{IT} door", "door")
_SILENT = ("so_far", "whatif", "able", "lesson_left", "leaving", "goes", "later", "yes", "no", "rather_than",
           "correcting", "does", "same", "unsaid")  # fmt: skip
#: What somebody can do, with the first name of an alternative.
_ABLE = {"can_open": "open", "can_carry": "carry", "can_pick": "pick", "can_pack": "pack", "can_go": "go"}


def _can(skill: str) -> Row:
    return lambda reading, parts: (skill, next(names(parts), ""))


ROWS: dict[str, Any] = {
    **dict.fromkeys(_SILENT),
    # names and numbers
    "it_robot": named(IT, "robot"),
    "you": named("", "robot"),
    "all_robots": (named(ALL, "robot"),),
    "me": named(ME, "person"),
    "there": named(THERE, "place"),
    "here_place": named(HERE, "place"),
    "that_place": named(f"{IT} place", "place"),
    "other_place": named(f"{OTHER} place", "place"),
    "which_room": named(f"{WHICH} room", "room"),
    "which_table": named(f"{WHICH} table", "table"),
    "that_door": THAT_DOOR,
    "other_door": named(f"{OTHER} door", "door"),
    "it_thing": named(IT, "thing"),
    "same_thing": named(SAME, "thing"),
    "other_thing": named(OTHER, "thing"),
    "one": 1,
    "two": 2,
    "robots": lambda reading, parts: tuple(n for n in parts if n),
    "rooms": lambda reading, parts: tuple(parts),
    **{f"counted_{kind}": made(named, at(-1), kind, lambda reading, parts: parts[0] if len(parts) > 1 else None)
       for kind in GOODS},
    # orders
    "open_it": Want(m.DOOR, str(THAT_DOOR)),
    "shut_it": Want(m.DOOR, str(THAT_DOOR), holds=False),
    "go_to": made(Want, m.AT, "", first),
    "do_task": made(Want, m.TASK, first),
    "do_tasked": together(made(Want, m.TASK, at(-1))),
    "order_with": made(m.Order, at(0), lambda reading, parts: every(reading, parts[1:])),
    "order_without": made(m.Order, at(0), without=lambda reading, parts: robots(reading, parts[1:])),
    "order_to_when": made(m.Order, at(-2), every, at(-1)),
    "order_after": made(m.Order, at(0), (), at(-1)),
    "order_instead": made(m.Order, at(0)),
    "want_robot": made(m.Order, at(1), every),
    "send_robots": made(m.Order, together(made(Want, m.AT, "", at(-1))), every),
    "again_at": made(m.Order, together(made(Want, m.STOCK, SAME, at(-1)))),
    "again_to": made(Want, m.STOCK, SAME, at(-1)),
    "again_many": made(Want, m.STOCK, SO_MANY, at(1), at(0)),
    "bring_kit": kit,
    "bring_things": wants(m.STOCK, 0, 1),
    "bring_to_place": wants(m.STOCK, 1, 0),
    "bring_things_from": wants(m.STOCK, 0, 2, 1),
    "bring_things_back": wants(m.STOCK, 0, 1, 2),
    "fetch_things_from": wants(m.STOCK, 0, None, 1),
    "take_things": wants(m.HOLD, 0, 1),
    "look_for": wants(m.LOOK, 0, 1),
    "open_door": made(Want, m.DOOR, first),
    "want_door": made(Want, m.DOOR, first),
    "open_doors": lambda reading, parts: tuple(Want(m.DOOR, str(d)) for d in parts),
    "shut_door": made(Want, m.DOOR, first, holds=False),
    # facts
    "claims": lambda reading, parts: flat(parts),
    "thing_at": stock(),
    "thing_not_at": stock(holds=False),
    "thing_gone": stock(0, None, False),
    "is_thing": stock(0, None),
    "place_has": stock(-1, 0),
    "place_has_not": stock(-1, 0, False),
    "thing_at_not": together(stock(0, -2), stock(0, -1, False)),  # "on table C, not on table E"
    "thing_not_but": together(stock(0, -1), stock(0, -2, False)),  # "not on table E but on table C"
    "thing_at_all": lambda reading, parts: flat(stock()(reading, (parts[0], p)) for p in parts[1:]),
    "person_has": supply(True),
    "person_has_not": supply(False),
    "robot_at": made(Claim, m.AT, first, at(-1)),
    "is_robot_at": made(Claim, m.AT, first, at(-1)),
    "robot_cannot": made(Claim, m.ABLE, first, lambda reading, parts: parts[1][0], holds=False),
    "place_empty": made(Claim, m.EMPTY, "", first),
    "place_not_empty": made(Claim, m.EMPTY, "", first, holds=False),
    "door_open": made(Claim, m.DOOR, first),
    "door_shut": made(Claim, m.DOOR, first, holds=False),
    "door_jammed": made(Claim, m.JAMMED, first),
    "door_not_jammed": made(Claim, m.JAMMED, first, holds=False),
    "person_here": made(Claim, m.PRESENT, first),
    "person_away": made(Claim, m.PRESENT, first, holds=False),
    "robot_fine": made(Claim, m.ABLE, first),
    "robot_broken": made(Claim, m.ABLE, first, holds=False),
    "kit_ready": made(Claim, m.KIT, first),
    "place_closed": closed(),
    # questions
    **{f"ask_{about}": m.Ask(about) for about in (
        "plan", "why", "history", "changed", "taught", "understood", "rights", "goals", "who", "help")},
    "ask_doing_all": m.Ask("doing"),
    "ask_who_said_no": m.Ask("who said", what=m.NO),
    "ask_who_said_yes": m.Ask("who said", what=m.YES),
    "ask_who_can_it": m.Ask("who can"),
    "ask_contents_it": m.Ask("contents", what=IT),
    "ask_in_charge": m.Ask("who may", right="command"),
    "ask_chance": made(m.Ask, "chance", first),
    "ask_where": made(m.Ask, "where", first),
    "ask_ability": made(m.Ask, "ability", robot=first),
    "ask_doing": made(m.Ask, "doing", robot=first),
    "ask_took": made(m.Ask, "took", beside(*PLACES), of(*PLACES)),
    "ask_delivered": made(m.Ask, "delivered", first_goods, of(*PLACES)),
    "ask_progress": made(m.Ask, "progress", first_goods),
    "ask_how_many": made(m.Ask, "how many", at(0), of(*PLACES)),
    "ask_contents_place": made(m.Ask, "contents", at(-1)),
    "ask_contents": made(m.Ask, "contents", at(-1)),
    "ask_what_if": made(m.Ask, "what if", claims=claims),
    "ask_why_so": made(m.Ask, "why so", claims=claims),
    "ask_is": made(m.Ask, "is it so", claims=claims),
    "ask_claims": made(m.Ask, "is it so", claims=at(-1)),
    "ask_person_has": made(m.Ask, "is it so", claims=supply(True)),
    "ask_closed": made(m.Ask, "is it so", claims=closed()),
    "ask_open_place": made(m.Ask, "is it so", claims=closed(False)),
    "ask_open_to": made(m.Ask, "is it so", claims=closed(False)),
    "ask_reaction": made(m.Ask, "reaction", claims=at(0)),
    "ask_which": made(m.Ask, "which", claims=claims),
    "ask_which_closed": made(m.Ask, "which", claims=together(made(Claim, m.CLOSED, robot))),
    "ask_who_stopped": made(m.Ask, "who stopped", robot=robot),
    "ask_why_that": made(m.Ask, "why that", robot=robot),
    "ask_why_robot": made(m.Ask, "why that", robot=called),
    "ask_why_name": made(m.Ask, "why that", beside("room", "table"), of("room", "table")),
    "ask_why_not_name": made(m.Ask, "why not", beside("room", "table"), of("room", "table")),
    "ask_why_not_called": made(m.Ask, "why not", robot=called),
    "ask_why_not_robot": made(m.Ask, "why not", robot=first),
    "ask_why_not_open": made(m.Ask, "why not", wants=together(made(Want, m.DOOR, first))),
    "ask_why_no_kit": made(m.Ask, "why not", wants=together(kit)),
    "ask_who_can": made(m.Ask, "who can", skill=lambda reading, parts: parts[-1][0],
                        what=lambda reading, parts: str(parts[-1][1])),
    "ask_who_task": made(m.Ask, "can", wants=at(0)),
    "ask_who_may": made(m.Ask, "who may", right=at(-1)),
    "ask_may_i": made(m.Ask, "rights", right=at(-1)),
    "which_open": Claim(m.DOOR),
    "which_shut": Claim(m.DOOR, holds=False),
    "which_jammed": Claim(m.JAMMED),
    "which_empty": Claim(m.EMPTY),
    "which_broken": Claim(m.ABLE, holds=False),
    "which_fine": Claim(m.ABLE),
    "which_away": Claim(m.PRESENT, holds=False),
    "which_closed": made(Claim, m.CLOSED, robot),
    "can_other": ("other", ""),
    **{name: _can(skill) for name, skill in _ABLE.items()},
    # answers
    "approve": m.Approve(),
    "approve_number": made(m.Approve, lambda reading, parts: str(parts[0])),
    "refuse": m.Refuse(),
    "refuse_for_now": m.Refuse(m.LATER),
    "refuse_all": m.Refuse(m.LEAVE),
    "refuse_lesson": m.Refuse(m.LESSON),
    "nothing": m.Nothing(),
    "show": made(m.Show, first),
    "somewhere": made(m.Somewhere, at(-1)),
    "robot_answer": made(m.Somewhere, first),
    "fetch_answer": made(m.Somewhere, called),
    "bare_number": made(m.Number, at(0)),
    "kit_goes": made(m.Order, together(kit)),
    "things_go": made(m.Order, wants(m.STOCK, 0, 1)),
    "robot_does": made(m.Correct, made(m.Somewhere, at(0))),  # whoever is named first, but for "not Spot, Temi ..."
    "robot_rather": made(m.Correct, made(m.Somewhere, at(0))),
    "not_this_robot": made(m.Correct, made(m.Somewhere, at(1))),
    # steering
    "stop_all": m.Stop(),
    "stop_robots": made(m.Stop, robots),
    "pause_all": m.Steer("pause"),
    "resume_all": m.Steer("resume"),
    "cancel_all": m.Steer("cancel"),
    "help_team": m.Steer("help"),
    "hurry": m.Steer("prioritise", level="high"),
    "pause_robots": made(m.Steer, "pause", robots=robots),
    "resume_robots": made(m.Steer, "resume", robots=robots),
    "pause_room": made(m.Steer, "pause", where=first),
    "cancel_name": made(m.Steer, "cancel", first),
    "cancel_room": made(m.Steer, "cancel", where=first),
    "left_kit": made(m.Steer, "cancel", first, "mine"),  # "Not the medkit.", of what its speaker has ordered
    "cancel_things": of_one("cancel"),
    "pause_things": of_one("pause"),
    "resume_things": of_one("resume"),
    "pause_going_on": of_one("pause"),  # "Do not go on with the gloves."
    "prioritise_things": of_one("prioritise", "high"),
    "deprioritise_things": of_one("prioritise", "low"),
    # lessons
    "teach_something": m.Teach(""),
    "teach": made(m.Teach, at(0), at(1)),
    "teach_unnamed": made(m.Teach, at(0)),
    "teach_label": made(m.Teach, at(1), at(0)),
    "teach_kit": made(m.Teach, "kit", at(0)),
    "teach_again": made(m.Teach, "again", at(0)),
    **{f"{kind}_kind": kind for kind in ("kit", "task", "skill", "object", "policy")},
    "quoted": at(0),
    "plain_label": lambda reading, parts: " ".join(map(str, parts)),
    "kit_label": lambda reading, parts: f"{parts[0]} kit",
    "alter_add": alter("add", 1, 0),
    "alter_add_kit": alter("add", 0, 1),
    "alter_remove": alter("remove", 1, 0),
    "alter_empty": alter("set", 1, 0, 0),
    "alter_set": alter("set", 0, -1),
    "alter_none": alter("set", 0, -1, 0),
    "forget_last": m.Forget(),
    "forget": made(m.Forget, at(0)),
    "forget_policy": made(m.Forget, lambda reading, parts: f"policy {parts[0]}"),
    # policies and rights
    "policy": lambda reading, parts: m.Policy(parts[0], *parts[1]),
    "policy_after": lambda reading, parts: m.Policy(parts[1], *parts[0]),
    "trigger_missing": (Claim(m.STOCK, holds=False),),
    "trigger_jammed": (Claim(m.JAMMED),),
    "trigger_shut": (Claim(m.DOOR, holds=False),),
    "trigger_grasp": (Claim(m.HOLD, holds=False),),
    "trigger_silent": together(made(Claim, m.PRESENT, first, holds=False)),
    "trigger_any": (),
    "react_ask": lambda reading, parts: ("ask", str(parts[0]), ()),
    "react_bring": lambda reading, parts: ("bring", str(parts[0]), ()),
    "react_deeds": lambda reading, parts: ("wants", "", parts[0]),
    "react_retry": ("retry", "", ()),
    "react_other": ("other robot", "", ()),
    "react_give_up": ("give up", "", ()),
    "permit": made(m.Permit, at(0), at(1), True, part(2, 0)),
    "permit_before": made(m.Permit, at(1), at(2), True, at(0)),
    "forbid": made(m.Permit, at(0), at(1), False),
    "forbid_from": made(m.Permit, at(1), at(0), False),
    **{f"right_{right}": right for right in ("command", "teach", "approve", "stop", "policy", "prioritise")},
    # zones
    "nobody_zone": made(m.Zone, first),
    "close_zone": made(m.Zone, beside("robot"), robots),
    "forbid_zone": made(m.Zone, at(-1), robots),
    "open_zone": made(m.Zone, beside("robot"), robots, False),
    "allow_zone": made(m.Zone, at(-1), robots, False),
    # small talk
    **{how.replace(" ", "_"): m.Greet(how) for how in ("hello", "no worries", "thanks", "bye")},
    "repeat": m.Repeat(),
}  # fmt: skip
