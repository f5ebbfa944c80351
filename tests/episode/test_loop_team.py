"""Options, joint actions and rewinding; robots that come and go; strangers."""

import pytest

from coterie.core.action import Action
from coterie.core.expr import ne
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import SoloProtocol
from coterie.core.skill import Clause, Rule
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Settings
from examples.yard import RUNNER, Chooser, Foreman, Tidier, Tidy, WalkTo, stranger_joins, yard_task
from tests.yard import play, solo

ASYNC = Settings(synchronous=False)
HIDDEN = Rule("hands off", "lift", Clause(ne("?robot", "Bo"), "the beam slips from the hand of {robot}."), public=False)


def acts(played, robot=None):
    return [f"{who} {data['skill']}" for _, who, data in played.said("act", robot)]


def last_truth(played):
    """What was true at the end, from the log alone."""
    truth = {}
    for _, _, data in played.said("truth"):
        truth.update({(pred, *args): value for pred, args, value in data["facts"]})
    return truth


# -- options ------------------------------------------------------------------------------------------------------
class Walker(SoloProtocol):
    """Ada walks to the far corner; Bo speaks up once, after two steps."""

    decided = 0

    def act(self, me):
        type(self).decided += me.name == "Ada"
        if me.name == "Ada":
            return WalkTo("4,1", me)
        return Action("communicate", ("come back", "all")) if me.step == 2 else Action("wait")


class Quiet(Walker):
    def act(self, me):
        return super().act(me) if me.name == "Ada" else Action("wait")


def test_an_option_runs_over_many_steps_after_one_decision():
    Quiet.decided = 0
    played = play(Quiet, yard_task(step_limit=5))
    assert acts(played, "Ada") == ["Ada right"] * 4 + ["Ada down"]
    assert Quiet.decided == 1
    assert [data["state"] for _, _, data in played.said("option")] == ["begun"]


def test_a_message_interrupts_an_option_between_two_steps():
    Walker.decided = 0
    played = play(Walker, yard_task(step_limit=5))
    states = [(data["state"], data.get("why")) for _, _, data in played.said("option", "Ada")]
    assert states == [("begun", None), ("interrupted", "Bo has said something."), ("begun", None)]
    assert Walker.decided == 2
    (heard,) = played.said("message")
    assert heard[1:] == ("Bo", {"to": ("Ada",), "text": "come back", "facts": []})


def test_a_failed_step_and_a_changed_goal_interrupt_an_option(doing):
    new_goal = Change(Trigger(step=1), "goal", {"goal": Tidy((("cup", "5,1"),))}, told=("all",))
    played = play(Tidier, yard_task(changes=[new_goal], step_limit=3))
    ended = [(who, data["why"]) for _, who, data in played.said("option") if data["state"] == "interrupted"]
    assert ended == [("Ada", "the goal has changed."), ("Bo", "the goal has changed.")]


def test_an_option_that_has_come_to_its_end_asks_the_mind_again(doing):
    there = solo(lambda me: WalkTo("1,0", me) if me.name == "Ada" else "wait")
    played = play(there, yard_task(step_limit=3))
    assert acts(played, "Ada") == ["Ada right", "Ada wait", "Ada wait"]
    assert [data["state"] for _, _, data in played.said("option", "Ada")] == [
        "begun", "ended", "begun", "ended", "begun", "ended",
    ]  # fmt: skip
    assert played.said("act", "Ada")[1][2]["why"] == "walk to 1,0 ended at once"


# -- joint actions ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("settings", [Settings(), ASYNC])
@pytest.mark.parametrize("rewinds", [False, True])
def test_two_robots_lift_a_beam_together(settings, rewinds):
    played = play(Foreman, yard_task(beam=True, rewinds=rewinds), settings)
    assert played.result.success
    lifts = [data for _, _, data in played.said("outcome") if data["action"].startswith("lift")]
    assert [d["status"] for d in lifts] == ["done", "done"]


