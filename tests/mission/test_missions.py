"""Missions from beginning to end: the demonstration, and variants that no script knows."""

import json
import random

import pytest

from coterie.episode.mission import Said, judged, resume, serve
from coterie.planning.planner import Planner
from coterie.worlds.hospital.places import place
from coterie.worlds.hospital.scene import label
from tests.mission.served import MEDKIT, acts, of, told, truth

pytestmark = pytest.mark.usefixtures("quick")


# -- the demonstration ----------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def demo(tmp_path_factory, quick):
    path = tmp_path_factory.mktemp("demo") / "demo.jsonl"
    return serve("hospital", MEDKIT, seed=7, faults=["missing"], answers="yes", log_path=path), path


def test_the_failure_is_explained_as_data_and_in_words(demo):
    served, _ = demo
    (failure,) = of(served, "failure")
    assert (failure["stage"], failure["why"]) == ("EXECUTION", "not objectAt(bandagebox, tableE)")
    assert "I failed execution because the bandage box is not at table E." in told(served, "instructor")
    assert sum("table E" in text and "bandage box" in text for text in told(served, "instructor")) >= 1


def test_ways_out_are_ranked_with_chances_and_times_and_the_best_uses_spot_and_the_pharmacist(demo):
    served, _ = demo
    (proposal,) = of(served, "proposal")
    ways = proposal["alternatives"]
    assert {w["policy"] for w in ways} == {"another way", "make true"}
    ranks = [(-round(w["chance"], 2), w["seconds"]) for w in ways]
    assert ranks == sorted(ranks)
    for way in ways:
        steps = [*way["first"], *way["then"]]
        assert any(row[:3] == ["Spot", "receiveitem", "bandagebox"] and "pharmacist" in row for row in steps)
        assert 0 < way["chance"] < 1 and way["low_s"] < way["seconds"] < way["high_s"]
    assert any("It will take about" in text for text in told(served, "instructor"))
    restore = next(w for w in ways if w["policy"] == "make true")
    assert restore["first"][-1][1:3] == ["putdown", "bandagebox"] and "tableE" in restore["first"][-1]


def test_no_step_of_the_recovery_before_approval(demo):
    served, _ = demo
    failed, approved = of(served, "failure")[0]["t"], of(served, "approved")[0]["t"]
    assert failed < approved
    assert not [a for a in acts(served) if failed < a[0] < approved]


def test_spot_opens_the_door_for_temi_and_the_kit_is_at_alpha(demo):
    served, _ = demo
    assert served.success
    doors = [a for a in acts(served) if a[2] == "opendoor"]
    assert [(a[1], a[3][0]) for a in doors] == [("Spot", "alphadoor")]
    end = truth(served)
    kit = next(k[1] for k, v in end.items() if k[0] == "stock" and k[2] == "alpha" and v == 1)
    inside = {k[2]: v for k, v in end.items() if k[:2] == ("amount", kit) and v}
    assert inside == {"painkiller": 2, "bandagebox": 1}
    assert acts(served)[-1][1:3] == ("Temi", "deliverkit")


def test_robots_worked_at_the_same_time_and_the_schedule_holds(demo):
    served, _ = demo
    assert judged(served.played) == []
    events, at_work, most = served.played.log.events, set(), 0
    for e in events:
        if e.kind == "act" and e.data["skill"] != "wait":
            at_work.add(e.who)
        elif e.kind == "outcome":
            at_work.discard(e.who)
        most = max(most, len(at_work))
    assert most == 3


def held(mission):
    """What must survive: knowledge, goals with their history, what is wanted now, experience."""
    facts = sorted(repr(f) for f in mission.knowledge.facts())
    wanted = {id: (repr(w.wish), w.taken, sorted(w.scope)) for id, w in mission.wanted.items()}
    return facts, [repr(g) for g in mission.goals.all()], wanted, [repr(t) for t in mission.trials.of()]


@pytest.mark.parametrize("at", [b"\n", b'"what":"proposal"', 0.9])
def test_a_killed_mission_goes_on_where_it_was(demo, tmp_path, at):
    served, path = demo
    whole, again = path.read_bytes(), tmp_path / "again.jsonl"
    cut = int(at * len(whole)) if isinstance(at, float) else whole.index(at) + 40  # in the middle of a line
    again.write_bytes(whole[:cut])
    on = resume(again)  # who says yes to what is in the log's first line
    assert on.success and again.read_bytes() == whole
    assert held(on.mission) == held(served.mission)


def test_a_log_that_does_not_keep_what_was_typed_goes_on_with_what_is_given(demo, tmp_path):
    _, path = demo
    first, rest = path.read_text().split("\n", 1)
    start = json.loads(first)
    assert start[5]["about"].pop("typed")["answers"] == "yes"
    older = json.dumps(start, separators=(",", ":"), ensure_ascii=False) + "\n" + rest
    (tmp_path / "older.jsonl").write_text(older[: older.index('"what":"approved"')])
    assert resume(tmp_path / "older.jsonl", answers="yes").success
    assert (tmp_path / "older.jsonl").read_text() == older


