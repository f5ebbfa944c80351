"""Commands that go on in the background."""

import json
import os
import signal

import pytest

from coterie.cli import main
from coterie.core.files import InUse, Lock
from tests.link.conftest import until


def asked(tmp_path, capsys, *words):
    code = main(["job", words[0], "--folder", str(tmp_path), "--json", *words[1:]])
    out = capsys.readouterr()
    return code, json.loads(out.out) if code < 2 or out.out else out.err


@pytest.mark.parametrize(
    ("words", "code", "key"),
    [(("run", "pack-objects", "--seed", "4"), 0, "result"), (("run", "nothing"), 2, "error")],
)
def test_a_job_ends_with_the_code_and_the_words_of_its_command(tmp_path, capsys, words, code, key):
    begun = asked(tmp_path, capsys, "start", *words)
    assert begun[0] in (0, code) and begun[1]["job"] == "run-1"
    ended, told = asked(tmp_path, capsys, "show", "run-1", "--wait", "120")
    assert (ended, told["code"], told["state"]) == (code, code, "ended")
    assert told[key] and (key == "error" or told[key]["success"]) and (key == "result" or "No task" in told[key])
    assert [j["job"] for j in asked(tmp_path, capsys, "list")[1]["jobs"]] == ["run-1"]


def test_a_job_that_runs_says_how_far_it_is_and_one_that_was_killed_says_so(tmp_path, capsys):
    asked(tmp_path, capsys, "start", "run", "tidy", "--seed", "3", "--level", "3")
    until(lambda: "step" in asked(tmp_path, capsys, "show", "run-1")[1])
    with pytest.raises(InUse) as held:
        Lock(tmp_path / "run-1.json")
    os.kill(int(str(held.value).split("process ")[1].split()[0].strip("().,")), signal.SIGKILL)
    assert asked(tmp_path, capsys, "show", "run-1")[1]["state"] == "running", "its command goes on"
    code, told = asked(tmp_path, capsys, "stop", "run-1")
    assert (code, told["state"]) == (1, "killed")


def test_what_others_left_there_is_a_sentence(tmp_path, capsys):
    (tmp_path / "odd.json").write_text("[]")
    code, told = asked(tmp_path, capsys, "list")
    assert code == 2 and "is no job" in told


@pytest.mark.parametrize("words", [("start", "fly"), ("start",), ("show", "nobody")])
def test_what_is_no_job_is_a_sentence(tmp_path, capsys, words):
    code, told = asked(tmp_path, capsys, *words)
    assert code == 2 and told.startswith("No ")