def test_a_free_check_spares_what_cannot_work_and_hidden_rules_are_learnt_by_breaking_them():
    public = HIDDEN._replace(public=True)
    spared = play(Foreman, yard_task(beam=True, rewinds=True, rules=[public], step_limit=12))
    assert not [a for a in acts(spared) if "lift" in a], "the check knows the public rule"
    broken = play(Foreman, yard_task(beam=True, rewinds=True, rules=[HIDDEN], step_limit=12))
    outcomes = [data for _, _, data in broken.said("outcome") if data["action"].startswith("lift")]
    assert {d["status"] for d in outcomes} == {"rewound"}
    why = "The round was taken back to its start: Bo could not lift: the beam slips from the hand of Bo."
    assert {d["reason"] for d in outcomes} == {why}
    assert not broken.result.success
    assert last_truth(broken)["lifted", "beam"] is False, "Ada had it up, and it came down again"


def test_a_rewound_round_leaves_the_world_as_it_was_but_time_has_passed(doing):
    # Ada is a step ahead and lets go of the ball before Bo, late, walks into it: her part is undone too.
    collide = doing(
        Ada=["right", "right", "right", Action("grab", ("ball",)), Action("drop", ("ball",))],
        Bo=["wait", "wait", "left", "wait", "left"],
    )
    played = play(collide, yard_task(rewinds=True, step_limit=5))
    ends = [(t, who, data["status"]) for t, who, data in played.said("outcome")][-2:]
    assert ends == [(8.0, "Ada", "rewound"), (8.0, "Bo", "rewound")]
    assert "Bo could not left: Ada stands in cell 3,0." in played.said("outcome")[-1][2]["reason"]
    truth = last_truth(played)
    assert (truth["where", "ball"], truth["holding", "Ada"], truth["at", "Bo"]) == ("Ada", "ball", "4,0")
    assert played.result.time_s == 8.0, "from 6 s; the clock is never taken back"


def test_without_rewinding_only_the_one_who_collides_fails(doing):
    collide = doing(Ada=["right"] * 3 + ["right"], Bo=["wait", "wait", "left", "left"])
    played = play(collide, yard_task(step_limit=4))
    ends = [(who, data["status"]) for _, who, data in played.said("outcome")][-2:]
    assert ends == [("Ada", "failed"), ("Bo", "failed")], "they want to change places"
    both = doing(Ada=["right"] * 2 + ["right"], Bo=["left", "wait", "left"])
    ends = [(who, data["status"]) for _, who, data in play(both, yard_task(step_limit=3)).said("outcome")][-2:]
    assert ends == [("Ada", "done"), ("Bo", "failed")], "the quicker one gets the cell"


# -- coming and going ---------------------------------------------------------------------------------------------
def leave(robot, **at):
    return Change(Trigger(**at), "leave", {"robot": robot}, told=("all",))


def test_who_leaves_drops_what_it_holds_and_is_missed(doing):
    plan = doing(Ada=[], Bo=["left", "left", Action("grab", ("ball",))])
    online = {}

    def watch(e):
        online[e.step] = (sorted(e.views), e.views["Ada"].belief.value("online", "Bo"))

    played = play(plan, yard_task(changes=[leave("Bo", step=3)], step_limit=5), watch=watch)
    assert acts(played, "Bo") == ["Bo left", "Bo left", "Bo grab"]
    assert online[3] == (["Ada", "Bo"], True) and online[4] == (["Ada"], False)
    (change,) = played.said("change")
    assert change[2]["dropped"] == "ball"
    assert last_truth(played)["where", "ball"] == "3,0"


def test_who_leaves_in_the_middle_of_an_action_or_a_thought_does_nothing_more(doing):
    task = yard_task(changes=[leave("Bo", time=1.0)], step_limit=None, time_limit_s=6.0)
    played = play(doing(Bo=["left"]), task, ASYNC)
    assert acts(played, "Bo") == ["Bo left"] and played.said("outcome", "Bo") == []
    assert acts(played, "Ada") == ["Ada wait"] * 6
    thinking = play(Chooser, task, Settings(synchronous=False, think_call_s=2.0))
    assert thinking.said("ask", "Bo") and acts(thinking, "Bo") == []
    assert acts(thinking, "Ada"), "Ada thinks on and acts"


def test_everybody_is_told_of_a_change_and_a_newcomer_starts_with_an_empty_belief(doing):
    told = []

    class Told(Tidier):
        def told(self, change):
            told.append((id(self), change.kind))

    back = Change(Trigger(step=3), "join", {"robot": "Bo", "card": RUNNER, "start": "5,0"}, told=("Bo",))
    beliefs = {}

    def watch(e):
        beliefs[e.step] = e.views["Bo"].belief if "Bo" in e.views else None

    play(Told, yard_task(changes=[leave("Bo", step=1), back], step_limit=5), watch=watch)
    assert [kind for _, kind in told] == ["leave", "join"]
    assert len({mind for mind, _ in told}) == 2, "Ada heard of the leaving, the new mind of Bo of the joining"
    assert beliefs[1] is not beliefs[4] and beliefs[2] is None
    assert beliefs[1].value("contents", "4,0") == () and beliefs[4].fact("contents", "4,0").time > 0.0


