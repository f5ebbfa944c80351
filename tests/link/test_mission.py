"""A mission whose robots are driven elsewhere: it waits for their ends, and stands still when somebody stops them."""

from dataclasses import replace

import pytest

from coterie.core.causes import STOPPED
from coterie.episode import mission
from coterie.episode.inputs import Inputs, Utterance
from coterie.episode.loop import Episode
from coterie.link.fleet import Fleet
from coterie.link.stopping import release, stop
from coterie.mission.coordinator import Coordinator
from coterie.mission.planner import MissionPlanner
from coterie.mission.story import Story
from coterie.worlds import worlds
from coterie.worlds.hospital.bodies import BODIES
from tests.link.conftest import until
from tests.link.robots import Tin

NAMES = ("Fetch", "Temi", "Spot")
ROUNDS = 5  # of the loop, for which everybody is held


pytestmark = pytest.mark.usefixtures("quick")


class Endless(Tin):
    """Its first action goes on until somebody stops it; after a release nobody would."""

    calm = False

    def do(self, action, job):
        if self.did or self.calm or action.skill == "wait":
            return super().do(action, job)
        self.did.append(str(action))
        self.move(True)
        job.wait(600)
        return job.stopped()


def test_a_stop_holds_a_mission_until_it_is_released(folder, serve, monkeypatch):
    """Everything is done between two rounds of the loop and waits for its answer, so that no clock decides."""
    robots = [station.robot for station in serve(*NAMES, make=Endless).stations.values()]
    stopped, held, released = [], [], []

    def watch(episode):
        agents = list(episode.roster)
        if not stopped and any(r.moving.is_set() for r in robots):
            stopped.append(stop("Eve", folder=folder.path))
        elif stopped and len(held) < ROUNDS and all(a.standing.stopped == "Eve" for a in agents):
            held.append(len(episode.log.events))
            if len(held) == ROUNDS:
                monkeypatch.setattr(Endless, "calm", True)
                released.append(release("Eve", folder=folder.path))

    with Fleet(NAMES, folder.path) as drivers:
        served = mission.serve("hospital", ["medkit at alpha"], watch=watch, drivers=drivers, answers="yes")
    assert stopped and released
    events = served.played.log.events
    inputs = [e for e in events if e.kind == "input"]
    for name in NAMES:
        said = [e.data["stopped"] for e in inputs if e.data["kind"] == "standing" and e.who == name]
        assert "Eve" in said and said[-1] == "", f"{name} was held, and let go"
    lines = list(Story(worlds.get("hospital").domain({})).lines(events))
    assert any("driven elsewhere: Fetch, Temi, Spot; what they see" in line for line in lines)
    assert any("Temi is stopped by Eve" in line for line in lines), lines
    assert len(held) == ROUNDS and not [e for e in events[held[0] : held[-1]] if e.kind == "act"]
    ends = [e.data["cause"].clause for e in inputs if e.data.get("status") == "cancelled"]
    assert ends and set(ends) == {STOPPED}, "what was under way was cut short"
    assert served.success, "and was done afterwards"


