"""Logs of small steps: short, true, whole after a kill, and read by everybody who reads logs."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from coterie.bench.metrics import episode_metrics
from coterie.bench.validate import validate
from coterie.core.config import Config
from coterie.core.event import from_line, to_line
from coterie.core.records import DidEvent, SeeEvent, typed
from coterie.episode.play import play
from coterie.episode.setup import resolve
from coterie.log.file import read_log
from coterie.log.fold import frames, moments, opened
from coterie.worlds import make_task

TIDY = Config(task="tidy", scene="rooms:2:7", team="drawn:3", seed=7)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One episode with its log on disk, and what was true and known of the ground after every step."""
    path = tmp_path_factory.mktemp("log") / "tidy.jsonl"
    kept = []

    def watch(e):
        facts = {k: v for k, v in e.world.truth.facts.items() if k[0] in ("pose", "battery", "holding", "where")}
        areas = {n: copy.deepcopy(v.belief.area) for n, v in e.views.items()}
        kept.append((facts, areas))

    return play(TIDY, path, watch=watch), path, kept


def test_a_step_is_one_line_and_a_robot_step_under_200_bytes(played):
    result, path, _ = played
    events = read_log(path)
    steps = [e for e in events if e.kind in ("did", "act")]
    assert result.result.success and len(steps) > 200
    failed = sum(e.kind == "outcome" for e in events)
    assert sum(e.kind == "did" for e in events) == len(steps) - failed and failed < len(steps) / 10
    first = len(path.read_text().splitlines()[0])  # the house and the cards, told once
    assert (path.stat().st_size - first) / len(steps) < 200


def test_every_line_survives_and_says_what_it_says(played):
    for event in played[0].log.events:
        line = to_line(event)
        for e in (event, from_line(line)):
            assert to_line(e._replace(data=typed(e).data())) == line


@pytest.mark.long
def test_what_readers_take_for_true_is_true(played):
    """What is learnt at the end of a step is in the log with the next look, and nothing else is missing."""
    _, path, kept = played
    before = {}
    for state, (facts, areas) in zip(frames(read_log(path))[1:], kept, strict=True):
        told = {k: tuple(v) if isinstance(v, list) else v for k, v in state.true.items()}
        for key, value in facts.items():
            if key[0] != "battery" or key in told:  # what it is at first stands on the card
                assert told.get(key) == value, (state.step, key)
        for robot, area in areas.items():
            read = state.robots[robot].area
            assert within(read, area)
            acted = state.robots[robot].act is not None and state.robots[robot].act.step == state.step
            assert not acted or robot not in before or within(before[robot], read)
        before = areas


def within(some, area):
    """Whether an area tells nothing that the other does not."""
    rows, columns = np.nonzero(some.cells)
    cells = zip(rows.tolist(), columns.tolist())
    return all(int(some.cells[r, c]) <= area.at(c + some.low[0], r + some.low[1]) for r, c in cells)


def test_moments_hold_what_was_done(played):
    events = played[0].log.events
    state = opened(events)
    acts = [act for moment in moments(state, events) for act in moment.acts]
    assert len(acts) == sum(e.kind in ("did", "act") for e in events)
    assert {a.status for a in acts} <= {"done", "failed"} and any(a.skill == "PickUp" and a.done for a in acts)
    assert state.robots["Alice"].trail[-1][1] == state.robots["Alice"].pose


def test_it_is_scored_and_validated(played):
    events = played[0].log.events
    score = episode_metrics(events)
    assert score["success"] and score["ts"] == played[0].result.steps and score["calls"] == 0
    assert score["decisions"] == sum(e.kind in ("did", "act") for e in events)
    assert validate(events).ok
    did = next(i for i, e in enumerate(events) if e.kind == "did" and e.data["skill"] == "MoveAhead")
    forged = [*events[:did], events[did]._replace(data={**events[did].data, "skill": "MoveBack"}), *events[did + 1 :]]
    assert not validate(forged).ok


def test_who_does_not_wait_for_others_is_told_in_full():
    config = resolve(Config(task="tidy", scene="rooms:1:2", team="drawn:3", seed=2, synchronous=False))
    log = play(config, task=replace(make_task(config), step_limit=30)).log
    kinds = {e.kind for e in log.events}
    assert {"act", "outcome", "see"} <= kinds and "did" not in kinds
    assert any(SeeEvent.from_event(e).area for e in log.events if e.kind == "see")


def test_a_brief_line_is_read_as_rows():
    told = SeeEvent(saw={"kind": {"mug_0": "Mug"}}, told={"Bob": {"where": {"mug_0": "bed_0"}}})
    assert list(told.rows("Ann")) == [("kind", ("mug_0",), "Mug", "Ann"), ("where", ("mug_0",), "bed_0", "Bob")]
    assert DidEvent("MoveAhead").data() == {"skill": "MoveAhead"} and DidEvent("MoveAhead").seen is None
