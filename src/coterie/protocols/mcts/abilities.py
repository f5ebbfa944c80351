"""The actions that each robot can do from each location, by its card, the map and what is believed."""

from __future__ import annotations

from typing import Any

from coterie.core.protocol import RobotView
from coterie.protocols.mcts.survey import Survey


def abilities(v: Survey) -> None:
    """Fill the tables of a model that say who may go, open, put, lay and lift; `reaches` comes last."""
    m = v.model
    for r, (me, card) in enumerate(zip(v.me, v.cards)):
        same = [o for o, c in enumerate(v.cards) if o != r and c.mobility == card.mobility]
        m.beside.append(tuple(same) if card.moves else ())
        m.go.append(_go(v, me) if "navigate" in card.skills else 0)
        m.opens.append(_opens(v, me) if "open" in card.skills else 0)
        m.put.append([_put(v, r, p) for p in v.platforms] if card.manipulates else [])
        m.lay.append(_lay(v, r) if card.manipulates else {})
        m.lift.append(_lift(v, me) if card.manipulates else 0)


def _go(v: Survey, me: RobotView) -> int:
    """Stand poses that nothing known forbids: height, closed zones, paths, recent failures."""
    mask = 0
    for k, (f, stand) in enumerate(zip(v.model.loc_furniture, v.model.loc_stand)):
        if stand is None:
            continue
        place = v.furniture[f]
        if v.belief.value("allowed", me.name, place) is False or me.look("level_ok", me.name, place) is False:
            continue
        if v.belief.value("stand_allowed", me.name, place, stand) is False:
            continue
        if v.past.failed(me.name, "navigate", (place, stand)):
            continue
        if me.look("path", me.name, place, stand) is not False:
            mask |= 1 << k
    return mask


def _opens(v: Survey, me: RobotView) -> int:
    mask = 0
    for k, f in enumerate(v.model.loc_furniture):
        if f < 0 or not v.model.containers >> f & 1 or v.past.failed(me.name, "open", (v.furniture[f],)):
            continue
        rect: Any = v.look("rect", v.furniture[f])
        height: Any = v.look("height", v.furniture[f])
        x, y = v.model.loc_pose[k]
        nearest = (min(max(x, rect[0]), rect[2]), min(max(y, rect[1]), rect[3]), height)
        if me.card.gap((x, y), nearest) <= me.card.reach_m:
            mask |= 1 << k
    return mask


def _put(v: Survey, r: int, platform: str) -> int:
    """Locations from which a robot may put things onto a platform: all at its table, until it knows better."""
    me, held = v.me[r], v.held[r]
    if any(f.value is False and f.args[0] == me.name for f in v.belief.facts("may_place")):
        return 0  # what holds on one platform holds on all
    if held and v.past.failed(me.name, "place", (held, platform)):
        return 0
    return _in_range(v, r, platform)


def _in_range(v: Survey, r: int, platform: str) -> int:
    """Locations at a platform's table from which it is not known to be out of reach."""
    mask, table = 0, v.furniture_of(platform)
    for k, f in enumerate(v.model.loc_furniture):
        gap = v.past.gaps.get((v.me[r].name, v.model.loc_pose[k], platform), 0.0)
        if f == table and gap <= v.cards[r].reach_m:
            mask |= 1 << k
    return mask


def _lay(v: Survey, r: int) -> dict[int, int]:
    """Where things put down come to lie: on the work table, and what is not wanted also right here."""
    m, me, held = v.model, v.me[r], v.held[r]
    table, here = str(v.look("work_table")), m.start.loc[r]
    out: dict[int, int] = {}
    for k, f in enumerate(m.loc_furniture):
        stand = m.loc_stand[k]
        if stand is not None and v.furniture[f] == table and me.card.moves:
            spot = me.look("lay_spot", me.name, table, stand)
            if isinstance(spot, tuple):
                out[k] = v.position(table, spot)
    at = v.furniture[m.loc_furniture[here]] if m.loc_furniture[here] >= 0 else None
    if at is None:
        return out
    if here not in out and (at == table or held not in v.goal.targets) and _can_lay(v, me, at):
        out[here] = v.position(at, None)
    if held and v.past.failed(me.name, "place", (held, at)):
        out.pop(here, None)
    return out


def _can_lay(v: Survey, me: RobotView, place: str) -> bool:
    gap = me.look("gap_to", me.name, place)
    shut = bool(v.look("openable", place)) and v.belief.value("open", place) is not True
    near = isinstance(gap, float) and gap <= me.card.reach_m
    return near and not shut and me.look("room_on", me.name, place) is not False


def _lift(v: Survey, me: RobotView) -> int:
    mask = 0
    for t, thing in enumerate(v.things):
        mass = v.belief.value("mass", thing)
        heavy = isinstance(mass, (int, float)) and mass > me.card.payload_kg
        if not heavy and not v.past.failed(me.name, "pick", (thing,)):
            mask |= 1 << t
    return mask


def reaches(v: Survey) -> None:
    """From which locations each robot's arm reaches each position, once all positions are known."""
    m = v.model
    beside: dict[int, list[int]] = {}
    for k, f in enumerate(m.loc_furniture):
        beside.setdefault(f, []).append(k)
    for r, card in enumerate(v.cards):
        masks = []
        for pos, (f, spot) in enumerate(zip(m.pos_furniture, v.spots)):
            here = beside.get(f, [])
            if not card.manipulates:
                masks.append(0)
            elif m.pos_place[pos] >= len(v.furniture):
                masks.append(_in_range(v, r, v.platforms[m.pos_place[pos] - len(v.furniture)]))
            elif spot is None:
                masks.append(sum(1 << k for k in here))
            elif card.reach_low_m <= spot[2] <= card.reach_high_m:
                masks.append(sum(1 << k for k in here if card.gap(m.loc_pose[k], spot) <= card.reach_m))
            else:
                masks.append(0)
        m.take.append(masks)
