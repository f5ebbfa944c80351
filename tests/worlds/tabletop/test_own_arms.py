"""Arms of others play the jobs: with every protocol, among posts, in pictures, and with the rule mind."""

import json
from pathlib import Path

import pytest

from coterie.cli import main
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.setup import resolve, task_of
from coterie.log.file import read_log
from coterie.motion.makers.imported import import_arm
from coterie.worlds import pictures_of

ARMS = Path(__file__).parents[2] / "motion" / "arms"

BODIES = {"ur5e": "UR5e", "ur5e-suction": "UR5eSuction"}


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arms")
    import_arm(ARMS / "heron.xml", folder / "heron.toml")
    import_arm(ARMS / "otter.urdf", folder / "otter.toml")
    return {name: str(folder / f"{name}.toml") for name in ("heron", "otter")}


def played(capsys, tmp_path, *words):
    code = main(["run", *words, "--json", "--log", str(tmp_path / "log.jsonl")])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "job, arms, more",
    [
        pytest.param("sort-cubes", "ur5e,heron,otter", (), marks=pytest.mark.long),
        pytest.param("sweep-floor", "otter,heron", (), marks=pytest.mark.long),
        ("sort-cubes", "ur5e,heron,ur5e-suction", ("--protocol", "central-plan", "--model", "oracle")),
    ],
)
def test_arms_of_others_play(cards, capsys, tmp_path, job, arms, more):
    named = ",".join(cards.get(a, a) for a in arms.split(","))
    code, score = played(capsys, tmp_path, job, "--seed", "3", "--arms", named, *more)
    assert (code, score["success"]) == (0, True)
    assert score["team"] == "-".join(BODIES.get(a, a.title()) for a in arms.split(","))


@pytest.mark.long
def test_a_log_is_drawn_where_the_cards_are_not(cards, capsys, tmp_path):
    for name in cards:
        (tmp_path / f"{name}.toml").write_text(Path(cards[name]).read_text())
        (tmp_path / f"{name}.xml").write_text(Path(cards[name]).with_suffix(".xml").read_text())
    arms = f"{tmp_path / 'otter.toml'},humanoid"
    among_posts = ("sandwich", "--seed", "3", "--level", "cluttered", "--arms", arms)
    code, score = played(capsys, tmp_path, *among_posts)
    assert (code, score["success"], score["team"]) == (0, True, "Otter-Humanoid")
    for file in tmp_path.glob("otter.*"):
        file.unlink()
    events = read_log(tmp_path / "log.jsonl")
    drawn = pictures_of(events[0].data).picture(events, tmp_path / "end.png")
    assert drawn.stat().st_size > 10_000


def test_the_own_arms_of_a_job_may_be_named_and_change_nothing():
    usual = task_of(resolve(Config(task="sandwich", seed=3)))
    named = task_of(resolve(Config(task="sandwich", seed=3, arms="ur5e-suction,humanoid")))
    assert (usual.robots, usual.setting.layout) == (named.robots, named.setting.layout)


@pytest.mark.parametrize(
    "arms, words",
    [
        ("ur5e,panda", "'sort-cubes' has 3 arms, and 2 are named"),
        ("ur5e,pandaa,ur5e", "Did you mean 'panda'"),
        ("none.toml", "none.toml"),
    ],
)
def test_arms_that_are_not_there_are_told(arms, words):
    with pytest.raises(CoterieError, match=words):
        resolve(Config(task="sort-cubes", arms=arms))
