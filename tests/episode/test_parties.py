"""Several parties in one episode, from a configuration."""

from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.parties import parse_party
from coterie.episode.play import play
from coterie.episode.setup import build, resolve
from coterie.log.file import Log

STRANGER = {"team": "Ma-MoMa", "changes": ("anc@5:UAV",), "parties": ("stranger=rules:Lucy",), "seed": 3}


def test_a_party_is_a_name_a_protocol_and_robots():
    assert parse_party("scouts=rules:Lucy, David") == ("scouts", "rules", ("Lucy", "David"))
    assert parse_party("a=dynahmrc:no-leader:Lucy").protocol == "dynahmrc:no-leader"


@pytest.mark.parametrize(
    ("parties", "words"),
    [
        (("scouts",), "'scouts' is not a party: write NAME=PROTOCOL:ROBOT,ROBOT"),
        (("scouts=rules",), "is not a party"),
        (("scouts=rules:",), "is not a party"),
        (("team=rules:Lucy",), "'team' is the party of everybody else"),
        (("scouts=rulez:Lucy",), "No protocol 'rulez'. Did you mean 'rules'"),
        (("scouts=roco:Lucy",), "The protocol 'roco' cannot play 'pack-objects'"),
        (("a=rules:Lucy", "a=rules:Bob"), "The party 'a' is named twice"),
        (("a=rules:Lucy", "b=rules:Lucy"), "The robot 'Lucy' is named twice"),
        (("a=rules:Luzy",), "No robot 'Luzy'. Did you mean 'Lucy'"),
        (("a=rules:Lucy,Alice,Bob",), "--party leaves nobody in the team"),
    ],
)
def test_complaints(parties, words):
    with pytest.raises(CoterieError) as said:
        play(Config(parties=parties))
    assert words in str(said.value)


def test_between_parties_nothing_travels_but_words():
    played = play(Config(parties=("scouts=rules:Lucy",), seed=4, scene="flat"))
    own = [e for e in played.log.events if e.kind == "see" and e.who == "Lucy"]
    sources = {f[3] for e in own for f in e.data["facts"]}
    assert sources <= {"Lucy", "task", "status"}, "nothing that another robot told with its words"
    beats = {f[1][0] for e in own for f in e.data["facts"] if f[0] == "online"}
    assert not beats, "who is in another party is not announced"
    together = play(Config(seed=4, scene="flat"))
    told = {f[3] for e in together.log.events if e.kind == "see" and e.who == "Lucy" for f in e.data["facts"]}
    assert {"Alice", "Bob"} & told


def test_the_team_does_not_wait_for_a_stranger_but_for_a_teammate():
    _, task = build(Config(**STRANGER))
    assert [c.awaited for c in task.changes] == [False]
    _, task = build(Config(**{**STRANGER, "parties": ()}))
    assert [c.awaited for c in task.changes] == [True]


def test_a_party_with_a_model_needs_one():
    assert resolve(Config(parties=("a=dynahmrc:Lucy",))).model == "embedded"
    assert resolve(Config(parties=("a=rules:Lucy",))).model == "none"


def test_an_episode_with_a_stranger_is_resumed_byte_for_byte():
    lines = play(Config(**STRANGER)).log.lines()
    config = Config(**STRANGER)
    assert [e for e in lines if '"join"' in e]
    from coterie.episode.loop import run
    from coterie.episode.play import begin

    for cut in range(2, len(lines), 29):
        world, task = build(config)
        log = Log(past=lines[:cut])
        parties, settings = begin(resolve(config), world, task, log)
        run(world, task, parties, log, lambda asks: [], settings)
        assert log.lines() == lines


def test_arms_of_two_parties_work_at_one_table():
    """Each expert says what its own arms do in a round; the round is checked and moved as one."""
    config = resolve(Config(task="sweep-floor", parties=("other=task-expert:Bob",)))
    played = play(config, task=replace(build(config)[1], step_limit=3))
    done = [e.data["status"] for e in played.log.events if e.kind == "outcome"]
    assert done and set(done) == {"done"}
    assert {e.who for e in played.log.events if e.kind == "act" and e.data["skill"] != "wait"} >= {"Bob"}
