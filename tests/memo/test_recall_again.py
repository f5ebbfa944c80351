"""A memo beside an episode: what is kept when it is played again, what is said of it, what its log tells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coterie.cli.memo_words import WAYS, memo_story, memo_words
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.facts import Belief
from coterie.core.protocol import RobotView
from coterie.episode.play import episode_key, play
from coterie.episode.setup import resolve, sight
from coterie.memo import Act, Case, Memo, MemoSettings, Plan, Thing, draft
from coterie.memo.before import Recall, first_case, spent
from coterie.worlds.indoor.bodies import team
from coterie.worlds.tabletop.recall import plan_of
from examples.yard import YardEntry
from tests.memo.made import pack
from tests.memo.quick import episode, notes


def remembered(joint) -> bool:
    return any(a.why == "remembered" for a in joint.values())


# -- played again -----------------------------------------------------------------------------------------------------
KEY = "sort-cubes/mecobench-similar/10000/task-expert/none"


def test_a_run_that_fails_or_breaks_off_loses_no_task(memo, quick):
    """Its task stays, and so does what others used it for, until it is solved again."""
    episode(memo, 10_001)

    def kept() -> list[tuple]:
        with Memo(memo) as store:
            rows = sorted(store.store.rows())
            assert (rows[0].episode, rows[0].freq) == (KEY, 1)
            return [(r.id, r.episode, store.store.get(r.id).plan.to_json()) for r in rows]

    before = kept()
    quick.fails = staticmethod(lambda joint, n: "Failed to execute: slipped.")
    assert not episode(memo, 10_000).result.success
    assert kept() == before

    def killed(joint, n):
        raise KeyboardInterrupt

    quick.fails = staticmethod(killed)
    with pytest.raises(KeyboardInterrupt):
        episode(memo, 10_000)
    assert kept() == before
    quick.fails = staticmethod(lambda joint, n: "")
    played = episode(memo, 10_000)
    assert played.result.success and "in place of" in played.remembered
    assert [(i, e) for i, e, _ in kept()] == [(i, e) for i, e, _ in before]
    assert notes(played)[0]["episode"] != KEY, "it does not find itself"


def test_houses_do_not_overwrite_each_others_lessons(tmp_path):
    path = tmp_path / "memo.sqlite"
    for scene, bodies in (("flat", ""), ("loft", ""), ("flat", "Ma-MoMa"), ("flat", "")):
        config = Config(protocol="rules", seed=3, level="easy", scene=scene, team=bodies, memo="memo")
        assert play(config, memo=path).result.success
    with Memo(path) as store:
        assert store.store.lesson_count() == 3


def test_every_choice_that_changes_an_episode_is_in_its_name():
    plain = Config(task="pack-objects", seed=1)
    others = [
        replace(plain, **change)
        for change in (
            {"team": "Ma-MoMa"},
            {"scene": "loft"},
            {"changes": ("cto@5",)},
            {"noise": "real"},
            {"arms": "planned"},
            {"guard": True},
            {"synchronous": False},
            {"level": "easy"},
            {"seed": 2},
        )
    ]
    names = [episode_key(resolve(c)) for c in (plain, *others)]
    assert len(set(names)) == len(names)
    assert names[0] == "pack-objects/medium-search/1/rules/none"
    same = [replace(plain, team="Ma-MoMa-UAV"), replace(plain, scene="flat"), replace(plain, memo="memo:k=3")]
    assert {episode_key(resolve(c)) for c in same} == {names[0]}


# -- what is said -----------------------------------------------------------------------------------------------------
def told(played) -> str:
    return "\n".join(memo_words(memo_story(played.log.events, played.planning_s, played.saved)))


def test_what_a_run_took_itself_was_not_saved(memo, quick):
    first = spent(episode(memo, 10_000).log.events)
    assert first["calls"] > 1
    whole = told(episode(memo, 10_001))
    assert f"saved {first['calls']} calls and 0 tokens: this run took 0 calls" in whole
    assert "reused after they passed every check" in whole and "newly planned" not in whole
    quick.words = staticmethod(lambda joint, n: "Collision detected" if remembered(joint) and n == 1 else "")
    played = episode(memo, 10_002)
    own = spent(played.log.events)["calls"]
    assert 0 < own < first["calls"]
    part = told(played)
    assert "round 2 of the remembered plan failed, and the team went on by itself: Collision detected" in part
    assert f"saved {first['calls'] - own} calls" in part and f"this run took {own} calls" in part
    assert "newly planned" in part
    asked = told(episode(memo, 10_003, protocol="central-plan"))
    assert "and 0 tokens: this run took" in asked, "a model that goes on costs tokens, an expert none"
    quick.fails = staticmethod(lambda joint, n: "Failed to execute" if n else "")
    assert "saved" not in told(episode(memo, 10_004)), "it did not get there"


def story(*events) -> str:
    return "\n".join(memo_words(memo_story(events, 0.0, {})))


def test_ways_of_motions_and_rounds_that_were_put_together_are_told():
    found = Event(0, 0, 0.0, "memo", "", {"found": True, "text": "Found."}, ())
    how = [["how", [], ["reused", "guided", "led", "straight", "bit*", *WAYS]]]
    words = story(found, Event(1, 0, 0.0, "truth", "", {"facts": how}, ()))
    for part in ("2 reused after", "2 guided by", "2 led along", "2 straight", "1 guided, with", "1 along a PATH"):
        assert part in words
    assert "1 newly planned" in words and "saved" not in words
    miss = Event(9, 0, 0.0, "memo", "", {"found": False, "why": "no similar task"}, ())
    led, own = (
        Event(n, n, 0.0, "act", "Bob", {"skill": "wait", "args": [], "origin": o}) for n, o in enumerate(["memo", ""])
    )
    assert story(miss, led, own).startswith("no similar task; 1 of 2 rounds were done as in earlier episodes")
    assert "nothing was used again: no similar task" in story(miss, own)


def test_a_resumed_run_knows_what_the_earlier_task_took(memo, tmp_path):
    log = tmp_path / "log.jsonl"
    whole = episode(memo, 10_001, log=log)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))
    again = episode(memo, 10_001, log=log, resume=True)
    assert again.saved == whole.saved and again.saved["calls"] > 1
    with Memo(memo) as store:
        assert store.store.cost("sort-cubes/mecobench-similar/10001/task-expert/none") == whole.saved


# -- what is kept -----------------------------------------------------------------------------------------------------
def seen(**facts) -> dict[str, RobotView]:
    known = {"at": (0.1, 0.2, 0.3), "area": "left", **facts}
    belief = Belief({("loose",): ("knife",), **{(pred, "knife"): value for pred, value in known.items()}})
    return {name: RobotView(name, card, belief, belief.value) for name, card in team("Ma")}


def test_of_motions_that_were_led_nothing_is_kept_to_be_used_again():
    def plan(ways):
        motion = {"knots": [[0.0], [1.0]], "ee": [[0, 0, 0], [1, 0, 0]], "toward": "cube", "holds": ""}
        act = {"skill": "sweep", "args": ["cube"]}
        facts = [["how", [], ways], ["motion", ["Alice"], [{**motion, "how": way} for way in ways]]]
        events = [
            Event(0, 0, 0.0, "act", "Alice", act, ()),
            Event(1, 0, 0.0, "outcome", "Alice", {"action": "sweep(cube)", "status": "done", "reason": "swept"}, (0,)),
            Event(2, 0, 0.0, "truth", "", {"facts": facts}, ()),
        ]
        return plan_of(events)

    def knots(found):
        return [len(m.knots) for *_, m in found.motions()]

    assert knots(plan(["bit*", "led"])) == [2, 0]
    case = pack(apple=(0.0, 0.4, 0.3), task="sweep-floor")
    for settings in (MemoSettings(), MemoSettings(splanner=False)):
        words = draft(case, plan(["bit*", "led"]), case, settings).words()
        assert words == "1 round inherited; of 2 motions: 1 reused as they are, 1 planned anew."


def test_with_a_memo_a_log_says_that_more_is_seen(memo):
    played = episode(memo, 10_001, protocol="roco")
    assert played.log.events[0].data["sees"] == "pooled"
    assert (sight("roco"), sight("roco", memo=True)) == ("own", "pooled")
    assert sight("task-expert", memo=True) == sight("task-expert") == "pooled"


def test_a_world_says_itself_what_a_case_is_there(tmp_path, monkeypatch):
    class Notes(Recall):
        def case(self, team):
            (name, at), *_ = ((n, v.belief.value("at", n)) for n, v in team.robots.items())
            x, y = map(float, str(at).split(","))
            return Case("yard", "yard-tidy", "", (), {name: Thing("robot", "", x, y, 0.0)})

        @staticmethod
        def plan_of(events):
            return Plan(tuple({e.who: Act(e.data["skill"], ())} for e in events if e.kind == "act")[:5])

    config = Config(task="yard-tidy", memo="memo")
    with pytest.raises(CoterieError, match="Nothing is remembered of 'yard-tidy'"):
        play(config, memo=tmp_path / "memo.sqlite")
    monkeypatch.setattr(YardEntry, "recall", Notes)
    played = play(config, memo=tmp_path / "memo.sqlite")
    assert first_case(played.log.events).objects == {"Ada": Thing("robot", "", 0.0, 0.0, 0.0)}
    assert played.remembered
