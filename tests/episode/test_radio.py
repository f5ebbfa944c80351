"""A radio that fails: what is lost, late, twice or too far, and what is sent again."""

import json
from dataclasses import replace

import pytest

from coterie.core.action import WAIT, Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.core.protocol import SoloProtocol, TeamProtocol
from coterie.episode.loop import Settings, run
from coterie.episode.play import play
from coterie.episode.radio import Radio, parse_radio
from coterie.episode.setup import build, resolve
from coterie.log.file import Log
from coterie.protocols import protocols
from examples.yard import YardWorld
from tests.memo.quick import quick  # noqa: F401
from tests.yard import parties, solo, yard_task


class Chatty(SoloProtocol):
    """Says one thing a step, and keeps what it hears."""

    heard: list = []

    def act(self, me):
        Chatty.heard += [(me.name, me.step, m.text) for m in me.inbox]
        me.inbox.clear()
        me.say(f"{me.name} {me.step}", facts=[Fact("news", (me.name,), me.step, me.time, me.name)])
        return Action(WAIT)


def talk(radio, steps=40, mind=Chatty, seed=0, world=YardWorld):
    Chatty.heard = []
    task, log = yard_task(step_limit=steps), Log()
    run(world(task), task, parties(mind), log, lambda asks: [], Settings(seed=seed, radio=radio))
    return log.events, Chatty.heard


def test_a_radio_that_does_not_fail_is_none():
    assert parse_radio("none") is None and parse_radio("") is None
    assert parse_radio("loss=0.3,range=6") == Radio(range=6, loss=0.3)
    for text, words in {
        "los=1": "Did you mean 'loss'",
        "loss=x": "write a number",
        "resend=0.5": "write a whole number",
        "loss=1.1": "between 0 and 1",
        "delay=-1": "between 0 and",
        "range=nan": "between 0 and",
    }.items():
        with pytest.raises(CoterieError, match=words):
            parse_radio(text)


@pytest.mark.parametrize(
    "text, sure",
    [*((text, True) for text in ("none", "text=1", "duplicate=0.5")),
     *((text, False) for text in ("range=6", "loss=0.1", "delay=2"))],
)  # fmt: skip
def test_a_robot_knows_whether_all_that_is_said_is_heard(text, sure):
    seen = []

    talk(parse_radio(text), steps=2, mind=solo(lambda me: seen.append(me.sure) or WAIT))
    assert seen and set(seen) == {sure}


def test_without_failures_everybody_hears_everything():
    quiet, all_heard = talk(None)
    perfect, heard = talk(Radio())
    assert heard == all_heard and len(heard) > 70
    assert [e[:6] for e in perfect] == [e[:6] for e in quiet], "and the log is the same"


def test_what_is_lost_is_lost_on_a_bare_radio_and_the_log_says_for_whom():
    events, heard = talk(Radio(loss=0.5, resend=0), steps=200)
    sent = sum(e.kind == "say" for e in events)
    missed = sum(len(who) for e in events if e.kind == "radio" for who in e.data["missed"].values())
    assert len(heard) < sent and abs(missed / sent - 0.5) < 0.1
    assert all(e.causes and events[e.causes[0]].kind == "say" for e in events if e.kind == "radio")


def test_what_was_not_acknowledged_is_sent_again():
    events, heard = talk(Radio(loss=0.5), steps=200)
    at_first = [e for e in events if e.kind == "radio" and e.data.get("missed")]
    at_last = [e for e in events if e.kind == "radio" and e.data.get("heard")]
    assert len(at_first) > 50 and len(at_last) > 0.9 * len(at_first)
    assert len(heard) == len(set(heard)), "nothing is heard twice, also where the acknowledgement was lost"
    assert max(e.data["tries"] for e in at_last) > 2
    late = {e.causes[0]: e.step - events[e.causes[0]].step for e in at_last}
    assert min(late.values()) >= 0 and max(late.values()) > 0


def test_copies_are_heard_only_on_a_bare_radio():
    _, bare = talk(Radio(duplicate=0.5, resend=0), steps=100)
    assert len(bare) > 1.3 * len(set(bare))
    _, numbered = talk(Radio(duplicate=0.5), steps=100)
    assert len(numbered) == len(set(numbered))


def test_a_delay_is_of_simulated_time():
    events, heard = talk(Radio(delay=2.5), steps=30)
    for name, step, text in heard:
        said = int(text.split()[1])
        assert step > said, f"{name} hears {text} later than it was said"
    moments = [(e.t - events[e.causes[0]].t) for e in events if e.kind == "radio" and e.data.get("heard")]
    assert moments and min(moments) >= 2.5


