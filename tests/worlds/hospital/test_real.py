"""A real hospital: what the mission knows is what robots report; here they live in a hospital of their own."""

import pytest

from coterie.core.sight import Detection, Sight
from coterie.episode import mission
from coterie.episode.setup import build
from coterie.worlds.hospital.world import HospitalWorld
from tests.worlds.elsewhere import Elsewhere, Liar, drivers

pytestmark = pytest.mark.usefixtures("quick")


def see(world, name):
    """A robot sees the doors of its room, what it holds, and the tables that it stands at."""
    pose = world.scene.poses[world.truth["at", name]]
    things = [
        Detection(key[1], (*world.scene.tables[key[2]][1:], 0.8))
        for key, count in world.truth.items()
        if key[0] == "stock" and key[2] in pose.overlooks
        for _ in range(count)
    ]
    doors = [(n, world.truth["open", n]) for n, d in world.scene.doors.items() if pose.room in d.rooms]
    return Sight((pose.x, pose.y), tuple(things), pose.overlooks, tuple(doors), world.truth["holding", name] or "")


def hospital():
    """A hospital of the stand-in's own."""
    _, config = mission.mission_in("hospital", "mission", seed=1)
    return HospitalWorld(build(config, None)[1])


def serve(world, make=Elsewhere, names=None, **more):
    team = drivers(world, see, make, names)
    return mission.serve("hospital", ["medkit at alpha"], seed=1, real="robots", drivers=team, answers="yes", **more)


def test_a_kit_is_packed_from_what_robots_see(tmp_path):
    world = hospital()
    served = serve(world, log_path=tmp_path / "log.jsonl")
    assert served.success
    assert any(k[0] == "stock" and k[2] == "alpha" and n for k, n in world.truth.items()), "in the other hospital, too"
    lines = (tmp_path / "log.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "log.jsonl").write_text("".join(lines[:-3]))
    assert mission.resume(tmp_path / "log.jsonl", drivers=drivers(world, see)).played.log.events, (
        "and it is gone on with"
    )


def test_robots_that_do_nothing_and_see_nothing_deliver_nothing():
    served = serve(hospital(), Liar, hours=0.02)
    assert not served.success
    told = [e.data["reason"] for e in served.played.log.events if e.kind == "outcome"]
    assert any("as is reported" in reason for reason in told), "that robots are not where they say is noticed"


def test_what_lies_elsewhere_is_fetched_there():
    world = hospital()
    [(key, count)] = [(k, n) for k, n in world.truth.items() if k[:2] == ("stock", "painkiller") and n]
    world.truth[key], world.truth["stock", "painkiller", "tableA"] = 0, count
    served = serve(world)
    picked = [e.data["args"] for e in served.played.log.events if e.kind == "act" and e.data["skill"] == "pickup"]
    assert served.success and ["painkiller", "tableA"] in [list(a[:2]) for a in picked]


def test_a_half_real_team_works_on_what_the_real_ones_report():
    world = hospital()
    served = serve(world, names=["Fetch"], hours=0.01)
    assert {e.who for e in served.played.log.events if e.kind == "input" and e.data["kind"] == "sensed"} == {"Fetch"}
