"""Robots that are stopped or out of contact: nobody decides for them, the others go on, and all of it is in the log."""

from dataclasses import dataclass, field

import pytest

from coterie.core.action import Action, Cause, Outcome
from coterie.core.causes import STOPPED
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.core.protocol import TeamProtocol
from coterie.core.world import FarDriver, Standing
from coterie.episode import loop
from coterie.episode.inputs import Cancellation, Inputs, Stop
from coterie.episode.loop import Settings
from coterie.log.file import Log
from examples.yard import Tidier, stranger_joins, yard_task
from tests.yard import solo, together

ASYNC = Settings(synchronous=False, step_s=2.0)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Simulated time need not keep to the clock here."""
    monkeypatch.setattr(loop.Episode, "_keep_time", lambda self, until: None)


def play(inputs=None, settings=None, log=None, mind=Tidier, step_limit=60, changes=(), **outside):
    task = yard_task(step_limit=step_limit, changes=changes)
    return together(mind, task, log, settings, inputs=inputs, **outside)


def events(log, kind, who=None):
    return [e for e in log.events if e.kind == kind and who in (None, e.who)]


# -- within the episode ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("settings", [Settings(), ASYNC], ids=["synchronous", "asynchronous"])
def test_a_stopped_team_stands_still_until_it_is_released(settings):
    inputs, seen = Inputs(), []

    def watch(e):
        seen.append(e.world.now)
        if len(seen) == (2 if settings.synchronous else 1):
            e.stop("Eve")
        if len(seen) == 12:
            e.stop("Eve", on=False)

    result, log = play(inputs, settings=settings, watch=watch)
    on, off = events(log, "input")
    assert (on.who, on.data) == ("Eve", {"kind": "stop", "by": "Eve", "names": ("all",), "on": True, "via": ""})
    between = [e for e in log.events if on.seq < e.seq < off.seq]
    assert not [e for e in between if e.kind == "act"], "nobody begins anything"
    cut_short = [e.data for e in between if e.kind == "outcome"]
    assert all(o["cause"].clause == STOPPED and o["reason"].endswith("was stopped by Eve.") for o in cut_short)
    assert bool(cut_short) == (not settings.synchronous), "what was under way has ended"
    assert off.t - on.t >= 5.0
    if settings.synchronous:
        assert result.success and off.step == on.step, "and no step was taken meanwhile"


def test_one_is_stopped_and_the_other_goes_on():
    inputs = Inputs()
    inputs.put(Stop("Eve", ("Bo",)))
    _, log = play(inputs, step_limit=6)
    assert not events(log, "act", "Bo") and len(events(log, "act", "Ada")) == 6


def test_whoever_joins_a_stopped_team_is_stopped():
    inputs, held = Inputs(), []
    inputs.put(Stop("Eve"))
    joins = stranger_joins(step=0)
    joins.data["party"] = "team"

    def watch(e):
        held.append({a.name: a.held for a in e.roster})
        if len(held) == 3:
            e.stop("Eve", on=False)

    play(inputs, changes=[joins], watch=watch, step_limit=2)
    assert len(held[0]) == 3 and all(held[0].values()) and not any(held[-1].values())


def test_a_stop_of_nobody_is_a_sentence():
    with pytest.raises(CoterieError, match=r"No robot 'Bob'\. Did you mean 'Bo'"):
        play(watch=lambda e: e.stop("Eve", ("Bob",)))


# -- robots with drivers elsewhere ------------------------------------------------------------------------------------
@dataclass
class Script:
    """A far driver whose standing goes by the questions it was asked; a robot needs three of them for an action."""

    standings: dict[int, Standing] = field(default_factory=dict)  # number of the question -> how it stands from then on
    ends: Outcome | None = None
    poll_s: float = 0.5
    run: str = ""
    asked: int = 0
    started: list = field(default_factory=list)

    def begin(self, run):
        self.run = run

    def standing(self, robot):
        self.asked += 1
        known = [s for n, s in self.standings.items() if n <= self.asked]
        return known[-1] if known else Standing()

    def start(self, robot, action, now):
        self.started.append((round(now, 3), str(action)))
        return Motion(self, robot, action, now)


@dataclass
class Motion:
    script: Script
    robot: str
    action: Action
    start: float
    polls: int = 0

    def poll(self, now):
        self.polls += 1
        end = self.script.ends
        if self.polls < 3:
            return None
        if end is not None:
            return end._replace(action=self.action, start=self.start)
        return Outcome(self.robot, self.action, "done", "Well.", self.start, now - self.start)

    def cancel(self, now):
        return Outcome(self.robot, self.action, "done" if self.polls > 1 else "cancelled", "Well.", self.start, 0.0)


AWAY = {6: Standing(False, "", "the line broke"), 14: Standing()}
STILL = {6: Standing(True, "Eve"), 14: Standing()}


@pytest.mark.parametrize("settings", [Settings(), ASYNC], ids=["synchronous", "asynchronous"])
@pytest.mark.parametrize("standings", [AWAY, STILL], ids=["away", "stopped"])
def test_nobody_decides_for_a_robot_that_cannot_act(settings, standings):
    believed = {}

    def watch(e):
        believed[e.world.now] = e.views["Ada"].look("online", "Bo")

    assert isinstance(Script(), FarDriver), "it is known by its protocol"
    result, log = play(drivers={"Bo": Script(standings)}, settings=settings, watch=watch)
    gone, back = [e for e in events(log, "input") if e.data["kind"] == "standing"]
    assert gone.who == back.who == "Bo" and back.data["there"] and not back.data["stopped"]
    between = [e for e in log.events if gone.seq < e.seq < back.seq]
    assert not [e for e in between if e.kind == "act" and e.who == "Bo"]
    assert [e for e in between if e.kind == "act" and e.who == "Ada"], "the other goes on"
    assert [e for e in log.events if e.kind == "act" and e.who == "Bo" and e.seq > back.seq], "it is used again"
    assert result.success or not settings.synchronous  # tidiers that meet at a bad moment stand in each other's way
    away = [v for t, v in believed.items() if gone.t < t < back.t]
    if standings is AWAY:
        assert len(away) > 1 and not any(away[1:]), "its teammate misses its heartbeat"
        assert not [e for e in between if e.kind == "see" and e.who == "Bo"], "and it perceives nothing"
    assert believed[max(believed)] in (True, believed[min(believed)])


def test_causes_and_facts_of_a_driver_reach_the_mind_as_they_are_read_from_a_log():
    cause = Cause("seen", ("where", ("ball",), ("shelf", "2")), "during")
    fact = Fact("where", ("ball",), "1,2", 0.5, "Bo")

    def once(log):
        minds = []

        def look(me):
            minds.append((me.name, me.outcome and me.outcome.cause, me.look("where", "ball")))
            return Action("drop", ("ball",))

        ends = Outcome("Bo", Action("drop", ("ball",)), "failed", "No ball.", facts=(fact,), cause=cause)
        play(drivers={"Bo": Script(ends=ends)}, log=log, mind=solo(look), step_limit=3)
        return minds, log

    first, log = once(Log())
    bo = [m for m in first if m[0] == "Bo"][1]
    assert bo[1].clause == "seen" and bo[1].fact[:2] == ("where", ("ball",)) and bo[2] == "1,2"
    again, resumed = once(Log(past=log.lines()))
    assert again == first and resumed.lines() == log.lines()


def test_what_was_done_before_the_word_to_stop_came_is_done():
    inputs = Inputs()

    class Late(Script):
        def start(self, robot, action, now):
            motion = super().start(robot, action, now)
            motion.polls = 1
            inputs.put(Cancellation(robot))
            return motion

    def once(log):
        return play(inputs, drivers={"Bo": Late()}, log=log, step_limit=2)[1]

    log = once(Log())
    outcomes = events(log, "outcome", "Bo")
    assert outcomes and all(o.data["status"] == "done" for o in outcomes)
    assert once(Log(past=log.lines())).lines() == log.lines()


@pytest.mark.parametrize("standings", [AWAY, STILL], ids=["away", "stopped"])
def test_a_run_cut_anywhere_goes_on_under_the_same_name_and_asks_only_for_what_had_not_ended(standings):
    first = Script(standings)
    log = play(drivers={"Bo": first}, settings=ASYNC, step_limit=8)[1]
    whole, lines = log.events, log.lines()
    assert len(lines) > 50
    for cut in range(3, len(lines), 11):
        again = Script()
        log = play(drivers={"Bo": again}, log=Log(past=lines[:cut]), settings=ASYNC, step_limit=8)[1]
        assert again.run == first.run and log.lines()[:cut] == lines[:cut]
        acts = [e for e in whole[:cut] if e.kind == "act" and e.who == "Bo"]
        ends = [e for e in whole[:cut] if e.data.get("kind") == "ended"]
        if len(acts) > len(ends):  # asked for again by the moment at which it began
            assert again.started[0][0] == round(acts[-1].t, 3)
        assert log.events[-1].kind == "end"


def test_what_is_begun_at_a_driver_stands_in_the_log_on_disk_before(tmp_path):
    """So that whoever takes over after a kill knows of it."""
    path = tmp_path / "run.jsonl"
    there = []

    class Looks(Script):
        def start(self, robot, action, now):
            there.append('"act","Bo"' in path.read_text().splitlines()[-1])
            return super().start(robot, action, now)

    log = Log(path)
    play(drivers={"Bo": Looks()}, log=log, settings=ASYNC, step_limit=4)
    log.close()
    assert len(there) > 1 and all(there)


# -- the bell ---------------------------------------------------------------------------------------------------------
def test_a_bell_that_rings_while_minds_think_keeps_their_decisions_from_being_begun():
    rung, thought, when = [""], [], []

    class Slow(Tidier):
        def act(self, me):
            thought.append(me.step)
            if len(thought) == 5:
                rung[0] = "Eve"
                when.append(me.step)
            return super().act(me)

    def once(log, bell):
        thought.clear()
        return play(log=log, mind=Slow, watch=release, bell=bell, step_limit=8)[1]

    def release(e):
        if all(a.held for a in e.roster) and e.world.now > 12.0:
            rung[0] = ""

    log = once(Log(), lambda: rung[0])
    on, off = events(log, "input")
    assert on.data == {"kind": "stop", "by": "Eve", "names": ("all",), "on": True, "via": "bell"}
    assert (off.data["on"], off.data["by"]) == (False, "Eve")
    assert not [e for e in log.events if e.kind == "act" and on.seq < e.seq < off.seq]
    begun = [e for e in log.events if e.kind == "act" and e.seq < on.seq]
    assert begun and all(e.step < on.step == when[0] for e in begun), "what was decided is not begun"
    assert [e for e in log.events if e.kind == "act" and e.seq > off.seq]
    rung[0] = ""
    again = once(Log(past=log.lines()), lambda: "")
    assert again.lines() == log.lines(), "and a resumed run goes the same way"


def test_what_is_said_while_minds_think_is_heard_before_the_first_move():
    inputs, when = Inputs(), []

    class Slow(Tidier):
        def act(self, me):
            if not when and me.time > 0.0:
                when.append(me.time)
                inputs.put(Stop("Eve"))  # from another thread, as it were
            return super().act(me)

    log = play(inputs, settings=ASYNC, mind=Slow, step_limit=8)[1]
    (on,) = events(log, "input")
    assert on.t == when[0], "no time has gone by"
    assert not [e for e in log.events if e.kind == "outcome" and e.seq > on.seq and e.data["status"] == "done"]
    again = play(Inputs(), settings=ASYNC, mind=Tidier, step_limit=8, log=Log(past=log.lines()))[1]
    assert again.lines() == log.lines(), "and a resumed run goes the same way"


def test_a_mind_for_the_whole_party_does_not_see_who_is_out_of_contact():
    seen = []

    class Looks(TeamProtocol):
        sees = "pooled"

        def decide(self, team, idle):
            seen.append((team.time, sorted(team.robots)))
            return {name: Action("drop", ("ball",)) for name in idle}
            yield []

    _, log = play(drivers={"Bo": Script(AWAY)}, mind=Looks, step_limit=12)
    gone, back = [e.t for e in events(log, "input") if e.data["kind"] == "standing"]
    assert {tuple(names) for t, names in seen if gone < t < back} == {("Ada",)}
    assert {tuple(names) for t, names in seen if not gone <= t <= back} == {("Ada", "Bo")}


def test_a_driver_is_sent_what_moves_its_robot_and_no_waiting():
    driver, drop = Script(), Action("drop", ("ball",))
    _, log = play(drivers={"Bo": driver}, mind=solo(lambda me: "wait" if me.step < 4 else drop), step_limit=8)
    assert {action for _, action in driver.started} == {"drop(ball)"}
    assert [e for e in events(log, "outcome", "Bo") if e.data["action"] == "wait()"], "it waits nevertheless"
