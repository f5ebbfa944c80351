"""Ties, and everything that may change while robots work, with scripted replies."""

import re
from dataclasses import replace

import pytest

from coterie.core.task import Change, Trigger
from coterie.worlds.indoor.bodies import robots
from coterie.worlds.indoor.tasks.goals import Pack
from tests.protocols.dynahmrc.helpers import act_out, of, prompt_at
from tests.worlds.indoor.conftest import make_task

NAMES = ("Alice", "Bob", "David", "Lucy")
THINGS = {"apple_0": "table_1", "cup_0": "sofa", "pan_0": ("table_0", 15)}


def task_with(*changes, steps=5, **task):
    return replace(make_task(**{"places": THINGS, **task}), changes=changes, step_limit=steps)


def at(step, kind, told=(), **data):
    return Change(Trigger(step=step), kind, data, told)


def facts(log, pred):
    return [(e.step, e.who, f[1], f[2]) for e in log.events if e.kind == "say" for f in e.data["facts"] if f[0] == pred]


def leaders(log):
    return [(step, value) for step, _, _, value in facts(log, "leader")]


# -- ties -------------------------------------------------------------------------------------------------------------
def votes(*rounds, referee=""):
    """Replies to the election: one table of votes a round, and the referee's word."""
    seen = {}

    def reply(ask):
        if ask.stage != "LE":
            return None
        if ask.robot == "referee":
            return f"Leader: {referee}"
        n = seen[ask.robot] = seen.get(ask.robot, -1) + 1
        return f"Leader: {rounds[n][ask.robot]}"

    return reply


SELF = {n: n for n in NAMES}
HALVES = {"Alice": "Alice", "Bob": "Alice", "David": "Lucy", "Lucy": "Lucy"}
FOR_LUCY = dict.fromkeys(NAMES, "Lucy")
FIRST = "Round 1: Alice 1, Bob 1, David 1, Lucy 1"


@pytest.mark.parametrize(
    ("rounds", "counts"),
    [
        ([FOR_LUCY], []),
        ([SELF, FOR_LUCY], [FIRST]),
        ([SELF, HALVES, FOR_LUCY], [FIRST, f"{FIRST}; Round 2: Alice 2, Lucy 2"]),
    ],
    ids=["no tie", "a tie in round 1", "a tie in round 2"],
)
def test_a_tie_is_shown_and_voted_on_again(rounds, counts):
    log, asked = act_out(task_with(steps=1), {}, votes(*rounds))
    asks = of(asked, "LE")
    assert [a.robot for a in asks] == ["Bob", "Alice", "David", "Lucy"] * len(rounds)
    for number, shown in enumerate(["", *counts]):
        for ask in asks[4 * number : 4 * number + 4]:
            text = ask.prompt[1][1]
            assert f"All were ties. {shown}." in text if shown else "tie" not in text
    assert leaders(log) == [(0, "Lucy")]
    assert all("Lucy's plan: \"" in prompt_at(asked, n, 0) for n in NAMES)


def test_a_tie_in_round_3_goes_to_a_referee_who_chooses_among_the_tied():
    log, asked = act_out(task_with(steps=1), {}, votes(SELF, HALVES, HALVES, referee="Lucy"))
    last = of(asked, "LE")[-1]
    assert len(of(asked, "LE")) == 13
    assert last.robot == "referee"
    assert "Candidates: Alice, Lucy" in last.prompt[1][1]
    assert f"{FIRST}; Round 2: Alice 2, Lucy 2; Round 3: Alice 2, Lucy 2." in last.prompt[1][1]
    assert leaders(log) == [(0, "Lucy")]
    assert all("Lucy's plan: " in prompt_at(asked, n, 0) for n in NAMES)


@pytest.mark.parametrize("word", ["Bob", "nobody at all", ""])
def test_a_referee_who_names_no_candidate_is_asked_again_and_then_the_first_leads(word):
    log, asked = act_out(task_with(steps=1), {}, votes(SELF, HALVES, HALVES, referee=word))
    assert [a.attempt for a in of(asked, "LE", "referee")] == [0, 1]
    assert leaders(log) == [(0, "Alice")]


# -- changes ----------------------------------------------------------------------------------------------------------
def test_a_new_goal_is_in_everybodys_next_prompt():
    _, asked = act_out(task_with(at(2, "goal", goal=Pack(("cup_0", "pan_0")))), {})
    for n in NAMES:
        before, after = prompt_at(asked, n, 1), prompt_at(asked, n, 2)
        assert "Goal: Put apple_0, cup_0 and pan_0 into the tray" in before
        assert "Goal: Put cup_0 and pan_0 into the tray" in after
        assert "The goal changed" not in before
        assert "The goal changed at step 2. No longer wanted: apple_0." in after


