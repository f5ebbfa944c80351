"""A robot's belief as the words of a prompt. Names rather than coordinates; nothing that it does not believe. Its
principles stand in `principles.toml`, by style and kind of body: a few sentences for small models, seven for large."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from coterie.core.card import MOST_ABOUT, Card
from coterie.core.files import tables
from coterie.protocols.shared import remaining
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.reading import Reading, shift_for
from coterie.protocols.shared.replies import clean, quoted
from coterie.protocols.shared.templates import Slots
from coterie.protocols.shared.together import ALL, FEW, together

REASON = 160  # characters of a failure that are shown: the longest names a distance, dx and dy


def about(card: Card) -> str:
    """The description on a card, as a quotation: it may come from another program or a stranger's file."""
    return _quoted(card.about)


@lru_cache(maxsize=500)
def _quoted(text: str) -> str:
    return quoted(text, MOST_ABOUT)


def team(r: Reading) -> str:
    return r.keep("team in words", (r.team,), lambda: _team(r))


def _team(r: Reading) -> str:
    known = []
    for n, c in r.cards.items():
        if n != r.name:
            able = [s.name for s in r.me.language.deeds(c.skills) if s.shown]
            known.append((n, f"{about(c)} ({', '.join(able)})."))
    return " ".join(f"{names}: {words}" for names, words in together(known, len(r.cards))) or "unknown yet"


def places(r: Reading) -> str:
    return r.of_places("in words", lambda names: ", ".join(f"{f}{_tag(r, f)} {_sides(r, f)}" for f in names))


def scene_graph(r: Reading) -> str:
    return r.of_places("scene graph", lambda names: "\n".join(_node(r, f) for f in names))


def _node(r: Reading, f: str, state: str = "", holds: str = "") -> str:
    sides = " ".join(f"{_side(s)}={_xy(r.look('stand_pose', f, s))}" for s in r.look("all_stands", f))  # type: ignore[attr-defined]
    what = f"{r.look('room', f)},{_tag(r, f) or ' surface'}{state}, {r.look('height', f)} m high"
    return f"{f}: {what}, sides {sides}{holds}"


def whole_graph(r: Reading) -> str:
    """The paper's scene graph: furniture with its state and sides, and the things I know of, with their spots."""
    lines = []
    every: Any = r.look("all_furniture")
    for f in sorted(every):
        state = ""
        if r.look("openable", f):
            state = ", open" if r.belief.value("open", f) is True else ", closed"
        carries = r.goal.platforms if f == r.table and not r.brings else ()
        things = [f"{t}{_spot(r, t)}" for t in _there(r, f)]
        parts = [f", {what} {', '.join(names)}" for what, names in (("carries", carries), ("things:", things)) if names]
        lines.append(_node(r, f, state, "".join(parts)))
    return "\n".join(lines)


def _spot(r: Reading, thing: str) -> str:
    spot = r.spot(thing)
    return f" ({spot[0]:.1f},{spot[1]:.1f},{spot[2]:.1f})" if spot is not None else ""


def bare_self(r: Reading) -> str:
    """Where I am, what I hold and how far I reach."""
    side = f", side {_side(r.stand)}" if isinstance(r.stand, str) else ""
    parts = [f"You are at {r.at}{side}." if r.at else "You stand in the middle of the room."]
    parts.append(f"Your position is {_xy(r.pose)}.")
    if r.card.manipulates:
        parts.append("Your hand is empty." if r.held is None else f"You hold {r.held}.")
        parts.append(f"You reach {r.card.reach_m:g} m far.")
    return " ".join(parts)


def doors(r: Reading) -> str:
    """Which boxes stand open: it changes, so that it has no place in the scene graph, which never does."""
    boxes = [f for f in sorted(r.places.but_the_table) if r.look("openable", f)]
    opened = [f for f in boxes if r.belief.value("open", f) is True]
    shut = [f for f in boxes if f not in opened]
    parts = [f"{how} {', '.join(names)}" for how, names in (("open", opened), ("closed", shut)) if names]
    text = f"Boxes: {'; '.join(parts)}." if parts else ""
    closed = sorted(f.args[0] for f in r.belief.facts("open") if f.value is False and r.look("door", f.args[0]))
    return f"{text} Closed doors: {', '.join(closed)}.".strip() if closed else text


