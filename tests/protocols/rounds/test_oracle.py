"""The text oracle plays with every planner, in both styles, and prompts hold nothing that a robot does not see."""

import re
from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.episode.play import play as play_episode
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.rounds import PLANNERS
from coterie.protocols.rounds.oracle import paths
from coterie.protocols.rounds.oracle.read import Paper
from coterie.protocols.shared.templates import Page, read
from coterie.worlds.tabletop.job import Pose
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld
from tests.protocols.prompts import filled, read_back
from tests.protocols.rounds.helpers import play, text_of

JOBS = ["sort-cubes", "sandwich", "sweep-floor", "arrange-cabinet", "pack-grocery", "move-rope"]


@pytest.mark.parametrize("style", ["compact", "full"])
@pytest.mark.parametrize("job", JOBS)
def test_the_first_plan_of_every_job_passes_the_words_of_the_checks(job, style):
    for planner in PLANNERS:
        asked, acts, _ = play(planner, job=job, style=style, words=fine_words)
        assert any(skill != "wait" for _, _, skill, _ in acts), (planner, text_of(asked[-1]))
        assert all(read_back(ask.prompt) for ask in asked)


def fine_words(joint):
    return "" if any(a.skill != "wait" for a in joint.values()) else "not all robots may WAIT"


@pytest.mark.long
def test_an_episode_in_physics():
    played = play_episode(Config(task="sort-cubes", protocol="roco", seed=3), model=Oracle())
    assert played.result.success


def test_ways_are_given_and_varied_when_they_are_refused():
    refused = iter(["Waypoints failed:\n- Bob collides"] * 2)
    asked, acts, _ = play("central-plan", job="pack-grocery", words=lambda joint: next(refused, ""))
    replies = [r.text for r in Oracle().answer(asked)]
    bare = [re.sub(r" PATH .*", "", text) for text in replies]
    assert len(set(replies)) == 3 and len(set(bare[1:])) == 1  # another way to the same things
    assert all(text.count("PATH [(") == 2 and text.count("(") == 8 for text in replies)
    assert [a[2] for a in acts] == ["pick", "pick"]


def sandwich_world(shift):
    """Two kitchens that differ only in what lies on the right, which Dave does not see."""
    task = draw_tabletop("sandwich", "rocobench", 0)
    things = {
        n: Pose((p.at[0] + shift, p.at[1], p.at[2]), p.yaw) if p.at[0] > 0 else p
        for n, p in task.setting.layout.things.items()
    }
    setting = replace(task.setting, layout=replace(task.setting.layout, things=things))
    return TabletopWorld(replace(task, setting=setting, step_limit=1), 0)


def prompts_of(asked, robot):
    return [text_of(a) for a in asked if a.robot == robot]


def test_what_lies_on_the_other_side_changes_no_prompt():
    quiet = "EXECUTE\nNAME Chad ACTION WAIT\nNAME Dave ACTION PICK bread_slice1"
    here, _, _ = play("roco", lambda a: quiet, job="sandwich", world=sandwich_world(0.0))
    there, _, _ = play("roco", lambda a: quiet, job="sandwich", world=sandwich_world(0.1))
    assert prompts_of(here, "Dave") == prompts_of(there, "Dave") != []
    assert "tomato is on your side" not in prompts_of(here, "Dave")[0]
    assert "tomato is on your side" in prompts_of(here, "Chad")[0]


def test_what_is_quoted_of_earlier_talk_and_cut_off_is_no_thing_to_pick():
    cut = (
        "apple: (-0.50, 0.40, 0.30), on table; Bob's gripper: (0.35, 1.05, 0.62), holding nothing; post4: (-0.59, 0.24"
    )
    prompt = filled(
        "rounds/dialog",
        name="Alice",
        robots="Alice, Bob",
        job="pack-grocery",
        goal="Put all things into the bin.",
        state="You see: apple: (-0.50, 0.40, 0.30), on table; milk: (-0.20, 0.60, 0.47), on table; "
        "bin_front_left: (0.25, 0.41, 0.36); bin_back_left: (0.25, 0.58, 0.36); "
        "Alice's gripper: (0.29, 0.06, 0.51), holding nothing; post4: (-0.59, 0.24, 0.40), stands on the table",
        talk=f'[Alice]: "I stand here. I see: {cut}"\n[Bob]: "I stand there. I see: {cut}"',
    )
    paper = Paper(read(("rounds/dialog",), prompt))
    assert paper.points()["post4"] == (-0.59, 0.24, 0.40)
    named = {a.split()[1] for joint in paths.pack_plans(paper) for a in joint.values() if a.startswith("PICK")}
    assert named == {"apple", "milk"}


def test_slots_that_are_left_for_the_last_round_do_not_face_each_other():
    """Two hands at the same x, one before the other, do not fit in; what is best now must not leave such a pair."""
    columns = {"left": 0.25, "middle": 0.45, "right": 0.65}
    slots = {f"bin_{row}_{c}": (x, y) for row, y in (("front", 0.41), ("back", 0.58)) for c, x in columns.items()}
    things = {"soda_can": "milk", "apple": "bread"}
    for hands in ((-0.75, -0.05), (-0.05, -0.75), (-0.5, -0.25)):
        full: dict[str, str] = {}
        for mine, other in things.items():
            seen = [f"{s}: ({x:.2f}, {y:.2f}, 0.36)" for s, (x, y) in slots.items()]
            seen += [f"{t}: (0.40, 0.50, 0.30), inside slot {s}" for s, t in full.items()]
            holds = zip(("Alice", "Bob"), hands, (0.4, 0.6), (mine, other))
            seen += [f"{r}'s gripper: ({x:.2f}, {y:.2f}, 0.50), holding {t}" for r, x, y, t in holds]
            page = Page("rounds/plan", "full", {"robots": "Alice, Bob", "state": f"All see: {'; '.join(seen)}"})
            plan = next(paths.pack_plans(Paper(page)))
            full |= {a.split()[2]: a.split()[1] for a in plan.values()}
        assert len(full) == 4
        assert len({s.split("_")[2] for s in slots if s not in full}) == 2