@pytest.mark.long
def test_a_live_mission_plans_elsewhere_and_comes_out_the_same(demo, tmp_path, monkeypatch):
    """Also where its process is killed in the middle: then it plans in its own."""
    said, solve = [], Planner.solve

    def watched(planner, *asked):
        if len(said) == 1:
            planner._idle[0]._child.kill()
        said.append(solve(planner, *asked))
        return said[-1]

    monkeypatch.setattr(Planner, "solve", watched)
    path = tmp_path / "apart.jsonl"
    apart = serve("hospital", MEDKIT, seed=7, faults=["missing"], answers="yes", log_path=path, apart=True)
    assert [a.status for a in said] == ["plan", "broken", *["plan"] * (apart.mission.planner.asked - 2)]
    assert path.read_bytes() == demo[1].read_bytes()
    assert not demo[0].mission.planner.apart


def test_chances_are_those_of_a_place_in_which_as_much_fails():
    """Robots bring what they went through where actions fail by themselves, or do not, as they do here."""
    said = [Said(1, "instructor", "cancel g1")]
    told = {
        n: of(serve("hospital", MEDKIT, seed=1, noise=n, script=said), "plan")[0]["chance"] for n in ("none", "real")
    }
    assert told["none"] > 0.75 > 0.65 > told["real"]


# -- variants that no script knows ------------------------------------------------------------------------------------
def packed(served, room):
    """What is in the caddies at a room."""
    end = truth(served)
    there = [k[1] for k, v in end.items() if k[0] == "stock" and k[2] == room and v == 1]
    return [{k[2]: v for k, v in end.items() if k[:2] == ("amount", kit) and v} for kit in there]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["missing", "door", "changed"])
def test_a_variant_that_the_seed_draws(kind):
    """Kit, room, tables, doors and what goes wrong are drawn; only what must hold of any of them is known here."""
    rng = random.Random(f"variant {kind} 5")
    kits = place("ward").kits
    kit, room, seed = kits[rng.choice(sorted(kits))], rng.choice(["alpha", "beta", "gamma"]), rng.randrange(1000)
    wanted, said = dict(kit.contents), []
    if kind == "changed":
        wanted = dict(sorted(wanted.items())[: rng.randint(1, len(wanted))])
        new = " and ".join(f"{n} {label(item)}" for item, n in wanted.items())
        said = [Said(rng.uniform(40, 100), "instructor", f"change {kit.name} to {new}")]
    faults = [kind] if kind != "changed" else []
    goal = f"{kit.name} at {room}"
    served = serve("hospital", [goal], seed=seed, level="drawn", faults=faults, answers="yes", script=said)
    assert served.success and judged(served.played) == [] and packed(served, room) == [wanted]
    failures, yes = of(served, "failure"), [n["t"] for n in of(served, "approved")]
    if kind == "missing":
        fault = served.played.task.about["faults"][0]
        assert failures[0]["why"] == f"not objectAt({fault['thing']}, {fault['places'][0]})"
        assert all(label(n) in failures[0]["words"] for n in (fault["thing"], fault["places"][0]))
        assert any(a[2] == "receiveitem" and a[0] >= yes[0] for a in acts(served)), "from a person"
    if kind == "door" and failures:
        assert failures[0]["why"] == f"jammed({served.played.task.about['faults'][0]['door']})"
    for failure, approved in zip(failures, yes):
        assert not [a for a in acts(served) if failure["t"] < a[0] < approved]


@pytest.mark.long
def test_another_missing_thing_in_another_hospital():
    served = serve(
        "hospital", ["woundkit at beta"], seed=21, level="drawn", faults=["missing:antiseptic"], answers="yes"
    )
    assert served.success and judged(served.played) == []
    table = served.played.task.about["faults"][0]["places"][0]
    assert of(served, "failure")[0]["why"] == f"not objectAt(antiseptic, {table})"


def test_a_door_that_is_jammed_is_gone_around():
    served = serve("hospital", MEDKIT, seed=2, faults=["door:alphadoor"], answers="yes")
    assert served.played.task.about["faults"][0]["jammed"]
    assert served.success and of(served, "failure")[0]["why"] == "jammed(alphadoor)"
    assert any(a[2] == "passdoor" and a[1] == "Temi" and a[3][1] == "sidedoor" for a in acts(served))


def test_a_kit_that_is_changed_midway_also_if_it_is_killed_before(tmp_path):
    said, log = [Said(90, "instructor", "change medkit to 1 painkiller")], tmp_path / "log.jsonl"
    served = serve("hospital", MEDKIT, seed=3, answers="yes", script=said, log_path=log)
    whole = log.read_bytes()
    log.write_bytes(whole[: whole.index(b'"text":"change medkit', whole.index(b"\n"))])
    assert resume(log).success and log.read_bytes() == whole
    assert served.success and of(served, "amended")
    end = truth(served)
    kit = next(k[1] for k, v in end.items() if k[0] == "stock" and k[2] == "alpha" and v == 1)
    assert {k[2]: v for k, v in end.items() if k[:2] == ("amount", kit) and v} == {"painkiller": 1}
