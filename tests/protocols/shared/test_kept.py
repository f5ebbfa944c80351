"""What is kept of a belief is what it would be if it were worked out anew, at every moment of an episode."""

from __future__ import annotations

import pytest

from coterie.core.config import Config
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.episode.play import play
from coterie.protocols.rules.search_shares import shares
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.remaining import sides
from tests.protocols.rules.situations import Case, view

FOUR = "Ma-MoMa-Mo-UAV"


def told(me: RobotView, r: Reading | None = None) -> tuple[object, ...]:
    r = r or Reading(me)
    if r.goal is UNKNOWN:
        return ()
    team = (r.online, r.cards, r.arm, r.carriers, r.explorers, r.furniture, shares(r))
    things = (r.right, r.wrong, r.missing, r.lost, r.unseen, {t: r.furniture_of(r.where(t)) for t in r.goal.targets})
    stands = ({f: r.stands(f) for f in r.furniture}, {n: r.hand_over_stands(n) for n in r.carriers})
    assert all(sides(r, f) == [s for s, _ in sorted(r.stands(f))] for f in r.furniture)
    visits = {(n, f): r.can_search(n, f) for n in r.explorers for f in r.furniture}
    return team, things, stands, visits


@pytest.mark.parametrize(
    "config",
    [
        Config(seed=3, team=FOUR, level="hard", protocol="rules"),
        Config(seed=4, team=FOUR, protocol="rules", changes=("irz@3:2",), heartbeat="off"),
        Config(seed=5, team="Ma-MoMa-UAV", task="make-sandwich", protocol="rules", changes=("rec@4:MoMa",)),
        Config(seed=6, team="Ma-MoMa", task="sort-solids", protocol="rules", changes=("anc@4:UAV",)),
        Config(seed=7, team="Ma-MoMa", task="sort-solids", protocol="coherent", model="oracle", changes=("cto@4",)),
    ],
    ids=lambda c: "-".join((c.protocol, *c.changes)),
)
def test_what_is_kept_is_what_follows(config):
    looked = 0

    def watch(episode):
        nonlocal looked
        for me in episode.views.values():
            found, again, kept = told(me), told(me, Reading.of(me)), dict(me.belief.kept)
            me.belief.kept.clear()
            assert told(me) == found == again
            me.belief.kept.update(kept)  # it must still hold in the next step
            looked += bool(found)

    play(config, watch=watch)
    assert looked > 10


@pytest.mark.parametrize(
    ("pred", "args", "value"),
    [
        ("allowed", ("Alice", "sofa"), False),
        ("allowed", ("Lucy", "bed"), False),
        ("stand_allowed", ("Alice", "sofa", "stand_pose_0"), False),
        ("stand_allowed", ("Alice", "table_0", "stand_pose_0"), False),
        ("card", ("Alice",), UNKNOWN),
        ("open", ("fridge",), True),
        ("pose", ("Bob",), (0.0, 0.0)),
        ("contents", ("tray",), ("cup_0",)),
        ("where", ("cup_0",), "bed"),
    ],
)
def test_what_is_kept_goes_with_what_it_follows_from(pred, args, value):
    me = view(Case("", "Alice", ("wait",), at="bed"))
    before = told(me)
    me.belief.tell(Fact(pred, args, value, me.time + 1.0, "Bob"))
    after = told(me)
    me.belief.kept.clear()
    assert told(me) == after
    assert after != before