class Far(YardWorld):
    def distance(self, a, b):
        return 1.0 if self.now < 5 else 9.0


def test_who_is_too_far_away_hears_nothing():
    events, heard = talk(Radio(range=3.0, resend=0), world=Far)
    assert {step for _, step, _ in heard} and max(step for _, step, _ in heard) < 10
    assert all("out of range" in e.data["missed"] for e in events if e.kind == "radio")


def test_worlds_know_how_far_robots_are_apart():
    world, task = build(Config(task="pack-objects"))
    (a, _), (b, _), *_ = task.robots
    (x, y), (u, v) = world.truth["pose", a], world.truth["pose", b]
    assert world.distance(a, b) == pytest.approx(((x - u) ** 2 + (y - v) ** 2) ** 0.5)
    assert world.distance(a, "nobody") is None
    assert YardWorld(yard_task()).distance("Ada", "Bo") > 0
    world, _ = build(Config(task="sort-cubes"))
    assert world.distance("Alice", "Chad") == pytest.approx(1.6, abs=0.01)
    assert world.distance("Alice", "nobody") is None


class Nowhere:
    """A world that does not say how far robots are apart."""

    def __init__(self, task):
        self._world = YardWorld(task)

    def __getattr__(self, name):
        if name == "distance":
            raise AttributeError(name)
        return getattr(self._world, name)


def test_a_range_needs_distances():
    with pytest.raises(CoterieError, match="leave range= out"):
        talk(Radio(range=3.0), world=Nowhere)


def test_arms_too_far_along_the_table_hear_nothing(tmp_path, quick):  # noqa: F811
    """Alice and Chad are 1.6 m apart, Bob is in between."""
    path = tmp_path / "x.jsonl"
    config = resolve(Config(task="sort-cubes", protocol="roco", model="oracle", radio="range=1.5,resend=0"))
    play(config, path, task=replace(build(config)[1], step_limit=1))
    events = [json.loads(line) for line in path.read_text().splitlines()]
    missed = {(e[4], *who) for e in events if e[3] == "radio" for who in e[5]["missed"].values()}
    assert missed == {("Alice", "Chad"), ("Chad", "Alice")}


@pytest.mark.parametrize(
    ("radio", "protocol"),
    [
        ("loss=0.4", "dynahmrc"),
        ("loss=0.4,resend=0", "rules"),
        ("range=1", "rules"),
        ("delay=3", "dynahmrc"),
        ("duplicate=0.5,resend=0", "rules"),
    ],
)
def test_an_episode_repeats_and_resumes(tmp_path, radio, protocol):
    model = "oracle" if protocol == "dynahmrc" else ""
    config = Config(protocol=protocol, seed=5, radio=radio, model=model, level="easy")
    path = tmp_path / "x.jsonl"
    play(config, path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert any(json.loads(line)[3] == "radio" for line in lines) or "duplicate" in radio
    for part in (len(lines) // 5, len(lines) // 2):
        path.write_bytes(b"".join(lines[:part]))
        play(config, path, resume=True)
        assert path.read_bytes() == whole


class Deaf(TeamProtocol):
    """Waits for words that never come."""

    def decide(self, team, idle):
        while not team.me.belief.fact("never"):
            yield []


class Endless(TeamProtocol):
    def decide(self, team, idle):
        while True:
            team.me.say("And another thing.")
            yield []


@pytest.mark.parametrize(("mind", "why"), [(Deaf, "in vain"), (Endless, "without an end")])
def test_every_wait_ends(mind, why, monkeypatch):
    monkeypatch.setattr("coterie.episode.deciding.MOST_ROUNDS", 50)
    events, _ = talk(None, steps=2, mind=mind)
    acts = [e.data for e in events if e.kind == "act"]
    assert len(acts) == 4 and all(a["skill"] == WAIT and why in a["why"] for a in acts)


def test_an_election_ends_where_nothing_is_heard():
    """Also that of a referee, whose word the others wait for."""
    for protocol in ("dynahmrc", "dynahmrc:random-votes"):
        if protocol in protocols:
            config = Config(protocol=protocol, model="oracle", seed=1, radio="loss=1,resend=0", level="easy")
            assert play(config).result.steps > 0


def test_copies_come_with_a_delay_too_and_stand_in_the_log():
    events, heard = talk(Radio(duplicate=1.0, delay=1.5, resend=0), steps=20)
    assert heard and all(heard.count(item) == 2 for item in set(heard))
    told = [e for e in events if e.kind == "radio" and e.data.get("twice")]
    assert len(told) == sum(e.kind == "say" for e in events)