def table_line(r: Reading) -> str:
    if not r.table:
        return "none in this house."
    if r.brings:
        return f"{r.table} {_sides(r, r.table)}."
    where = ", ".join(r.goal.platforms)
    arm = f"{r.arm or 'the arm'} works there" if r.arm != r.name else "you work there"
    return f"{r.table} {_sides(r, r.table)}, with {where}; {arm}."


def _tag(r: Reading, furniture: str) -> str:
    if r.look("openable", furniture):
        return " box"
    return " high" if r.look("height", furniture) > 1.6 else ""  # type: ignore[operator]


def _side(stand: str) -> str:
    return stand.removeprefix("stand_pose_")


def _sides(r: Reading, furniture: str) -> str:
    def listed() -> str:
        names: Any = r.look("all_stands", furniture)
        return " ".join([_side(s) for s in names])

    sides: str = r.places.worked_out(("sides in words", furniture), None, listed)
    return sides


def _xy(p: Any) -> str:
    return f"({p[0]:.1f},{p[1]:.1f})"


# -- what changes -----------------------------------------------------------------------------------------------------
def searched(r: Reading, full: bool = False) -> str:
    """Places a robot looked at, in the order of the look; what lies there that is needed stands elsewhere."""
    first: dict[str, float] = {}  # looks at each place
    for fact in r.belief.since(0):
        if fact.pred == "contents":
            first.setdefault(fact.args[0], fact.time)
    looks = [(first.get(f, 0.0), f) for f in r.to_look_at if r.looked_at(f) is not None]
    if not full:
        return ", ".join(f for _, f in sorted(looks))
    return "; ".join(f"{f} ({', '.join(_there(r, f)) or 'empty'})" for _, f in sorted(looks))


def _there(r: Reading, furniture: str) -> list[str]:
    floor = [f"{t} on the floor" for t in sorted(r.belief.members("where", f"floor@{furniture}"))]
    return sorted(r.belief.members("where", furniture)) + floor


def found(r: Reading, memory: Memory | None = None, full: bool = False) -> str:
    """Things that are still to be fetched: where they are, and in a compact prompt from which side and by whom."""
    parts, lost = [], []
    for t in [*r.missing, *(c for c in r.caddies if r.where(c) is None)]:  # what belongs into one waits for it
        place = r.where(t)
        if place is None:
            lost.append(t)
        elif place == r.name:
            parts.append(f"{t} in your hand")
        elif r.furniture_of(place) is None:
            parts.append(f"{t} held by {place}")
        elif full:
            parts.append(f"{t} at {r.furniture_of(place)}{_reach_words(r, t)}")
        else:
            parts.append(f"{t} at {r.furniture_of(place)}{_fetch_words(r, memory or Memory(), t)}")
    if full:
        parts += [f"{t} not found" for t in lost]
    elif lost:
        parts.append(f"not found: {', '.join(lost)}")
    return "; ".join(parts) or "nothing more has to be fetched"


def _fetch_words(r: Reading, memory: Memory, thing: str) -> str:
    """From which side I get it, who can, and who was asked."""
    furniture, spot = r.furniture_of(r.where(thing)), r.spot(thing)
    mine = r.card.moves and r.card.manipulates and r.can_take(r.name, thing)
    how = ""
    if mine and furniture is not None:
        near = [s for s, p in sorted(r.stands(furniture)) if spot is None or r.card.gap(p, spot) <= r.card.reach_m]
        side = remaining.free_side(remaining.in_vain(memory), furniture, near or remaining.sides(r, furniture))
        how = f" {side}" if side is not None else " (blocked)"
        if not near:
            stuck = r.at == furniture and shift_for(r, spot) is None  # type: ignore[arg-type]
            mine, how = (False, "") if stuck else (True, f"{how}, move closer")
    asked = remaining.asked_for(r, memory, thing)
    known = "" if asked is None else f"; asked: {'you' if asked == r.name else asked}"
    return f"{how} ({remaining.takers(r, thing, mine)}{known})"


def _reach_words(r: Reading, thing: str) -> str:
    if not r.card.moves or not r.card.manipulates:
        return ""
    furniture, spot = r.furniture_of(r.where(thing)), r.spot(thing)
    if furniture is None or spot is None:
        return ""
    if not r.can_take(r.name, thing):
        return " (you cannot take it)"
    sides = [_side(s) for s, pose in sorted(r.stands(furniture)) if r.card.gap(pose, spot) <= r.card.reach_m]
    if sides:
        return f" (from side {' '.join(sides)})"
    stuck = r.at == furniture and shift_for(r, spot) is None  # no free spot nearby is close enough
    return " (you cannot take it)" if stuck else " (move closer)"