def test_a_closed_zone_is_known_from_feedback_alone():
    script = {"Alice": ["wait()", "wait()", "wait()", "navigate(sofa, 0)"]}
    _, asked = act_out(task_with(at(2, "zones", closed={"Alice": ["sofa"]})), script)
    assert all("losed to" not in prompt_at(asked, n, step) for n in NAMES for step in (2, 3))
    told = prompt_at(asked, "Alice", 4)
    assert "navigate(sofa, 0) FAILED: sofa lies in a zone that is closed to Alice." in told
    assert "Closed to you: sofa." in told
    assert all("losed to" not in prompt_at(asked, n, 4) for n in NAMES if n != "Alice")


def test_a_newcomer_introduces_itself_and_gets_a_part_in_the_plan():
    def reply(ask):
        if ask.stage == "SD" and ask.robot == "Lucy":
            return "Content: Lucy is here, and she flies."
        if ask.stage == "LP":
            return f"Plan: {', '.join(sorted(w for w in NAMES if w in ask.prompt[1][1]))} share the work."
        return "Leader: Bob" if ask.stage == "LE" else None

    join = at(2, "join", robot="Lucy", card=robots.get("UAV"))
    log, asked = act_out(task_with(join, team="Ma-MoMa"), {}, reply)
    assert [(a.step, a.robot) for a in of(asked, "LP")] == [(2, "Bob")]
    assert 'Lucy: "Lucy is here, and she flies."' in of(asked, "LP")[0].prompt[1][1]
    assert [a.step for a in of(asked, "SD", "Lucy")] == [2]
    assert not [a for a in of(asked, "LE") if a.step > 0]
    assert leaders(log) == [(0, "Bob"), (2, "Bob")]
    for n in ("Alice", "Bob", "Lucy"):
        assert 'Bob\'s plan: "Alice, Bob, Lucy share the work."' in prompt_at(asked, n, 3)
    assert "Bob" in prompt_at(asked, "Lucy", 2).split("Team: ")[1].split("\n")[0]


def test_a_robot_that_vanishes_is_missed_by_its_heartbeat_and_by_nothing_else():
    log, asked = act_out(task_with(at(2, "leave", robot="David")), {}, votes(FOR_LUCY))
    assert "Alive: Alice, Bob, David." in prompt_at(asked, "Lucy", 1)
    assert "Alive: Alice, Bob." in prompt_at(asked, "Lucy", 2)
    assert leaders(log) == [(0, "Lucy")]  # no election
    assert not [a for a in asked if a.step == 2 and a.stage != "HMRC"]
    changed = prompt_at(asked, "Lucy", 2).replace("Alive: Alice, Bob.", "Alive: Alice, Bob, David.")
    left_out = changed.replace("Step 2", "Step 1").replace("; 1 wait()", "")
    card = 'David: "a wheeled base without an arm; it drives on the floor and looks" (navigate).'
    shares = r"\nLeft to search: .*"  # whose part of the plan is whose changes, since nobody else will do David's
    before = prompt_at(asked, "Lucy", 1)
    assert "David's: " in re.findall(shares, before)[0] and "David's: " not in re.findall(shares, changed)[0]
    assert re.sub(shares, "", left_out).split() == re.sub(shares, "", before).replace(card, "").split()


def test_what_a_vanished_robot_held_is_lost_from_sight():
    script = {"Lucy": ["navigate(table_1, 0)", "pick(apple_0)"]}
    log, asked = act_out(task_with(at(2, "leave", robot="Lucy"), steps=4), script)
    change = next(e for e in log.events if e.kind == "change")
    assert change.data["dropped"]
    assert "not found: apple_0" in prompt_at(asked, "Alice", 2)


@pytest.mark.parametrize(
    ("second", "referee", "leader"),
    [({"Alice": "David", "Bob": "David", "David": "David"}, "", "David"), (None, "Bob", "Bob")],
    ids=["one round", "ties and the referee"],
)
def test_a_vanished_leader_is_replaced_by_an_election_among_the_rest(second, referee, leader):
    rounds = [FOR_LUCY, *([second] if second else [SELF] * 3)]
    log, asked = act_out(task_with(at(2, "leave", robot="Lucy")), {}, votes(*rounds, referee=referee))
    assert leaders(log)[0] == (0, "Lucy")
    assert set(leaders(log)[1:]) == {(2, leader)}
    again = [a for a in of(asked, "LE") if a.step == 2 and a.robot != "referee"]
    assert {a.robot for a in again} == {"Alice", "Bob", "David"}
    assert all("Candidates: Alice, Bob, David" in a.prompt[1][1] for a in again)
    assert not of(asked, "LP")  # they vote on plans that were made with what all of them knew
    stages = [a.stage for a in asked if a.step == 2 and a.robot == "Bob"]
    assert stages.index("GD") < stages.index("TALB") < stages.index("LE") < stages.index("HMRC")
    assert all("Reports:\nAlice: " in a.prompt[1][1] for a in of(asked, "TALB") if a.step == 2)
    assert all(f"{leader}'s plan: " in prompt_at(asked, n, 2) for n in ("Alice", "Bob", "David"))