@pytest.mark.parametrize(("settings", "at"), [(Settings(), {"step": 4}), (ASYNC, {"time": 4.0})])
@pytest.mark.parametrize("team", [Tidier, Foreman])
def test_until_the_stranger_joins_the_run_is_the_one_without_it(settings, at, team):
    alone = play(team, yard_task(beam=True), settings)
    joined = play(team, yard_task(beam=True, changes=[stranger_joins(start="0,1", **at)]), settings)
    lines = joined.log.lines()
    before = next(i for i, e in enumerate(joined.log.events) if e.kind == "change")
    assert before > 20 and lines[:before] == alone.log.lines()[:before]
    assert acts(joined, "Zed"), "then it takes part"
    assert not [e for e in joined.log.events if e.kind in ("message", "say")], "nobody speaks in another's name"


def test_a_stranger_has_its_own_protocol_and_nobody_announces_it(doing):
    seen = {}

    def watch(e):
        seen["mind"] = type(e.mind("Zed")).__name__ if "Zed" in e.views else None
        seen["card"] = e.views["Ada"].belief.value("card", "Zed")
        seen["heartbeats"] = {n: v.heartbeat for n, v in e.views.items()}

    play(Foreman, yard_task(changes=[stranger_joins(step=2)], step_limit=2), watch=watch)
    assert seen == {"mind": None, "card": UNKNOWN, "heartbeats": {"Ada": ("Bo",), "Bo": ("Ada",)}}
    play(Foreman, yard_task(changes=[stranger_joins(step=2)], step_limit=3), watch=watch)
    assert seen["mind"] == "Tidier" and seen["card"] is UNKNOWN
    assert seen["heartbeats"] == {"Ada": ("Bo",), "Bo": ("Ada",), "Zed": ()}


def test_a_newcomer_joins_the_party_it_names():
    class Mind(Tidier):
        pass

    def join(party):
        return Change(Trigger(step=1), "join", {"robot": "Yan", "card": RUNNER, "party": party})

    for party, expected in (("stranger", "Mind"), ("team", "Tidier")):
        minds = {}
        play(
            Tidier,
            yard_task(changes=[join(party)], step_limit=2),
            stranger=Mind,
            watch=lambda e, m=minds: m.update({n: type(e.mind(n)).__name__ for n in e.views}),
        )
        assert minds == {"Ada": "Tidier", "Bo": "Tidier", "Yan": expected}


def test_a_pooled_mind_lives_on_when_its_party_grows():
    minds = {}
    join = Change(Trigger(step=1), "join", {"robot": "Yan", "card": RUNNER, "party": "team"})
    play(
        Foreman,
        yard_task(changes=[join], step_limit=2),
        watch=lambda e: minds.setdefault(e.step, {id(e.mind(n)) for n in e.views}),
    )
    assert len(minds[1]) == 1 and minds[2] == minds[1]


def test_who_comes_back_does_not_go_on_with_an_old_option():
    back = Change(Trigger(step=2), "join", {"robot": "Ada", "card": RUNNER, "start": "0,1"})
    Quiet.decided = 0
    played = play(Quiet, yard_task(changes=[leave("Ada", step=1), back], step_limit=3))
    assert Quiet.decided == 2
    assert [data["state"] for _, _, data in played.said("option")] == ["begun", "begun"]


def test_no_episode_ends_before_a_change_that_will_come(doing):
    late = Change(Trigger(step=30), "goal", {"goal": Tidy((("cup", "5,0"),))}, told=("all",))
    played = play(Tidier, yard_task(changes=[late]))
    assert played.result.steps > 30, "done after a few steps, but the goal was to change"
    never = Change(Trigger(step=99), "goal", {"goal": Tidy((("cup", "5,0"),))})
    played = play(Tidier, yard_task(changes=[never]))
    assert played.result.success and played.result.steps < 30, "that one lies beyond the limit"
    assert played.said("end")[0][2]["unfired"] == ["goal"]