def on_table(r: Reading, full: bool = False) -> str:
    things = sorted(r.belief.members("where", r.table))
    if not things:
        return ""
    if r.brings:
        return f"{r.table}: {'; '.join(f'{t} ({_need(r, t)}{_reach_words(r, t)})' for t in things)}"
    arm = "you reach it" if r.arm == r.name else f"{r.arm} reaches it"
    far = "out of your reach" if r.arm == r.name else f"out of {r.arm}'s reach"
    parts, rest = [], []
    for t in things:
        need = _need(r, t)
        if not full and need != "needed":
            rest.append(t)
        else:
            parts.append(f"{t} ({need}, {arm if r.for_arm_there(t) else far})")
    if rest and not r.card.moves:  # nobody else has to do with it
        parts.append(f"not needed: {', '.join(rest)}")
    return f"{r.table}: {'; '.join(parts)}" if parts else ""


def _need(r: Reading, thing: str) -> str:
    return "needed" if thing in r.goal.targets and thing not in r.right else "not needed"


def closed(r: Reading, full: bool = False) -> str:
    barred = [f.args for f in r.belief.facts("allowed") if f.value is False]
    shut = [place for robot, place in barred if robot == r.name]
    shut += [
        f"side {_side(f.args[2])} of {f.args[1]}"
        for f in r.belief.facts("stand_allowed")
        if f.value is False and f.args[0] == r.name
    ]
    text = f"Closed to you: {', '.join(shut)}." if shut else ""
    for name in r.online if barred else ():  # what they said of themselves
        theirs = [place for robot, place in barred if robot == name != r.name]
        text += f" Closed to {name}: {', '.join(theirs)}." if theirs else ""
    if any(f.value is False and f.args[0] == r.name for f in r.belief.facts("may_place")):
        text += f" You may not place anything on {' or '.join(r.goal.platforms)}; the arm does that."
    if not full:  # a full prompt has a line of its own for them
        text += _shut_doors(r)
    return text.strip()


def _shut_doors(r: Reading) -> str:
    """Doors that are in a robot's way: in a house where things go everywhere, one has to be opened now and then."""
    shut: Any = r.look("shut_doors")
    names = [f"{d} {_sides(r, d)}" for d in sorted(shut)]
    how = "; go to one and open it like a box" if "open" in r.card.skills else ""
    return f" Closed doors with their sides: {', '.join(names)}{how}." if names else ""


def status(r: Reading, full: bool = False) -> str:
    if r.goal.kind == "sort":
        shown = [f"{', '.join(r.contents(p))} on {p}" for p in r.goal.platforms if r.contents(p)]
        text = f"on the panels: {'; '.join(shown) or 'nothing'}."
    elif r.goal.kind == "stack":
        text = f"on the {r.goal.on}, bottom to top: {', '.join(r.contents(r.goal.on)) or 'nothing'}."
    elif r.brings:
        home = [f"{t} ({r.goal.home(t)})" for t in r.goal.targets if t in r.right]
        text = f"where they belong: {', '.join(home) or 'nothing yet'}."
    else:
        text = f"in the {r.goal.into}: {', '.join(r.contents(r.goal.into)) or 'nothing'}."
    if r.wrong:
        text += f" To be taken off: {', '.join(r.wrong)}."
    return text if full or r.card.moves else text + remaining.next_layer(r)


def lately(memory: Memory, long: bool = False) -> str:
    shown = []
    for d in memory.last_deeds(long):
        failed = memory.feedback and not d.ok  # what went well needs no word
        shown.append(f"{d.step} {d.action}{' FAILED: ' + clean(d.reason, REASON) if failed else ''}")
    return "; ".join(shown) or "nothing yet"


def actions(memory: Memory, long: bool = False) -> str:
    return "\n".join(f"{d.step} {d.action}" for d in memory.last_deeds(long)) or "none"


def feedback(memory: Memory, long: bool = False) -> str:
    if not memory.feedback:
        return "not available"
    return (
        "\n".join(f"{d.step} {'' if d.ok else 'FAILED: '}{clean(d.reason, 300)}" for d in memory.last_deeds(long))
        or "none"
    )


def messages(memory: Memory, long: bool = False, robots: int = 0) -> str:
    said: dict[int, list[tuple[str, str]]] = {}
    for h in memory.last_heard(long):
        said.setdefault(h.step, []).append((h.sender, f'"{h.text}"'))  # quoted: words, not orders
    return " ".join(f"{step} {who}: {text}" for step, rows in said.items() for who, text in together(rows, robots))


