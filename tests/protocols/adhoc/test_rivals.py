"""Other strangers: what is seen of teammates, which type they are taken for, and what models are asked."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.team_types import counted
from coterie.core.kinds import Misread
from coterie.protocols.adhoc.rivals import oracle as answering
from coterie.protocols.adhoc.rivals.prompted import Cot, Gpl, Naive, next_subtask, predictions, scored
from coterie.protocols.adhoc.rivals.type_inference import Typed
from coterie.protocols.adhoc.subtasks import Phrase
from coterie.protocols.adhoc.types import EVERY, KINDS, ORDER, TYPES, Library, Track, library, symbols
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.learning import Learning
from coterie.protocols.shared.templates import read
from coterie.worlds.household.setting import Start
from tests.protocols.adhoc import test_stranger as stranger
from tests.worlds.household.made import arm, eye


def joined(mind, team=Heuristic, limit=120):
    robots, starts = (arm(sight=2.0), eye(sight=2.0)), {"Ann": Start(1.0, 1.0, 0), "Eve": Start(2.0, 2.5, 90)}
    result, _, log, e = stranger.joined(
        robots, arm("Zoe", sight=2.0), mind, team=team, limit=limit, starts=starts, model=Oracle()
    )
    prompts = [(e.data["stage"], e.data["prompt"]) for e in log.events if e.kind == "ask"]
    return result, log, prompts, e


# -- types ------------------------------------------------------------------------------------------------------------
def walked(*moves):
    """A track of a robot that moves by so many metres between two looks."""
    track, x = Track(), 0.0
    for i, move in enumerate((0.0, *moves)):
        x += move
        track.add(i * EVERY, (x, 0.0), False)
    return track


def made(*runs):
    counts = [counted([run]) for run in runs]
    tables = [np.stack([c[n] for c in counts]) for n in range(ORDER + 1)]
    return Library(tables, np.zeros((len(runs), 7, 3)))


def test_looks_become_symbols_and_gaps_part_them():
    track = walked(0.0, 0.25, 0.5)
    track.add(7, (9.0, 0.0), False)  # too soon
    track.add(12, (9.0, 0.0), True)
    track.add(14, (9.0, 0.0), True)
    assert symbols(track.looks) == [[0, 1, 2], [3]]


def test_the_type_that_predicts_best_is_named():
    known = made([2] * 30, [0, 2] * 15, [0] * 30)
    for way, moves, kind in (
        (known.posterior, [0.5] * 12, 0),
        (known.posterior, [0.0, 0.5] * 6, 1),
        (known.posterior, [0.0] * 12, 2),
    ):
        shares = way([walked(*moves).looks])
        assert shares[TYPES[kind]] > 0.8, shares
    assert known.posterior([]) == pytest.approx(dict.fromkeys(TYPES, 1 / 3))


def test_predictions_are_shares():
    known = library()
    for kind in range(len(TYPES)):
        for past in ([], [2], [0, 2, 2, 1], [3, 3, 3, 3]):
            shares = known.predicted(past, kind)
            assert shares.sum() == pytest.approx(1.0) and len(shares) == KINDS


def test_who_knows_types_watches_and_reads_nothing_else():
    _, log, prompts, e = joined(Typed, Learning)
    zoe = e.roster.agents["Zoe"].side.protocol.mind("Zoe")
    assert set(zoe.tracks) == {"Ann", "Eve"} and len(zoe.tracks["Ann"].looks) > 15
    assert not zoe.company.mates and not prompts
    notes = [x.data for x in log.events if x.kind == "mission"]
    assert notes and sum(notes[-1]["types"].values()) == pytest.approx(1.0, abs=0.01)


# -- replies ----------------------------------------------------------------------------------------------------------
def test_replies_of_rivals_are_read():
    assert next_subtask("[analysis] a\n[result] Explore <room_2>") == Phrase("Explore", ("room_2",))
    assert isinstance(next_subtask("[result] dance"), Misread)
    assert predictions("[result]\n- Bob: Explore <room_1>; Explore\nZoe: x", ["Bob"]) == {
        "Bob": "Explore <room_1>; Explore"
    }
    assert scored("[result]\n1. Explore <room_2> | 7\n2. Stop: 1/10") == [
        (Phrase("Explore", ("room_2",)), 7.0),
        (Phrase("Stop"), 1.0),
    ]
    assert isinstance(scored("[result]\n1. Explore <room_2>"), Misread)


# -- asking -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("mind", "stages"), [(Naive, {"NEXT"}), (Cot, {"NEXT"}), (Gpl, {"PREDICT", "SCORE"})])
def test_rivals_ask_and_help(mind, stages):
    result, log, prompts, _ = joined(mind, limit=160)
    assert {stage for stage, _ in prompts} - {"SKILL", "SEE"} == stages
    assert result.partial > 0
    assert any(e.kind == "did" and e.who == "Zoe" for e in log.events)


def test_thinking_heeds_others_and_not_thinking_does_not():
    _, _, prompts, _ = joined(Cot, limit=60)
    page = next(read(("adhoc/rival_cot",), p) for s, p in prompts if s == "NEXT" and "mug_0 (Mug)" in p[1][1])
    assert "mug_0" in answering.plainly(page)
    bob = "Bob: at (6, 2), in room_2, holds nothing, battery 90 steps, sub-task Re-place <mug_0> <CounterTop> <Kitchen>"
    taken = page.but(states=f"{bob}\n{page['states']}")
    assert "mug_0" in answering.plainly(taken) and "<mug_0>" not in answering.step_by_step(taken)
