"""The scripted expert does not ask for the same impossible round again and again."""

from coterie.core.config import Config
from coterie.episode.play import play
from tests.memo.quick import acts, quick  # noqa: F401

SEED = 150007  # two cubes lie so close that two arms cannot fetch them at once


def test_one_arm_waits_where_two_cannot_work_at_once(quick):  # noqa: F811
    together = []

    def words(joint, number):
        both = all(joint[r].skill == "pick_place" for r in ("Alice", "Bob"))
        together.append(both)
        return "Collision detected: Alice-Bob" if both else ""

    quick.words = staticmethod(words)
    quick.fails = staticmethod(words)
    played = play(Config(task="sort-cubes", seed=SEED, protocol="task-expert"))
    assert played.result.success and any(together)
    assert sum(e.kind == "outcome" and e.data["status"] == "rewound" for e in played.log.events) <= 3


def test_the_script_goes_on_where_nothing_helps(quick):  # noqa: F811
    quick.fails = staticmethod(lambda joint, number: "Failed to execute: slipped.")
    quick.words = staticmethod(lambda joint, number: "Out of reach" if number else "")
    played = play(Config(task="sort-cubes", seed=SEED, protocol="task-expert"))
    assert not played.result.success and acts(played.log.events)


def test_a_path_that_was_refused_is_not_asked_for_again(quick):  # noqa: F811
    told = []

    def fails(joint, number):
        told.append({r: a.path for r, a in joint.items()})
        return "Motion planning failed: no way leads from point 1 to point 2." if len(told) < 4 else ""

    quick.fails = staticmethod(fails)
    play(Config(task="move-rope", seed=1, level="mecobench", protocol="task-expert"))
    assert all(paths not in told[:n] for n, paths in enumerate(told[:4]))
    assert told[4] == told[0]  # a round was carried out: what was refused before it may serve now
