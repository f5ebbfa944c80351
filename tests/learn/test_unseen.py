"""What a robot has not perceived does not enter its samples: neither prompts, nor labels, nor the names drawn for them.

Two worlds that differ in what nobody has seen yet are played by a player that errs. Each robot's samples are the same
until it perceives the difference.
"""

from dataclasses import replace

import pytest

from coterie.bench import playing
from coterie.core.config import Config
from coterie.core.event import to_line
from coterie.episode.radio import OFF
from coterie.episode.setup import build
from coterie.learn import demos
from coterie.protocols.noisy_oracle import Straying
from tests.protocols.test_non_interference import other_world

CONFIG = Config(
    "pack-objects", "Ma-MoMa-UAV", seed=2, scene="house:4", protocol="dynahmrc", model="oracle", heartbeat=OFF
)  # fmt: skip


def taken(monkeypatch, config, task, teacher):
    """For every robot what it perceived, and the samples of each of its requests, in their order."""
    made, logs = {}, []
    sample, labelled = demos._sample, demos._labelled

    def noting(ask, *rest):
        made.setdefault(ask.robot, {}).setdefault(id(ask), []).append(found := sample(ask, *rest))
        return found

    def keeping(one, *rest):
        logs.append(one.running.log.events)
        return labelled(one, *rest)

    with monkeypatch.context() as m:
        m.setattr(playing, "drawn", lambda job: task)
        m.setattr(demos, "_sample", noting)
        m.setattr(demos, "_labelled", keeping)
        list(demos.played([config], Straying(0.1), teacher=teacher, rename=0.9))
    waiting = {name: list(samples.values()) for name, samples in made.items()}
    found = {name: [] for name in made}
    for e in logs[0]:
        if e.kind in ("see", "outcome", "refused"):
            found[e.who].append(("in", to_line(e._replace(seq=0, causes=()))))
        elif e.kind in ("message", "say"):
            for name in (n for n in found if n != e.who and (n in e.data["to"] or "all" in e.data["to"])):
                found[name].append(("in", f"{e.who}: {e.data['text']} {e.data['facts']}"))
        elif e.kind == "ask":
            found[e.who].append(("learn", waiting[e.who].pop(0)))
    assert not any(waiting.values()), "every request stands in the log"
    return found


def compare(monkeypatch, one, two, config=CONFIG, teacher=lambda task: demos.teach):
    """How many requests were compared, and how many robots perceived a difference."""
    a, b = (taken(monkeypatch, config, task, teacher(task)) for task in (one, two))
    compared = parted = 0
    for name in a.keys() & b.keys():
        for (kind, here), (other, there) in zip(a[name], b[name]):
            if kind == other == "learn":
                assert here == there, f"{name} learns otherwise from the same perceptions"
                compared += len(here)
            elif (kind, here) != (other, there):
                parted += 1
                break
    return compared, parted


@pytest.fixture(scope="module")
def worlds():
    _, task = build(CONFIG)
    return task, other_world(task, 2)


def drone_away(task):
    away = max((f.stands[0] for f in task.setting.scene.furniture if f.stands), key=sum)
    return replace(task, setting=replace(task.setting, starts=((task.robots[-1][0], away),)))


def test_things_that_lie_elsewhere(monkeypatch, worlds):
    compared, parted = compare(monkeypatch, *worlds)
    assert compared > 20 and parted >= 2


def test_a_robot_that_begins_elsewhere(monkeypatch):
    """The drone stands in another corner of the house; the others go about their work until they meet or hear it."""
    config = replace(CONFIG, seed=12, scene="house:12")
    _, task = build(config)
    compared, parted = compare(monkeypatch, task, drone_away(task), config)
    assert compared > 20 and parted


def test_a_door_that_somebody_closes_and_robots_that_slip_far_away(monkeypatch):
    """Closed behind their backs in one of two worlds, in which robots also slip."""
    config = replace(CONFIG, scene="flat", changes=("door@0:kitchen_door",), noise="slip=0.2")
    _, shut = build(config)
    compared, parted = compare(monkeypatch, shut, replace(shut, changes=()), config)
    assert compared > 20 and parted


# -- that it would be noticed -----------------------------------------------------------------------------------------
def test_a_teacher_that_knows_the_world_is_caught(monkeypatch, worlds):
    def knowing(task):
        places = ", ".join(place for _, place, _ in task.setting.things)
        return lambda prompt: demos.teach(prompt).replace("Thought: ", f"Thought: {places}. ", 1)

    with pytest.raises(AssertionError, match="learns otherwise"):
        compare(monkeypatch, *worlds, teacher=knowing)


def test_names_that_hang_on_where_things_lie_are_caught(monkeypatch, worlds):
    names = demos._Taken.names
    monkeypatch.setattr(
        demos._Taken, "names", lambda self: [*names(self), *(f"{t}_{p}" for t, p in where(self.running.world))]
    )
    with pytest.raises(AssertionError, match="learns otherwise"):
        compare(monkeypatch, *worlds)


def where(world):
    return [(thing.name, place) for thing, place, _ in world.setting.things]