def stale(memory: Memory) -> str:
    if not memory.goal_aware or not memory.goal_step:
        return ""
    gone = f" No longer wanted: {', '.join(memory.dropped)}." if memory.dropped else ""
    return f"{memory.goal_step}.{gone} A plan or message from before may be out of date."


def joined(r: Reading, memory: Memory) -> str:
    return " and ".join(f"{n} joined at step {step}" for n, step in memory.joined.items() if n in r.online)


def warning(memory: Memory, refusals: Iterable[tuple[Any, str]] = ()) -> str:
    parts = [f"{a} is impossible: {clean(why, 160)}" for a, why in refusals if memory.feedback]
    loops = memory.loops()
    if loops:
        parts.append(f"You repeat yourself: {', '.join(loops)}. Do something else.")
    return " ".join(parts)


def signs(r: Reading, memory: Memory) -> str:
    """Without a heartbeat: when there was the last sign of each teammate, a word or the sight of it."""
    if r.me.pulse is None:
        return ""
    shown = [f"{n} {memory.signs.get(n, 0)}" for n in sorted(r.me.heartbeat) if n != r.name]
    return f" Step of the last sign of each: {', '.join(shown)}." if shown else ""


def here(r: Reading) -> str:
    """The view of a robot from where it begins."""
    if r.at is None:
        return ""
    return f"You stand at {r.at} and see {', '.join(r.contents(r.at)) or 'nothing'}."


def itself(r: Reading, full: bool = False) -> str:
    side = f", side {_side(r.stand)}" if isinstance(r.stand, str) else ""
    at = f"You are at {r.at}{side}" if r.at else "You stand in the middle of the room"
    if r.at and r.shut(r.at):
        at += f", which is a closed {'door' if r.look('door', r.at) else 'box'}"
    parts = [at + "."]
    if full:
        parts.append(f"Your position is {_xy(r.pose)}.")
    if r.card.manipulates:
        if r.held is None:
            parts.append("Your hand is empty.")
            near = _within_reach(r)
            if full:
                parts.append(f"Within your reach: {', '.join(near) or 'nothing'}.")
            else:
                take = [t for t in remaining.to_take(r) if t in near]
                parts.append(f"To take within your reach: {', '.join(take) or 'nothing'}.")
        else:
            wanted = _need(r, r.held)
            parts.append(f"You hold {r.held} ({wanted}).")
            if r.goal.kind == "sort" and wanted == "needed" and not r.card.moves and not full:
                parts.append(f"It goes on {r.goal.home(r.held)}.")
            if r.brings:
                parts += [_home_words(r, r.held)] if wanted == "needed" else []
            elif r.card.moves and r.table:
                sides = [_side(s) for s in r.hand_over_stands(r.name)]
                parts.append(
                    f"{r.arm} can take it from {r.table} if you lay it there from side {' or '.join(sides) or 'none'}."
                )
    others = [n for n in r.online if n != r.name]
    every = len(others) >= FEW and {r.name, *others} == {r.name, *r.cards}
    parts.append(f"Alive: {ALL if every else ', '.join(others) or 'nobody else'}.")
    return " ".join(parts)


def _home_words(r: Reading, thing: str) -> str:
    """Where a thing belongs, and what that means: furniture of a room, the place of a caddy."""
    home, homes = r.goal.home(thing), r.homes(thing)
    if r.look("holder", home):
        at = r.furniture_of(home)
        return f"It belongs into {home}, which is at {at}." if at else f"It belongs into {home}, which is not found."
    if homes == [home]:
        return f"It belongs to {home}."
    return f"It belongs to {home}: put it on {' or '.join(homes)}." if homes else f"It belongs to {home}."


def _within_reach(r: Reading) -> list[str]:
    near = []
    for fact in r.belief.facts("where"):
        t = fact.args[0]
        if r.in_view(t) and (spot := r.spot(t)) is not None and r.card.gap(r.pose, spot) <= r.card.reach_m:
            near.append(t)
    return sorted(near)


# -- skills and principles of a body ----------------------------------------------------------------------------------
def skills(r: Reading) -> str:
    def lines() -> str:
        return "\n".join(r.me.language.line(r.me.skills[s]) for s in r.card.skills)

    return r.keep("skills in words", (r.card,), lines)


@cache
def _written() -> dict[str, dict[str, Any]]:
    return tables(__package__, "principles.toml")


