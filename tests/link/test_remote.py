"""A mind in another process decides as it would here: the log is the same, byte for byte."""

import gc
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.core.wire import from_wire, to_wire
from coterie.episode.loop import run
from coterie.episode.play import begin, play
from coterie.episode.setup import build, model_for, resolve
from coterie.link import Remote
from coterie.link.lines import Twin
from coterie.log.file import Log
from coterie.worlds import entry_of

#: People and things that hold things: a task brings them, the scene does not know them.
TEA = str(Path(__file__).parents[2] / "examples" / "tea_for_anna.toml")


def play_elsewhere(config, make=Remote, protocol=None):
    """The same episode, with every mind in a process of its own."""
    config = resolve(config)
    world, task = build(config)
    log = Log()
    parties, settings = begin(config, world, task, log)
    ground = entry_of(config.task).ground(read(StartEvent, log.events[0]))
    parties = [replace(p, make=partial(make, protocol or config.protocol, ground)) for p in parties]
    run(world, task, parties, log, model_for(config).answer, settings)
    return log


@pytest.mark.parametrize(
    "config",
    [
        Config(protocol="rules", seed=3, changes=("cto@5",)),
        Config(protocol="dynahmrc", model="oracle", seed=6, team="Ma-MoMa", changes=("cto@5",)),
        Config(protocol="random-legal", seed=7, synchronous=False, level="easy"),
        *(
            pytest.param(config, marks=pytest.mark.long)
            for config in (
                Config(
                    protocol="rules",
                    seed=4,
                    task="sort-solids",
                    team="Ma-MoMa",
                    changes=("anc@5:UAV",),
                    scene="house:17",
                ),
                Config(
                    protocol="rules", seed=5, task="make-sandwich", changes=("rec@5:MoMa",), guard=True, noise="real"
                ),
                Config(protocol="rules", seed=17, task=TEA),
                Config(protocol="coela", model="oracle", seed=18, task=TEA),
            )
        ),
    ],
    ids=lambda c: f"{Path(c.task).stem}-{c.protocol}-{c.seed}",
)
def test_the_log_is_the_same_byte_for_byte(config):
    here, elsewhere = play(config).log.lines(), play_elsewhere(config).lines()
    assert len(here) > 50
    for a, b in zip(here, elsewhere):
        assert a == b
    assert len(here) == len(elsewhere)


def test_the_far_end_is_told_the_place_and_nothing_that_is_hidden_in_it():
    config = resolve(Config(seed=3))
    world, task = build(config)
    log = Log()
    begin(config, world, task, log)
    ground = entry_of(config.task).ground(read(StartEvent, log.events[0]))
    words = to_wire(ground)
    assert not any(thing.name in words for thing, _, _ in task.setting.things)
    grounds = entry_of(config.task).grounds(from_wire(words))
    assert (grounds.map, grounds.listings) == (world.map(), world.listings())


def test_a_protocol_that_sees_more_than_its_robot_is_a_sentence():
    with pytest.raises(CoterieError, match="'expert' sees more than its own robot"):
        play_elsewhere(Config(seed=3), protocol="expert")


def test_a_mind_that_goes_away_is_a_sentence_and_no_process_stays():
    children = []

    class Watched(Remote):
        def __init__(self, protocol, ground):
            super().__init__(protocol, ground)
            children.append(self)

        def decide(self, team, idle):
            if team.step == 2 and self is children[0]:
                self._process.kill()
            return super().decide(team, idle)

    with pytest.raises(CoterieError, match=r"has gone \(exit status -9\)"):
        play_elsewhere(Config(seed=3), make=Watched)
    processes = [c._process for c in children if c._process is not None]
    assert len(processes) == 3
    children.clear()
    gc.collect()
    assert [p.wait(60) for p in processes] == [-9, 0, 0]


def test_a_command_that_is_not_there_is_a_sentence():
    with pytest.raises(CoterieError, match="Cannot start the mind of"):
        play_elsewhere(Config(seed=3), make=partial(Remote, command=("no-such-mind",)))
    with pytest.raises(CoterieError, match="has gone"):
        play_elsewhere(Config(seed=3), make=partial(Remote, command=(sys.executable, "-c", "")))


def test_worlds_without_grounds_say_so():
    with pytest.raises(CoterieError, match="offers no grounds"):
        entry_of("sandwich").grounds({})


def test_two_ends_of_a_belief_that_take_turns_hold_the_same():
    near, far = (Belief({("room", "shelf"): "hall"}, {"contents": "where"}) for _ in range(2))
    one, other = Twin(near), Twin(far)

    def meet(*thoughts):
        other.take(from_wire(to_wire(one.news())))
        for thought in thoughts:
            far.tell(thought)
        one.take(from_wire(to_wire(other.news())))
        assert list(near.facts()) == list(far.facts()) and near.since(0) == far.since(0)
        assert near.members("where", "shelf") == far.members("where", "shelf")

    near.tell(Fact("contents", ("shelf",), ("bowl", "cup"), 1.0, "Bob"))
    meet()
    near.tell(Fact("contents", ("shelf",), ("bowl", "cup"), 2.0, "Bob"))  # only confirmed
    meet(Fact("plan", (), ("wait",), 2.0, "Bob"), Fact("contents", ("table",), ("cup",), 2.0, "Bob"))
    assert near.value("plan") == ("wait",) and near.value("where", "cup") == "table"
    near.tell(Fact("contents", ("shelf",), (), 3.0, "Bob"))
    assert near.value("where", "bowl") is UNKNOWN and far.value("where", "bowl") == "shelf"
    meet()
    assert far.value("where", "bowl") is UNKNOWN
