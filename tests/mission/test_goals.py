"""Goals: their life, their robots, their approvals, and that nothing happens to them that may not."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from coterie.core.action import Cause
from coterie.core.errors import CoterieError
from coterie.core.expr import all_of, any_of, eq, fl, ge, no, plus
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import NUMBER, fluent
from coterie.core.wire import from_wire, to_wire
from coterie.mission.goals import NEXT, OVER, STATES, Busy, Failure, Goals, check_goal
from coterie.mission.journal import Journal
from coterie.mission.knowledge import Authority, Refused
from coterie.planning.forms import parts

KIT = all_of(eq(fl("amount", "caddy", "pill"), 2), eq(fl("amount", "caddy", "bandage"), 1))


def goals(**more):
    journal = Journal()
    authority = Authority(journal)
    for name, role in (("Tom", "teacher"), ("Ines", "instructor"), ("Irma", "instructor"), ("Sue", "supplies")):
        authority.join(name, role)
    return Goals(journal, authority, **more)


def running(g, by="Ines", robots=("fetch",), **more):
    goal = g.submit(KIT, by, **more)
    g.move(goal.id, "planned")
    g.take(goal.id, robots)
    g.begin(goal.id, ["a step"])
    return goal.id


def test_the_life_of_a_goal_with_its_history():
    g = goals()
    g.journal.time = 3.0
    goal = g.submit(KIT, "Ines", "a medkit")
    assert (goal.id, goal.state, goal.by, goal.submitted_s, str(goal)) == (
        "g1",
        "submitted",
        "Ines",
        3.0,
        "g1 (a medkit)",
    )
    g.move("g1", "planned")
    g.journal.time = 4.0
    g.begin("g1", [("goto", "fetch", "table_e")])
    cause = Cause("objectAt", ("objectAt", ("bandage", "table_e"), False), "during")
    failure = Failure("EXECUTION", cause, "fetch", "perceive", ("bandage",), "no bandage box on table E")
    g.journal.time = 9.0
    g.end("g1", "failed", failure)
    g.move("g1", "recovering", why=failure.words)
    g.move("g1", "planned")
    g.begin("g1")
    g.end("g1", "done")
    done = g.move("g1", "done")
    assert [m.new for m in done.history] == [
        "submitted",
        "planned",
        "running",
        "recovering",
        "planned",
        "running",
        "done",
    ]
    assert done.failures == [failure] and [a.result for a in done.attempts] == ["failed", "done"]
    assert (done.attempts[0].begun_s, done.attempts[0].ended_s) == (4.0, 9.0) and done.over
    assert done.history[3].why == "no bandage box on table E"


def test_every_step_that_is_not_in_the_table_is_refused():
    for old in STATES:
        for new in STATES:
            g = goals()
            g.submit(KIT, "Ines")
            if old != "submitted":
                path = {"planned": ["planned"], "waiting": ["planned", "waiting"], "running": ["planned", "running"]}
                path |= {s: [s] for s in ("paused", "recovering", "done", "failed", "cancelled")}
                for state in path[old]:
                    g.move("g1", state)
            if new in NEXT[old]:
                assert g.move("g1", new).state == new
            else:
                with pytest.raises(CoterieError, match=f"cannot become {new}"):
                    g.move("g1", new)
                assert g["g1"].state == old
    assert all(not NEXT[s] for s in OVER) and set(NEXT) == set(STATES)


def test_who_may_want_something():
    g = goals()
    with pytest.raises(Refused, match=r"Sue \(supplies\) may not give commands.*Ines, Irma or Tom may"):
        g.submit(KIT, "Sue")
    with pytest.raises(Refused, match=r"Tom .* may not set priorities"):
        g.submit(KIT, "Tom", priority=3)
    assert g.all() == [] and len(g.authority.refusals) == 2
    g.submit(KIT, "Ines", priority=3)
    with pytest.raises(Refused):
        g.set_priority("g1", 5, "Tom")
    with pytest.raises(Refused):
        g.cancel("g1", "Sue")
    assert g.set_priority("g1", 5, "Irma").priority == 5
    g.authority.join("Ines", "visitor")
    assert g.cancel("g1", "Ines").state == "cancelled", "one's own can always be called off"
    with pytest.raises(CoterieError, match=r"No goal 'g7'"):
        g.cancel("g7", "Tom")


WRONG = [
    (eq(fl("amount", "?kit", "pill"), 2), "could be anything"),
    (any_of(no(fl("open", "?d")), fl("open", "d1")), r"\?d in"),
    (ge(plus(fl("amount", "caddy", "?t"), 1), 2), r"\?t in"),
    (fl("opne", "d1"), r"No predicate 'opne'\. Did you mean 'open'"),
    (eq(fl("amount", "caddy"), 2), "has 1 arguments, but the fluent is amount"),
    ("a medkit at alpha", "is no goal"),
    (None, "is no goal"),
]


@pytest.mark.parametrize(("what", "words"), WRONG)
def test_what_is_no_goal(what, words):
    g = goals(fluents={f.name: f for f in (fluent("open", "door"), fluent("amount", "place", "kind", value=NUMBER))})
    with pytest.raises(CoterieError, match=words):
        g.submit(what, "Ines")
    assert g.all() == []


def test_goals_are_data_that_travels_and_can_be_read():
    what = all_of(KIT, any_of(fl("open", "d1"), no(fl("open", "d2"))))
    check_goal(what)
    assert from_wire(to_wire(what)) == what and len(parts(what)) == 3
    g = goals()
    g.submit(what, "Ines")
    facts = {("amount", "caddy", "pill"): 2, ("amount", "caddy", "bandage"): 0}

    def look(pred, *args):
        return facts.get((pred, *args), UNKNOWN)

    assert g["g1"].holds(look) is False
    assert g["g1"].missing(look) == [eq(fl("amount", "caddy", "bandage"), 1), parts(what)[2]]
    facts["amount", "caddy", "bandage"] = 1
    assert g["g1"].holds(look) is None, "doors are unknown"
    facts["open", "d1"] = True
    assert g["g1"].holds(look) is True and g["g1"].missing(look) == []


def test_robots_work_for_one_goal_and_the_more_urgent_takes_them():
    g = goals()
    first = running(g, robots=("fetch", "temi"))
    second = running(g, robots=("spot",))
    assert [x.id for x in g.all("running")] == [first, second], "several at once"
    third = g.submit(KIT, "Irma").id
    g.move(third, "planned")
    with pytest.raises(Busy, match=r"spot works for g2 .* whose priority is 0"):
        g.take(third, ["spot", "fetch"])
    assert g.holder("spot").id == second and g[third].robots == (), "all or none"
    g.set_priority(third, 2, "Irma")
    assert [p.id for p in g.take(third, ["fetch"])] == [first]
    assert g[first].state == "paused" and g[first].preempted_by == third and g.holder("temi") is None
    assert g.holder("fetch").id == third and g[second].state == "running"
    g.begin(third)
    g.end(third, "done")
    g.move(third, "done")
    assert g[first].state == "submitted" and g[first].preempted_by == "", "taken up again by itself"
    assert g.holder("fetch") is None
    assert [x.id for x in g.live()] == [first, second]


def test_what_a_person_paused_is_not_taken_up_by_itself():
    g = goals()
    first = running(g)
    g.pause(first, "Ines", "lunch")
    second = running(g)
    g.move(second, "done")
    assert g[first].state == "paused" and g[first].history[-1].why == "lunch"
    with pytest.raises(Refused):
        g.resume(first, "Sue")
    assert g.resume(first, "Irma").state == "submitted"
    with pytest.raises(CoterieError, match="does not rest: it waits for a plan"):
        g.resume(first, "Irma")


def test_a_stop_rests_everything_whoever_says_it():
    g = goals()
    first, second = running(g), running(g, robots=("spot",))
    assert [x.id for x in g.stop("a passer-by")] == [first, second]
    assert {x.state for x in g.all()} == {"paused"} and g.holder("spot") is None
    assert g[first].history[-1].by == "a passer-by" and g.stop("a passer-by") == []


def test_what_belongs_to_a_goal_goes_with_it():
    g = goals()
    first = running(g)
    g.move(first, "recovering")
    child = g.submit(fl("on", "box", "table_e"), "mission", parent=first)
    grandchild = g.submit(fl("open", "d1"), "mission", parent=child.id)
    g.pause(first, "Ines")
    assert {x.state for x in g.all()} == {"paused"}
    g.cancel(first, "Ines", "no longer needed")
    assert {x.state for x in g.all()} == {"cancelled"} and g[grandchild.id].history[-1].why == "no longer needed"
    with pytest.raises(CoterieError, match="No goal"):
        g.submit(KIT, "Ines", parent="g9")


def test_a_goal_that_changes_midway_is_planned_anew():
    g = goals()
    first = running(g)
    changed = g.amend(first, eq(fl("amount", "caddy", "pill"), 3), "Irma", "three, not two")
    assert changed.state == "submitted" and changed.id == first and changed.history[-1].why == "three, not two"
    assert str(changed.what) == "amount(caddy, pill) == 3" and g.holder("fetch") is None
    g.cancel(first, "Ines")
    with pytest.raises(CoterieError, match="was called off; submit a new goal"):
        g.amend(first, KIT, "Ines")


# -- approval -------------------------------------------------------------------------------------------------------
def proposed(g, **more):
    goal = g.submit(KIT, "Ines")
    g.move(goal.id, "planned")
    g.propose(goal.id, "Spot fetches it", ["goto"], 0.8, 129.0, **more)
    return goal.id


def test_nothing_begins_before_a_yes_from_somebody_who_may():
    g = goals()
    id = proposed(g)
    assert g[id].state == "waiting" and g.ready() == []
    with pytest.raises(CoterieError, match="cannot become running"):
        g.begin(id)
    with pytest.raises(Refused, match="may not approve plans for g1"):
        g.approve(id, "Sue")
    other = running(g, robots=("temi",))
    assert g[other].state == "running", "other goals go on"
    assert g.approve(id, "Ines").state == "planned" and [x.id for x in g.ready()] == [id]
    assert g[id].proposal.votes[0].person == "Ines"
    g.begin(id)


def test_a_yes_to_nothing_does_nothing():
    g = goals()
    id = running(g)
    number = g.journal.number
    with pytest.raises(CoterieError, match=r"Nothing waits for an approval: g1 .* is being worked on"):
        g.approve(id, "Ines")
    assert g.journal.number == number and g[id].state == "running"


def test_a_yes_to_an_older_plan_is_none_to_the_new_one():
    g = goals()
    id = proposed(g)
    g.move(id, "submitted")
    assert g[id].proposal is None
    g.move(id, "planned")
    second = g.propose(id, "Temi waits")
    with pytest.raises(CoterieError, match=r"Plan 1 for g1 .* is not proposed any more; it is now plan 2: Temi waits"):
        g.approve(id, "Ines", 1)
    assert g.approve(id, "Ines", second.number).state == "planned"


def test_there_is_no_way_round_an_approval():
    g = goals()
    id = proposed(g)
    for state in ("planned", "running"):
        with pytest.raises(CoterieError, match=r"waits for approval|cannot become"):
            g.move(id, state)
    g.pause(id, "Ines")
    with pytest.raises(CoterieError, match="waits for approval; nobody has said yes"):
        g.move(id, "planned")
    assert g.resume(id, "Ines").state == "waiting" and g[id].proposal.words == "Spot fetches it"


def test_two_who_disagree_are_told_of_each_other_and_no_wins():
    g = goals()
    id = proposed(g)
    g.reject(id, "Irma", "too slow")
    assert g[id].state == "waiting" and not g[id].proposal.approved
    with pytest.raises(CoterieError, match="Irma said no to the plan"):
        g.approve(id, "Ines")
    assert g[id].state == "waiting" and not g.ready()
    assert {v.person: v.yes for v in g[id].proposal.votes} == {"Irma": False, "Ines": True}, "both are kept"
    assert g.approve(id, "Irma").state == "planned" and g[id].proposal.approved
    g.reject(id, "Ines", "wait")
    assert g[id].state == "waiting" and not g.ready(), "a yes can be taken back until it begins"


def test_silence_is_never_a_yes():
    g = goals()
    id = proposed(g, until_s=60.0)
    g.journal.time = 59.0
    assert g.expire() == []
    g.journal.time = 61.0
    assert [x.id for x in g.expire()] == [id] and g.expire() == []
    assert g[id].state == "waiting" and not g.ready() and not g[id].proposal.approved
    with pytest.raises(CoterieError, match="waited too long"):
        g.approve(id, "Ines")


def test_a_plan_that_was_never_found_is_a_failure_with_a_cause():
    g = goals()
    g.submit(KIT, "Ines")
    cause = Cause("on_card", ("can", ("open",), False))
    goal = g.note_failure("g1", "PLAN", cause, "nobody can open door 1")
    assert goal.failures[0].stage == "PLAN" and goal.failures[0].cause == cause
    with pytest.raises(CoterieError, match="Nothing is tried"):
        g.end("g1", "done")


# -- whatever happens -----------------------------------------------------------------------------------------------
class Life(RuleBasedStateMachine):
    """Anything anybody might do, in any order: what must always hold does."""

    ids = Bundle("ids")

    def __init__(self):
        super().__init__()
        self.g = goals()
        self.approved = set()

    @rule(target=ids, by=st.sampled_from(["Tom", "Ines"]), priority=st.integers(0, 2))
    def submit(self, by, priority):
        return self.g.submit(KIT, by, priority=priority if by == "Ines" else 0).id

    @precondition(lambda self: self.g.all())
    @rule(
        id=ids,
        what=st.sampled_from(
            ["move", "propose", "approve", "reject", "take", "begin", "end", "pause", "resume", "cancel"]
        ),
        who=st.sampled_from(["Tom", "Ines", "Irma", "Sue", "mission"]),
        state=st.sampled_from(sorted(STATES)),
        robots=st.lists(st.sampled_from(["fetch", "spot", "temi"]), min_size=1, max_size=2),
    )
    def do(self, id, what, who, state, robots):
        g = self.g
        try:
            match what:
                case "move":
                    g.move(id, state)
                case "propose":
                    g.propose(id, "a plan")
                case "approve":
                    g.approve(id, who)
                    assert who != "Sue"
                case "reject":
                    g.reject(id, who)
                case "take":
                    g.take(id, robots)
                case "begin":
                    g.begin(id)
                case "end":
                    g.end(id, "done")
                case _:
                    getattr(g, what)(id, who)
                    assert who != "Sue"
        except CoterieError:
            pass

    @invariant()
    def robots_work_for_one_goal(self):
        held = [r for goal in self.g.all() for r in goal.robots]
        assert len(held) == len(set(held))
        assert not any(goal.robots for goal in self.g.all() if goal.over or goal.state == "paused")

    @invariant()
    def histories_are_legal(self):
        for goal in self.g.all():
            for before, after in zip(goal.history, goal.history[1:]):
                assert before.new == after.old and after.new in NEXT[after.old]
            assert goal.history[-1].new == goal.state

    @invariant()
    def nothing_proposed_runs_unapproved(self):
        for goal in self.g.all("running"):
            assert goal.proposal is None or goal.proposal.approved

    @invariant()
    def what_is_pushed_aside_waits_for_something_that_lives(self):
        for goal in self.g.all():
            if goal.preempted_by and goal.state == "paused":
                assert not self.g[goal.preempted_by].over


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
