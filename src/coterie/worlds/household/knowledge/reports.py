"""What a robot was told in words of things and furniture, noted down by its mind: with the speaker as the source, and
never against what the robot has seen itself, before or after. So it counts as older than anything that is seen; but who
said that it carries a thing is believed where it put it down."""

from __future__ import annotations

import math
from functools import cache

from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR
from coterie.houses.placement import kinds, surface_m
from coterie.houses.procthor.items import snake

HEARD_AT = -1.0  # the time of such facts
WIDE_M = 0.4  # of furniture of which only the place was told
HIGH_M = 0.7  # how high a thing is taken to lie that is said to be on furniture
MOST_M = 1e4  # places further off are of no house
SAME_M = 0.15  # places as near as that are one


@cache
def kind_by_name(name: str) -> str:
    """The kind that a name such as `counter_top_0` speaks of; empty where it is none of the world's."""
    word = name.rpartition("_")[0]
    return next((kind for kind in kinds() if snake(kind) == word), "")


def note_thing(
    belief: Belief,
    me: str,
    who: str,
    name: str,
    kind: str,
    on: str,
    room: str,
    at: tuple[float, float],
    when: float = HEARD_AT,
) -> bool:
    """A thing that `who` said lies somewhere; whether it was news. What `me` has seen itself stands, unless `who` has
    carried it since: then `when` is the time at which it said where it put it."""
    known = kinds().get(kind)
    if known is None or not known.thing or not on or any(abs(v) > MOST_M for v in at):
        return False
    spot = belief.fact("spot", name)
    if spot is not None and isinstance(spot.value, tuple) and math.dist(spot.value[:2], at) < SAME_M:
        return False
    found = {"kind": kind, "where": on, "spot": (*at, 0.0 if on == FLOOR else HIGH_M)}
    facts = [Fact(pred, (name,), value, when, who) for pred, value in found.items()]
    piece = kind_by_name(on)
    if piece and room and belief.value("in_room", on) is UNKNOWN:
        facts += [Fact("kind", (on,), piece, HEARD_AT, who), Fact("in_room", (on,), room, HEARD_AT, who)]
    return belief.tell_all(facts) > 0


def note_piece(belief: Belief, who: str, name: str, kind: str, room: str, at: tuple[float, float]) -> bool:
    """A receptacle that `who` said stands somewhere; whether it was news. Its size is not known, only how high things
    usually lie on such."""
    known = kinds().get(kind)
    if known is None or not known.receptacle or not room or any(abs(v) > MOST_M for v in at):
        return False
    if belief.value("box", name) is not UNKNOWN:
        return False
    high = known.size_m[2]
    box = (*at, WIDE_M, WIDE_M, high, 0.0, surface_m(kind, high), 0.0)
    facts = {"kind": kind, "box": box, "in_room": room}
    return belief.tell_all(Fact(pred, (name,), value, HEARD_AT, who) for pred, value in facts.items()) > 0


def let_go(me: RobotView) -> None:
    """Places that are seen to be empty: what was only said to lie there is not believed any more."""
    for fact in me.now.gone if me.now is not None else ():
        if fact.pred != "spot":
            continue
        spot = me.belief.fact("spot", fact.args[0])
        heard = spot is not None and spot.source != me.name and isinstance(spot.value, tuple)
        if heard and math.dist(spot.value[:2], fact.value[:2]) < SAME_M:  # type: ignore[union-attr, index]
            me.belief.tell(Fact("spot", fact.args, UNKNOWN, me.time, me.name))
