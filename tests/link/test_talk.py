"""A talk whose robots are driven elsewhere."""

import pytest

from coterie.cli import main
from coterie.log.file import read_log

pytest.importorskip("lark", reason="lark is missing: pip install 'coterie[mission]'")


def talked(tmp_path, capsys, script, *more):
    file, log = tmp_path / "a.talk", tmp_path / "log.jsonl"
    file.write_text(script)
    code = main(["talk", "--script", str(file), "--log", str(log), "--quiet", *more])
    out = capsys.readouterr()
    return code, (read_log(log) if log.exists() else []), out.out + out.err


def test_what_is_asked_for_in_a_talk_is_done_by_drivers(quick, folder, serve, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COTERIE_ROBOTS", str(folder.path))
    robots = {name: station.robot for name, station in serve("Fetch", "Temi", "Spot").stations.items()}
    script = "instructor: Deliver a medkit to alpha.\n> I have a plan\n> Done\n"
    code, events, said = talked(tmp_path, capsys, script, "--scene", "hospital", "--drive", "Fetch,Temi,Spot")
    assert code == 0, (
        said,
        [(e.t, e.who, e.data) for e in events if e.kind == "outcome" and e.data["status"] != "done"],
    )
    told = "driven elsewhere: Fetch, Temi, Spot; what they see and what comes of their actions is simulated"
    assert told in said
    inputs = [e.data for e in events if e.kind == "input"]
    assert next(i for i in inputs if i["kind"] == "driven")["names"] == list(robots)
    for name, robot in robots.items():
        acts = [e.data["skill"] for e in events if e.kind == "act" and e.who == name]
        assert [d.partition("(")[0] for d in robot.did] == [s for s in acts if s not in ("wait", "communicate")]
    assert all(robot.did for robot in robots.values())


def test_robots_that_nobody_drives_or_knows_are_a_sentence(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COTERIE_ROBOTS", str(folder.path))
    for name, words in (("Fetch", "No driver serves 'Fetch'"), ("Fitch", "Did you mean 'Fetch'")):
        code, _, said = talked(tmp_path, capsys, "teacher: Hello.\n", "--scene", "hospital", "--drive", name)
        assert code == 2 and words in said
