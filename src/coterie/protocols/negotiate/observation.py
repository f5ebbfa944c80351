"""The situation of a teammate, from its own belief and what its team told it."""

from __future__ import annotations

from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.heuristic.lines import TALL_M
from coterie.protocols.negotiate.model_survey import SaidSurvey
from coterie.protocols.negotiate.situation import Astray, Known, Mate, Situation
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, number_of, room_at, rooms_known, survey_of

ANYWHERE = "anywhere"  # what lies in no room that has a number yet
MOST_THINGS = 8


def situation(me: RobotView, mind: Heuristic, guests: bool = False) -> Situation:
    """`guests`: those who joined are shown like teammates."""
    survey = survey_of(me)
    mates = [_mate(me, name, mind) for name in sorted(me.heartbeat)]
    if guests:
        mates += [Mate(n, at=g.at, task=g.task) for n, g in sorted(mind.talk.guests.known.items())]
    things = sorted(mind._astray(me, survey).values(), key=lambda t: t.name)[:MOST_THINGS]
    astray = [_astray(me, survey, thing, mind) for thing in things]
    failed = tuple(t.name for t in things if mind._gave_up(me, t.name) or not mind._can(me, t, me.name))
    places = survey.places() if isinstance(survey, SaidSurvey) else ()
    return Situation(myself(me), tuple(mates), tuple(astray), tuple(rooms(me, _explored(me))), failed, places)


def myself(me: RobotView) -> Mate:
    x, y, _, _ = chart_of(me).pose
    held, battery = me.belief.value("holding", me.name), me.belief.value("battery", me.name)
    return Mate(
        me.name, me.card.manipulates, me.card.payload_kg if me.card.manipulates else None,
        (me.card.camera_m or 1.6) > TALL_M, battery if isinstance(battery, int) else None, (x, y),
        room_at(me.belief, x, y), held if isinstance(held, str) else "",
    )  # fmt: skip


def _mate(me: RobotView, name: str, mind: Heuristic) -> Mate:
    value = me.belief.value
    payload, pose, doing = value("payload", name), value("pose", name), value("doing", name)
    at = (float(pose[0]), float(pose[1])) if isinstance(pose, tuple) else None
    kg = float(payload) if isinstance(payload, (int, float)) else None
    room = room_at(me.belief, *at) if at is not None else ""
    task = doing if isinstance(doing, str) else ""
    astray = mind._astray(me, survey_of(me)).values()
    cannot = tuple(t.name for t in astray if value("failed_at", name, t.name) is True or not mind._can(me, t, name))
    return Mate(
        name, None if kg is None else kg > 0, kg or None, None, None, at, room, None, task, cannot if kg else ()
    )


def _astray(me: RobotView, survey: Survey, thing: Thing, mind: Heuristic) -> Astray:
    place = mind._home(me, survey, thing)
    home = None
    if place is not None:
        survey.update()  # it may be furniture that a guest told of, noted down just now
        _, _, room = place.partition("@")
        kind = FLOOR if room else survey.pieces[place][0]
        home = (kind, survey.kind_of_room(room or survey.pieces[place][1]))
    at = (thing.spot[0], thing.spot[1]) if thing.spot is not None else None
    return Astray(thing.name, thing.kind, thing.where, survey.room_of(thing), at, home)


def _explored(me: RobotView) -> set[str]:
    return {f.args[0] for f in me.belief.facts("explored") if f.value is True}


def rooms(me: RobotView, done: set[str]) -> list[Known]:
    """Rooms that are known, with the steps to where the known ends in them; what is `done` is explored."""
    chart, survey = chart_of(me), survey_of(me)
    found, left = [], chart.frontier
    for room in rooms_known(me.belief):
        nodes = chart.room(number_of(room)) if number_of(room) else 0
        nodes |= chart.beside(nodes)
        goals, left = chart.frontier & nodes, left & ~nodes
        steps = chart.steps_to(goals) if goals and room not in done else None
        found.append(Known(room, survey.kind_of_room(room), steps))
    if left and all(room.steps is None for room in found):
        steps = chart.steps_to(left)
        found += [Known(ANYWHERE, "", steps)] if steps is not None else []
    return found