@pytest.mark.long
def test_driven_robots_go_on_while_a_plan_is_sought_and_the_log_keeps_when(folder, serve, monkeypatch, tmp_path):
    """The second plan is not found before robots have done some more of the first one, however long that takes."""
    robots = [station.robot for station in serve(*NAMES).stations.values()]
    inputs, seek, sought, done = Inputs(), MissionPlanner.seek, [], []

    def slow(planner, question):
        sought.append(len(done))
        until(lambda: len(sought) != 2 or len(done) >= sought[1] + 3)
        return seek(planner, question)

    def watch(episode):
        done[:] = [a for r in robots for a in r.did if a != "wait()"]
        if len(done) >= 2 and not inputs.waiting and len(sought) == 1:
            inputs.put(Utterance("teacher", "feverkit at beta"))

    monkeypatch.setattr(MissionPlanner, "seek", slow)
    path, goals = tmp_path / "log.jsonl", ["medkit at alpha"]
    with Fleet(NAMES, folder.path) as drivers:
        served = mission.serve(
            "hospital", goals, watch=watch, inputs=inputs, drivers=drivers, answers="yes", apart=True, log_path=path
        )
    assert served.success
    came = [e for e in served.played.log.events if e.kind == "input" and e.data["kind"] == "came"]
    plans = {n["t"] for n in served.notes if n["what"] == "plan"}
    ended = [e for e in served.played.log.events if e.kind == "outcome"]
    missed = [(e.t, e.who, e.data) for e in ended if e.data["status"] != "done"]
    assert len(came) == len(sought) and {e.t for e in came} >= plans, missed
    lines = path.read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[: came[1].seq + 3]))
    for robot in robots:
        robot.seconds = 0.25  # robots have notes of what came after the cut; now it comes at other times
    with Fleet(NAMES, folder.path) as drivers:  # whoever goes on takes plans in when they came, and thinks as before
        resumed = mission.resume(tmp_path / "cut.jsonl", drivers=drivers, apart=True)
    assert resumed.success
    runs = [e.data["run"] for e in resumed.played.log.events if e.kind == "input" and e.data["kind"] == "driven"]
    assert runs == [runs[0], f"{runs[0]}.1"], "to robots it is another run from there on"
    assert (tmp_path / "cut.jsonl").read_bytes().startswith(b"".join(lines[: came[1].seq + 3]))


def test_a_stop_while_the_mission_thinks_is_no_failure(monkeypatch):
    """What was decided and never begun is begun after the release, by those who were to begin it."""
    rung, held, think = [""], [], Coordinator.think
    monkeypatch.setattr(Episode, "_keep_time", lambda self, until: None)

    def thinks(mission):
        think(mission)
        if not held and mission.agenda.items:
            rung[0] = "Eve"

    def watch(episode):
        if rung[0]:
            held.append([a.name for a in episode.roster if a.held])
            rung[0] = rung[0] if len(held) < ROUNDS else ""

    monkeypatch.setattr(Coordinator, "think", thinks)
    served = mission.serve("hospital", ["medkit at alpha"], watch=watch, bell=lambda: rung[0], answers="yes")
    assert held == [list(NAMES)] * ROUNDS
    assert not [n for n in served.notes if n["what"] in ("failure", "proposal")]
    assert served.success


def test_a_robot_that_is_out_of_contact_for_a_moment_is_waited_for(folder, serve):
    """Nobody else delivers: without it the goal would have to be given up."""
    fetch = serve("Fetch", "Spot").stations["Fetch"].robot
    hosts = [serve("Temi")]

    def watch(episode):
        if len(hosts) == 1 and len(fetch.did) >= 3:
            hosts[0].close()
            until(lambda: not episode.roster.drivers["Temi"].standing("Temi").there)
            hosts.append(serve("Temi"))

    with Fleet(NAMES, folder.path) as drivers:
        served = mission.serve("hospital", ["medkit at alpha"], watch=watch, drivers=drivers, answers="yes", apart=True)
    inputs = [e.data for e in served.played.log.events if e.kind == "input" and e.who == "Temi"]
    assert any(not e["there"] for e in inputs if e["kind"] == "standing"), "it was away"
    assert served.success and not [n for n in served.notes if n["what"] == "vanished"]


def test_a_robot_joins_a_mission_with_its_own_card_and_is_driven(folder, serve):
    serve("Fetch", "Temi")
    rex = Tin("Rex")
    rex.card = replace(BODIES[2], name="Rex")
    hosts, driver = [], []

    def watch(episode):
        if not hosts:
            hosts.append(serve(rex))
        if "Rex" in episode.views:
            driver.append(episode.roster.agents["Rex"].driver)
        else:
            until(lambda: episode.driving.fleet._came, 10.0, "Rex is found")

    with Fleet(["Fetch", "Temi"], folder.path) as drivers:
        served = mission.serve("hospital", ["open the side door"], watch=watch, drivers=drivers, answers="yes")
    assert [e.who for e in served.played.log.events if e.kind == "join"] == ["Rex"]
    assert served.success and driver[-1].robot == "Rex", "what Rex is to do goes to its driver"
