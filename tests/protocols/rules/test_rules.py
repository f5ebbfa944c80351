"""Rule minds: pure, quick to learn, and able to cope with every change."""

import copy
import pickle
from collections import Counter

import pytest

from coterie.core.action import Action, Cause, Outcome
from coterie.core.config import Config
from coterie.core.protocol import Party
from coterie.core.record import plain
from coterie.episode.loop import Episode, Settings, run
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.log.file import Log
from coterie.protocols.rules import ARM, Memory, Rules, next_action
from coterie.worlds.indoor.skills import skills


def outcomes(played):
    return [e for e in played.log.events if e.kind == "outcome"]


def test_things_are_found_and_the_hidden_rule_is_learnt_once():
    broken = 0
    for team in ("Ma-MoMa", "Ma-UAV", "Ma-Mo-UAV", "Ma-MoMa-Mo-UAV"):
        done = 0
        for seed in range(4):
            played = play(Config(team=team, seed=seed, scene=f"house:{2 * seed + 1}"))
            done += played.result.success
            who = [e.who for e in outcomes(played) if plain(e.data.get("cause", {})).get("clause") == "may_place"]
            assert len(set(who)) == len(who)
            broken += len(who)
        assert done >= 3, team
    assert broken > 0  # it is not known beforehand


@pytest.mark.parametrize(
    ("change", "team"),
    [
        ("cto@5", "Ma-MoMa-UAV"),
        ("irz@5:3", "Ma-MoMa-Mo-UAV"),
        ("irz@5", "Ma-MoMa-Mo"),
        ("anc@5:UAV", "Ma-MoMa"),
        ("anc@5:MoMa", "Ma-Mo-UAV"),
        ("rec@5:MoMa", "Ma-MoMa-UAV"),
        ("rec@5:UAV", "Ma-MoMa-Mo-UAV"),
    ],
)
def test_changes_are_coped_with_and_no_failing_action_is_repeated_for_ever(change, team):
    done, bites = 0, 0
    for seed in range(3):
        kind = ("pack-objects", "sort-solids", "make-sandwich")[seed % 3]
        played = play(Config(task=kind, team=team, seed=seed, scene=f"house:{2 * seed + 1}", changes=(change,)))
        fired = [e for e in played.log.events if e.kind == "change"]
        assert [e.step for e in fired] == [5]
        bites += fired[0].data["bites"]
        done += played.result.success
        failed = Counter((e.who, e.data["action"]) for e in outcomes(played) if e.data["status"] == "failed")
        assert max(failed.values(), default=0) <= 3, failed
    assert done >= 2 and bites >= 2


def snapshot_of_views():
    """Views of all robots in the middle of an episode."""
    config = Config(seed=3, scene="house:7")
    world, task = build(config)
    party = Party("team", Rules, tuple(n for n, _ in task.robots))
    views = []

    def watch(episode: Episode) -> None:
        if episode.step in (2, 5, 8):
            episode.observe()
            views.extend((copy.deepcopy(v), episode.mind(v.name).memory) for v in episode.views.values())

    run(world, task, [party], Log(), lambda asks: [], Settings(seed=3), watch)
    return views


def test_pure_functions_of_belief_and_memory():
    views = snapshot_of_views()
    assert len(views) >= 6
    for view, memory in views:
        before = pickle.dumps([tuple(f) for f in view.belief.facts()])
        first = next_action(view, memory)
        assert next_action(view, memory) == first
        assert pickle.dumps([tuple(f) for f in view.belief.facts()]) == before
        assert hash(memory) == hash(copy.copy(memory))


@pytest.mark.parametrize("status", ["failed", "refused"])
def test_what_the_arm_cannot_do_from_here_is_told_by_the_cause_and_not_by_the_words(status):
    pick = skills.get("pick")
    assert {c.name for c in pick.when} > ARM
    view = next(v for v, _ in snapshot_of_views() if v.card.moves and v.card.manipulates)
    pick = Action("pick", ("apple_0",))
    for clause in [c.name for c in skills.get("pick").when]:
        view.outcome = Outcome(view.name, pick, status, "The state of the arm is invalid.", cause=Cause(clause))
        _, memory = next_action(view, Memory(introduced=True))
        elsewhere = any(what.startswith("no way to apple_0") for what in memory.said)
        assert (elsewhere, bool(memory.failed(str(pick), view.step))) == (clause in ARM, clause not in ARM)


def test_asks_for_what_the_arm_cannot_reach():
    played = play(Config(seed=1, scene="house:3", level="medium"))
    said = [e.data["text"] for e in played.log.events if e.kind in ("message", "say") and e.who == "Bob"]
    assert any("Out of my reach" in text and "please bring" in text for text in said)
    assert played.result.success