def principles(r: Reading, style: str, planned: bool = True) -> str:
    """Those of a body in a style; `planned`: where a plan says who searches what."""
    told = _written()[style]
    carries = "opener" if "open" in r.card.skills and "opener" in told else "carrier"
    body = carries if r.card.manipulates else "eye"
    if not r.card.moves:
        body = "house-arm" if r.brings and "house-arm" in told else "arm"
    rows = told[body] if isinstance(told[body], list) else [told[body]]
    if style != "paper":
        words = _written()[f"{style}-words"]
        fetch = words["fetch"]["house" if r.brings else "table"].format(arm=r.arm or "the arm")
        doors = words.get(f"{body}-doors", "") if r.brings else ""
        order = words["order"]["planned" if planned else "free"]
        rows = [row.format(order=order, fetch=fetch, doors=doors) for row in (*rows, *told.get("all", ()))]
    return rows[0] if style == "compact" else "\n".join(f"{i}. {row}" for i, row in enumerate(rows, 1))


class _About(NamedTuple):
    """The subject of a prompt."""

    r: Reading
    memory: Memory
    full: bool
    long: bool
    plan: str | None


def values(
    r: Reading, memory: Memory, style: str, long: bool = False, plan: str | None = None, made: Mapping[str, str] = {}
) -> Slots:
    """Everything a template may ask for about a robot, in one style; what it does not ask for is not made. `made` are
    those that the caller has words of its own for."""
    return Slots(_PAPER if style == "paper" else _VALUES, _About(r, memory, style == "full", long, plan), made)


_VALUES: dict[str, Callable[[_About], str]] = {
    "name": lambda a: a.r.name,
    "about": lambda a: about(a.r.card),
    "team": lambda a: team(a.r),
    "places": lambda a: "" if a.full else places(a.r),
    "scene_graph": lambda a: scene_graph(a.r) if a.full else "",
    "doors": lambda a: doors(a.r) if a.full else "",
    "table_line": lambda a: table_line(a.r),
    "skills": lambda a: skills(a.r),
    "principles": lambda a: principles(a.r, "full" if a.full else "compact", a.plan is not None),
    "goal": lambda a: a.r.goal.text(),
    "here": lambda a: here(a.r),
    "searched": lambda a: searched(a.r, a.full),
    "left": lambda a: "" if a.full else remaining.to_search(a.r, a.memory, a.plan or ""),
    "who_searches": lambda a: "" if a.full else remaining.who_searches(a.r),
    "found": lambda a: found(a.r, a.memory, a.full),
    "on_table": lambda a: on_table(a.r, a.full),
    "closed": lambda a: closed(a.r, a.full),
    "actions": lambda a: actions(a.memory, a.long) if a.full else "",
    "feedback": lambda a: feedback(a.memory, a.long) if a.full else "",
    "lately": lambda a: "" if a.full else lately(a.memory, a.long),
    "messages": lambda a: messages(a.memory, a.long, len(a.r.me.heartbeat)),
    "stale": lambda a: stale(a.memory),
    "joined": lambda a: joined(a.r, a.memory),
    "warning": lambda a: warning(a.memory, a.r.me.refusals),
    "status": lambda a: status(a.r, a.full),
    "step": lambda a: str(a.r.me.step),
    "limit": lambda a: str(a.r.me.step_limit or "many"),
    "self": lambda a: itself(a.r, a.full) + signs(a.r, a.memory),
}
_DIGESTS = (
    "places", "doors", "searched", "left", "who_searches", "found", "on_table", "closed", "lately", "stale", "joined",
    "warning",
)  # fmt: skip
#: Parts of the paper's prompts: a scene graph, three queues, the state of the body; no digest of anything.
_PAPER: dict[str, Callable[[_About], str]] = {
    **_VALUES,
    **dict.fromkeys(_DIGESTS, lambda a: ""),
    "scene_graph": lambda a: whole_graph(a.r),
    "table_line": lambda a: f"{a.r.table}." if a.r.table else "none in this house.",
    "principles": lambda a: principles(a.r, "paper"),
    "actions": lambda a: actions(a.memory, a.long),
    "feedback": lambda a: feedback(a.memory, a.long),
    "messages": lambda a: messages(a.memory, a.long, len(a.r.me.heartbeat)) or "nothing yet",
    "status": lambda a: status(a.r, True).partition(" To be taken off: ")[0],  # where it stands, and no more
    "self": lambda a: bare_self(a.r),
}
