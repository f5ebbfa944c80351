"""`coterie robot` and `coterie stop` in words, and the pages and examples that show them."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.cli import main
from coterie.cli.mission import Keyboard
from coterie.core.action import Action
from coterie.core.errors import CoterieError
from coterie.episode.inputs import Inputs
from coterie.link.making import make_robots
from coterie.log.file import Log
from coterie.log.words import driven_words
from tests.link.conftest import end, until

ROOT = Path(__file__).parents[2]
PRETEND = str(ROOT / "examples" / "pretend_robot.py")


def test_the_example_drives(serve, far, monkeypatch):
    monkeypatch.setenv("PRETEND_SECONDS", "0.1")
    robots = make_robots(PRETEND, ["Alice"])
    serve(*robots)
    alice = far()
    under = alice.start("Alice", Action("navigate", ("sofa", "0")), 0.0)
    outcome = end(under)
    assert outcome.reason == "Alice has done navigate(sofa, 0)." and 0 < under.progress[0] <= 1
    assert not robots[0].motors.moving.is_set()
    assert end(alice.start("Alice", Action("dance"), 1.0)).cause.fact == ("legs", ("Alice",), 0)


def test_the_class_on_the_page_drives(serve, far, tmp_path):
    code, *_ = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "drivers.md").read_text(), re.S)
    file = tmp_path / "arm.py"
    file.write_text(code)
    serve(*make_robots(str(file), ["Alice"]))
    alice = far()
    assert end(alice.start("Alice", Action("pick", ("cup",)), 0.0)).reason == "Alice has done pick(cup)."
    assert end(alice.start("Alice", Action("sing"), 1.0)).reason == "Alice does not know sing."


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "has no make"),
        ("make = 7", "has no make"),
        ("make = str", "a Robot of that name"),
        ("1 / 0", "could not be used: ZeroDivisionError"),
        ("raise SystemExit('bye')", "could not be used: SystemExit: bye"),
        ("from coterie.link.robot import Robot\nclass Half(Robot):\n    def halt(self): pass\nmake = Half", "abstract"),
        (
            "from tests.link.robots import Tin\ndef make(name):\n    return Tin('Bob')",
            "it returns a Robot of that name",
        ),
    ],
)
def test_files_without_a_robot_are_sentences(tmp_path, code, words):
    file = tmp_path / "mine.py"
    file.write_text(code)
    with pytest.raises(CoterieError, match=words):
        make_robots(str(file), ["Alice"])
    with pytest.raises(CoterieError, match="cannot be the name of a robot"):
        make_robots(str(file), ["../Alice"])
    with pytest.raises(CoterieError, match="There is no Python file"):
        make_robots(str(tmp_path), ["Alice"])


def test_what_stop_says(folder, serve, capsys):
    where = ["--folder", str(folder.path)]
    assert main(["stop", *where]) == 0
    assert capsys.readouterr().out == "No robots are driven here.\n"
    host = serve("Alice", "Bob")
    assert main(["stop", "Alice", "--by", "Eve", *where]) == 0
    assert re.fullmatch(r"stopped: Alice \(\d+ ms\)\n", capsys.readouterr().out)
    until(lambda: folder.stopped("Alice"))  # the robot halts first, and then it is noted
    assert main(["stop", "--list", *where]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("Alice: stopped by Eve; process ") and second.startswith("Bob: free; process ")
    assert main(["stop", "--release", "--json", *where]) == 0
    assert json.loads(capsys.readouterr().out)["released"] == {"Alice": 0.0, "Bob": 0.0}
    assert main(["stop", "Alcie", *where]) == 2
    assert "No driven robot 'Alcie'. Did you mean 'Alice'?" in capsys.readouterr().err
    assert not host.stations["Alice"].stopped_by
    entry = folder.entry_path("Carl")
    entry.write_text(json.dumps({"robot": "Carl", "pid": 2**22 + 1, "port": 9, "stop_port": 9}))
    assert main(["stop", *where]) == 1, "one of them was not reached"
    said = capsys.readouterr()
    assert "stopped: Alice, Bob" in said.out and "Carl was not stopped: its driver (process" in said.err


def test_the_keyboard_of_a_mission_stops_drivers_itself_and_hands_on_the_rest(folder, serve, monkeypatch, capsys):
    host, inputs = serve("Alice"), Inputs()
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    console = Keyboard(inputs, "Eve", folder.path)
    console.take("STOP!")
    assert host.stations["Alice"].stopped_by == "Eve" and not inputs.waiting
    console.take("release")
    until(lambda: not host.stations["Alice"].stopped_by)
    for words in ("do not stop", "nurse: What is going on?", "12: 30"):
        console.take(words)
    log = Log()
    said = [inputs.take(log) for _ in range(3)]
    assert [(u.person, u.text) for u in said] == [
        ("Eve", "do not stop"),
        ("nurse", "What is going on?"),
        ("Eve", "12: 30"),
    ]
    told = capsys.readouterr().out
    assert "stopped: Alice" in told and "type release" in told and "released: Alice" in told


def test_nothing_is_loaded_before_the_shots_go_out():
    code = (
        "import sys, os, coterie.cli, coterie.link.fire as f\n"
        "f.shoot(f._socket(), f.Seal(b'key'), {'Alice': (9, '0' * 16)}, f.me(), 0.05)\n"
        "f.fire(['--folder', '/nowhere'])\n"
        "slow = ('argparse', 'pathlib', 'typing', 'numpy', 'rich', 'coterie.cli.app', 'json', 're', 'socket')\n"
        "print([m for m in slow if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    if "ModuleNotFoundError" in done.stderr:  # where the package is found by `site` alone
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        left = ("numpy", "argparse", "coterie.cli.app", "'json'", "hashlib", "'socket'")  # `site` may load others
        assert not [m for m in left if m in done.stdout]
    else:
        assert done.stdout.strip() == "[]", done.stderr


def test_options_that_do_not_go_together_are_sentences(tmp_path, capsys, folder, serve):
    serve("Alice")
    where = ["--folder", str(folder.path)]
    run = ["run", "pack-objects", "--log", str(tmp_path / "run.jsonl"), *where]
    for words, told in (
        ([*run, "--drive", "Alice,Alice"], "each once"),
        ([*run, "--drive", ","], "with commas between them"),
        ([*run, "--drive", "Alic"], "No robot 'Alic'. Did you mean 'Alice'?"),
        ([*run, "--drive", "Bob"], "No driver serves 'Bob'"),
        (["run", "--standby", "a.jsonl", "--resume", "b.jsonl"], "leave --resume out"),
        (["run", "--standby", str(tmp_path / "none.jsonl")], "There is no log"),
    ):
        assert main(words) == 2
        assert told in capsys.readouterr().err
    assert not [p for p in folder.path.iterdir() if p.name.startswith("team")]


def test_a_log_keeps_who_is_driven_and_a_user_who_stopped_is_not_taken_over_from(tmp_path, capsys, folder, serve):
    host = serve("Ada", "Bo")
    log = tmp_path / "run.jsonl"
    where = ["--folder", str(folder.path)]
    assert main(["run", "yard-tidy", "--async", "--drive", "Ada,Bo", "--json", "--log", str(log), *where]) in (0, 1)
    result = json.loads(capsys.readouterr().out)
    assert host.stations["Ada"].robot.did and (result["driven"], result["real"]) == (["Ada", "Bo"], False)
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[: max(i for i, line in enumerate(lines) if ',"act",' in line) + 1]))
    did = [list(s.robot.did) for s in host.stations.values()]
    assert main(["run", "--resume", str(log), "--drive", "Ada"]) == 2
    assert "also who is driven; leave --drive out" in capsys.readouterr().err
    log.with_suffix(".jsonl.wall").write_text('{"status": "stopped: by the user"}')
    assert main(["run", "--standby", str(log), *where]) == 0
    assert "was stopped by its user. Go on with: coterie run --resume" in capsys.readouterr().err
    assert main(["run", "--resume", str(log), "--json", *where]) in (0, 1)
    assert [s.robot.did[: len(d)] for s, d in zip(host.stations.values(), did)] == did
    assert "end" in log.read_text().splitlines()[-1]


@pytest.mark.parametrize(
    ("driven", "real", "told"),
    [
        (["Ada", "Bo"], False, "Ada, Bo; what they see and what comes of their actions is simulated"),
        (["Ada"], False, "Ada; what they see and what comes of their actions is simulated, and all of Bo"),
        (["Ada"], True, "Ada; simulated: Bo, on what the others report"),
        (["Ada", "Bo"], True, "Ada, Bo; nothing is simulated"),
    ],
)
def test_what_is_simulated_is_said(driven, real, told):
    assert driven_words(driven, ["Ada", "Bo"], real) == f"driven elsewhere: {told}"
