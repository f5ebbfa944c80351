"""Every success and every failure cause of the feedback table, caused by a model's reply.

A scripted robot does it; the words must stand in the log and in that robot's next action prompt, in both styles.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from coterie.core.card import Card
from coterie.core.task import Change, Trigger
from coterie.worlds.indoor.arms import FREE, NO_FREE_POSTURE, NO_PATH, NO_POSTURE, Found
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.world import IndoorWorld
from tests.protocols.dynahmrc.helpers import act_out, prompt_at
from tests.worlds.indoor.conftest import make_task

THINGS = {"apple_0": "table_1", "book_0": ("fridge", -1), "cup_0": "wall_top", "pan_0": ("table_0", 15)}


@dataclass
class Case:
    """What a robot does, the last of it being the point; and the words it earns."""

    id: str
    robot: str
    actions: Sequence[str]
    words: Sequence[str]
    ok: bool = False
    before: Callable[[IndoorWorld], None] = lambda world: None
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    task: Mapping[str, object] = field(default_factory=dict)
    noise: Noise = field(default_factory=Noise)
    unsaid: str = "(nothing)"  # what must stand in neither: the contents of a closed container


PLAYED = {}


def play(case, style="compact"):
    """An episode that ends one step after the last action; each is played once."""
    if (case.id, style) not in PLAYED:
        PLAYED[case.id, style] = _play(case, style)
    return PLAYED[case.id, style]


def _play(case, style):
    task = replace(make_task(**{"places": THINGS, **case.task}), step_limit=len(case.actions) + 1)
    script = {case.robot: case.actions, **case.others}
    return act_out(task, script, style=style, before=case.before, noise=case.noise)


def zones(**closed):
    return lambda world: world.apply(Change(Trigger(step=0), "zones", {"closed": closed}))


def doors(world):
    for door in ("kitchen_door", "bedroom_door"):
        world.apply(Change(Trigger(step=0), "door", {"door": door, "open": False}))


class Clumsy:
    """Planned arms that find the same everywhere, but for picks by the fixed arm."""

    def __init__(self, what):
        self.found = Found(what, "table_1")

    def pick(self, robot, thing):
        return Found(FREE) if robot == "Bob" else self.found

    def place(self, robot, thing, platform):
        return self.found


def finds(what):
    return lambda world: setattr(world, "arms", Clumsy(what))


def joins(name, at=(5.0, 3.0), **card):
    def before(world):
        world.add_robot(name, Card(name, name, "ground", ("navigate", "wait"), "a visitor", **card), at)

    return before


def stacked(world):
    for thing in ("bread_0", "ham_0"):
        world.put(thing, "cutting_board", (2.35, 2.3, 0.75))


def put(thing, place, spot):
    return lambda world: world.put(thing, place, spot)


def stands_in_the_table(world):
    world.set(("pose", "Alice"), (2.5, 2.4))


GO = "navigate(table_1, 0)"
FETCH = (GO, "pick(apple_0)")
STACK = {"places": {"bread_0": ("table_0", 14), "ham_0": ("table_0", 15)}, "kind": "stack", "targets": ("ham_0",)}
SORT = {"places": {"red_cube_0": ("table_0", 15), "blue_cube_0": "sofa"}, "kind": "sort"}

SUCCESSES = [
    Case("navigate", "Lucy", [GO], ["Lucy reached stand_pose_0 of table_1", "Found on table_1: apple_0"], True),
    Case("navigate to a container", "Alice", ["navigate(fridge, 0)"], ["fridge is closed"], True, unsaid="book_0 "),
    Case("open", "Alice", ["navigate(fridge, 0)", "open(fridge)"], ["fridge is open", "Found in fridge: book_0"], True),
    Case("pick", "Lucy", FETCH, ["Lucy picked up apple_0"], True),
    Case("place", "Lucy", [*FETCH, "place(apple_0, table_1)"], ["Lucy placed apple_0 on table_1"], True),
    Case("move", "Alice", [GO, "move(-0.2, 0.1)"], ["-0.20 m along x", "+0.10 m along y"], True),
    Case("unicast", "Bob", ['communicate("hello", Lucy)'], ["sent to Lucy."], True),
    Case("multicast", "Bob", ['communicate("hello", [Alice, Lucy])'], ["sent to Alice, Lucy."], True),
    Case("broadcast", "Bob", ['communicate("hello", all)'], ["sent to Alice, David, Lucy."], True),
    Case("wait", "Bob", ["wait()"], ["Bob waited"], True),
]

FAILURES = [
    # navigate
    Case(
        "start of a path", "Alice", ["navigate(sofa, 0)"], ["No path", "starting point of Alice falls on an obstacle"],
        before=stands_in_the_table,
    ),
    Case(
        "end of a path", "Wide", ["navigate(fridge, 0)"], ["No path", "the end point stand_pose_0 of fridge"],
        before=joins("Wide", footprint_m=0.6),
    ),
    Case("closed door", "Alice", ["navigate(fridge, 0)"], ["No path", "kitchen_door is closed"], before=doors),
    Case(
        "no path", "Wide", ["navigate(wall_top, 0)"], ["No path leads Wide", "there is no way through"],
        before=joins("Wide", (7.5, 2.5), footprint_m=0.5, camera_high_m=3.0),
    ),
    Case("unknown target", "Alice", ["navigate(piano, 0)"], ["piano is not in the scene graph"]),
    Case("target is a thing", "Alice", ["navigate(apple_0, 0)"], ["cannot be navigated to"]),
    Case("unknown side", "Alice", ["navigate(sofa, 9)"], ["sofa has no stand_pose_9", "stand_pose_0"]),
    Case(
        "pose error", "Alice", ["wait()", GO], ["off the target pose by more than the allowed 0.30 m", "David"],
        others={"David": [GO]},
    ),
    Case("elevated place", "Alice", ["navigate(wall_top, 0)"], ["it is an elevated place, beyond this robot"]),
    Case(
        "closed zone", "Alice", ["navigate(sofa, 0)"], ["sofa lies in a zone that is closed to Alice"],
        before=zones(Alice=["sofa"]),
    ),
    Case(
        "closed room", "Alice", ["navigate(fridge, 0)"], ["No path leads Alice", "kitchen is a zone that is closed"],
        before=zones(Alice=["kitchen"]),
    ),
    Case(
        "closed side", "Alice", ["navigate(bed, 0)"], ["stand_pose_0 of bed lies in a zone that is closed to Alice"],
        before=zones(Alice=["bed/stand_pose_0"]),
    ),
    Case(
        "flat battery", "Tired", ["navigate(sofa, 0)", GO], ["The battery of Tired is flat"],
        before=joins("Tired", battery_steps=1),
    ),
    # skills and arguments
    Case("an arm cannot drive", "Bob", ["navigate(sofa, 0)"], ["Bob (Ma) cannot navigate", "it can pick"]),
    Case("a scout cannot pick", "David", ["pick(apple_0)"], ["David (Mo) cannot pick"]),
    Case("a drone cannot open", "Lucy", ["open(fridge)"], ["Lucy (UAV) cannot open"]),
    Case("no such skill", "Alice", ["dance()"], ["Alice (MoMa) cannot dance"]),
    Case("arguments", "Alice", ["pick(apple_0, sofa)"], ["takes 1 arguments, not 2"]),
    # open
    Case("open out of range", "Alice", ["open(fridge)"], ["fridge is out of range", " m away"]),
    Case("not a container", "Alice", ["navigate(sofa, 0)", "open(sofa)"], ["sofa cannot be opened"]),
    Case("unknown container", "Alice", ["open(piano)"], ["piano is not in the scene graph"]),
    Case("already open", "Alice", ["navigate(fridge, 0)", "open(fridge)", "open(fridge)"], ["fridge is already open"]),
    # move
    Case("move too far", "Alice", [GO, "move(9, 0)"], ["together at most 1.5 m"]),
    Case("start of a move", "Alice", ["move(0.2, 0)"], ["starting point of Alice"], before=stands_in_the_table),
    Case("end of a move", "Alice", ["navigate(table_0, 0)", "move(0, 0.8)"], ["the end point of the move"]),
    # pick
    Case("gripper full", "Lucy", [*FETCH, "pick(apple_0)"], ["The gripper of Lucy already holds apple_0"]),
    Case("not in view", "Alice", ["pick(apple_0)"], ["apple_0 is not in the scene graph of Alice"]),
    Case("in a closed box", "Alice", ["navigate(fridge, 0)", "pick(book_0)"], ["book_0 is not in the scene graph"]),
    Case("covered", "Bob", ["pick(bread_0)"], ["ham_0 lies on top of it"], before=stacked, task=STACK),
    Case(
        "out of reach", "Alice", ["navigate(table_0, 2)", "pick(pan_0)"],
        ["pan_0 is out of reach: it is ", " m away", "from the base to pan_0 dx = ", "dy = "],
    ),
    Case(
        "out of the arm's reach", "Bob", ["pick(pan_0)"], ["pan_0 is out of reach: it is ", " m away", "Bob reaches"],
        before=put("pan_0", "table_0", (3.5, 2.1, 0.75)),
    ),
    Case(
        "height", "Alice", [GO, "pick(apple_0)"], ["The target state of the arm is invalid: apple_0", "height"],
        before=put("apple_0", "table_1", (9.4, 2.2, 1.6)),
    ),
    Case(
        "no posture", "Alice", ["navigate(table_1, 2)", "pick(apple_0)"],
        ["apple_0 is out of reach: it is ", "no posture of the arm of Alice", "dx = "], before=finds(NO_POSTURE),
    ),
    Case(
        "no free posture", "Alice", ["navigate(table_1, 2)", "pick(apple_0)"],
        ["The target state of the arm is invalid: at apple_0", "would touch table_1"], before=finds(NO_FREE_POSTURE),
    ),
    Case(
        "no path of the arm", "Alice", ["navigate(table_1, 2)", "pick(apple_0)"],
        ["No path of the arm of Alice to apple_0 was found"], before=finds(NO_PATH),
    ),
    Case("too heavy", "Lucy", FETCH, ["apple_0 weighs 2.0 kg", "1.5 kg Lucy can lift"], task={"mass": 2.0}),
    # place
    Case("gripper empty", "Lucy", ["place(apple_0, table_1)"], ["The gripper of Lucy is empty"]),
    Case("wrong object", "Lucy", [*FETCH, "place(book_0, table_1)"], ["Lucy holds apple_0, not book_0"]),
    Case("unknown platform", "Lucy", [*FETCH, "place(apple_0, piano)"], ["piano is not in the scene graph"]),
    Case(
        "closed platform", "Lucy", [*FETCH, "navigate(fridge, 0)", "place(apple_0, fridge)"],
        ["fridge is closed; apple_0 was not placed"],
    ),
    Case("platform out of reach", "Lucy", [*FETCH, "place(apple_0, sofa)"], ["sofa is out of reach: it is "]),
    Case(
        "no room", "Bob", ["pick(red_cube_0)", "place(red_cube_0, blue_panel)"], ["blue_panel has no free spot"],
        before=put("blue_cube_0", "blue_panel", (2.3, 2.3, 0.75)), task=SORT,
    ),
    Case(
        "no posture to place", "Bob", ["pick(pan_0)", "place(pan_0, tray)"],
        ["tray is out of reach: it is ", "no posture of the arm of Bob"], before=finds(NO_POSTURE),
    ),
    Case(
        "no free posture to place", "Bob", ["pick(pan_0)", "place(pan_0, tray)"],
        ["The target state of the arm is invalid: at tray", "would touch table_1"], before=finds(NO_FREE_POSTURE),
    ),
    Case(
        "no path of the arm to place", "Bob", ["pick(pan_0)", "place(pan_0, tray)"],
        ["No path of the arm of Bob to tray was found"], before=finds(NO_PATH),
    ),
    Case(
        "constraint broken", "Lucy", [*FETCH, "navigate(table_0, 0)", "place(apple_0, tray)"],
        ["violates a rule of this task: only the arm", "Lucy still holds apple_0"],
    ),
    # communicate
    Case("nobody hears", "Bob", ['communicate("hello", all)'], ["Nobody named"], task={
        "places": {"pan_0": ("table_0", 15)}, "team": "Ma",
    }),
    # what others did in the same moment
    Case(
        "another hand was faster", "Lucy", [GO, "pick(apple_0)"], ["apple_0 is not in the scene graph of Lucy"],
        others={"Alice": ["navigate(table_1, 2)", "pick(apple_0)"]},
    ),
    # accidents
    Case("slip", "Lucy", FETCH, ["The grasp slipped: apple_0"], noise=Noise(slip=1.0)),
    Case("drift", "Alice", ["navigate(sofa, 0)"], [" m off the target pose"], noise=Noise(drift=1.0)),
    Case("misjudged", "Lucy", FETCH, ["pick(apple_0) was judged to have failed"], noise=Noise(misjudge=1.0)),
    Case(
        "misplaced", "Bob", ["pick(pan_0)", "place(pan_0, tray)"], ["pan_0 was not placed at the target location"],
        noise=Noise(misplace=1.0),
    ),
]  # fmt: skip


#: Those that are played in the full style, too: the words of the world are the same there.
IN_FULL = [*SUCCESSES, *FAILURES][::4]


def outcome(log, robot, step):
    return next(e for e in log.events if e.kind == "outcome" and e.who == robot and e.step == step)


@pytest.mark.parametrize("case", [*SUCCESSES, *FAILURES], ids=lambda case: case.id)
def test_feedback_reaches_the_log_and_the_next_prompt(case):
    last = len(case.actions) - 1
    for style in ("compact", "full")[: 2 if case in IN_FULL else 1]:
        log, asked = play(case, style)
        found = outcome(log, case.robot, last).data
        assert (found["status"] == "done") is case.ok, found
        for words in case.words:
            assert words in found["reason"]
        prompt = prompt_at(asked, case.robot, last + 1)
        if style == "compact" and case.ok:  # what it taught stands in the lines about the world
            done = next(line for line in prompt.splitlines() if line.startswith("Done lately: "))
            assert "FAILED" not in done.split("; ")[-1]
            assert f"{last} {case.actions[-1].split('(')[0]}(" in done
        else:
            heading = "FAILED: " if style == "compact" else f"\n{last} {'' if case.ok else 'FAILED: '}"
            assert f"{heading}{found['reason']}" in prompt
        assert case.unsaid not in found["reason"]


def test_every_failure_text_of_the_skills_has_a_case():
    """A new one needs a case here. Closing is left out, since no body of the benchmark does it."""
    reasons = []
    for case in FAILURES:
        log, _ = play(case)
        reasons.append((case.actions[-1].split("(")[0], outcome(log, case.robot, len(case.actions) - 1).data["reason"]))
    for name, skill in skills.items():
        for clause in skill.when if name != "close" else ():
            words = re.sub(r"\\{.*?\\}", ".*", re.escape(clause.words))
            flat = "battery" in clause.words  # the same words in every skill: one case for all
            assert any((s == name or flat) and re.fullmatch(words, reason) for s, reason in reasons), clause.words


def test_the_status_line_reaches_everybody():
    case = Case("status", "Bob", ["pick(pan_0)", "place(pan_0, tray)"], [])
    log, asked = play(case)
    assert [e.data["text"] for e in log.events if e.kind == "status"][-1] == "In the tray: pan_0."
    for robot in ("Alice", "Bob", "David", "Lucy"):
        assert "\nStatus: in the tray: nothing." in prompt_at(asked, robot, 1)
        assert "\nStatus: in the tray: pan_0." in prompt_at(asked, robot, 2)


def test_feedback_is_the_robots_own():
    case = next(c for c in FAILURES if c.id == "closed zone")
    _, asked = play(case)
    assert "closed to Alice" in prompt_at(asked, "Alice", 1)
    assert all("closed to Alice" not in prompt_at(asked, n, 1) for n in ("Bob", "David", "Lucy"))
