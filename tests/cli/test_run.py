import io
import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

import coterie.worlds.indoor.bodies
from coterie.cli.follow import Follower
from coterie.cli.live import board
from coterie.cli.run import default_log
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.setup import resolve
from coterie.log.file import read_log
from coterie.log.fold import state_at
from coterie.models.server import serve
from coterie.worlds.household.tasks.unfinished import WORDS, reasons
from tests.models.test_episode import speak

KEYS = {"task", "team", "protocol", "model", "seed", "success", "ps", "ts", "as", "cc", "calls", "tokens", "log"}


def test_a_run_tells_what_each_robot_does_and_ends_with_the_score(cli):
    said = cli("run", "pack-objects", "--protocol", "expert", "--seed", "3")
    assert said.code == 0 and said.err == ""
    log = Path("runs/pack-objects-Ma-MoMa-UAV-expert-3.jsonl")
    events = read_log(log)
    lines = said.out.splitlines()
    assert events[0].data["goal_text"] in said.out
    waited = sum(e.kind == "act" and e.data["skill"] == "wait" for e in events)
    assert sum(" ok  " in line for line in lines) == sum(e.kind == "outcome" for e in events) - waited
    assert sum(len(line.split(", ")) for line in lines if "waiting: " in line) == waited
    end = events[-1].data
    (done,) = [line for line in lines if line.startswith("Done")]  # the one clock
    assert re.fullmatch(
        rf"Done in {end['steps']} steps \({end['time_s']:.0f} s simulated, [\d.]+ s wall time\)\.", done
    )
    (score,) = [line for line in lines if line.startswith("success yes")]
    assert re.fullmatch(
        r"success yes · PS 1\.00 \(share of targets right\) · TS \d+ \(steps\) · AS [\d.]+ \(actions per robot\)"
        r" · CC [\d.]+ \(messages per robot that cost a step\)",
        score,
    )
    assert lines[-2:] == [f"log  {log}", f"again, step by step: coterie replay {log}"]
    assert "\x1b" not in said.out


def test_json_is_one_object_and_nothing_else(cli):
    said = cli("run", "pack-objects", "--protocol", "expert", "--seed", "3", "--json", "--log", "deep/er/x.jsonl")
    result = json.loads(said.out)
    assert said.code == 0 and said.out.count("\n") == 1
    assert result.keys() >= KEYS
    assert result["success"] is True and result["ps"] == 1.0 and result["log"] == "deep/er/x.jsonl"
    acts = [e for e in read_log(Path("deep/er/x.jsonl")) if e.kind == "act"]
    assert result["as"] == pytest.approx(sum(e.data["skill"] != "wait" for e in acts) / 3)
    assert (result["task"], result["team"], result["seed"]) == ("pack-objects", "Ma-MoMa-UAV", 3)


def test_a_level_goes_with_the_task_or_by_itself(cli):
    one = cli("run", "pack-objects:hard", "--protocol", "expert", "--log", "one.jsonl")
    other = cli("run", "pack-objects", "--level", "hard", "--protocol", "expert", "--log", "other.jsonl")
    assert one.code == other.code == 0 and "seed 0, level hard" in one.out
    assert Path("one.jsonl").read_bytes() == Path("other.jsonl").read_bytes()
    assert Config(task="sort-cubes:cluttered") == Config(task="sort-cubes", level="cluttered")
    assert Config(task="a:b/c.toml").task == "a:b/c.toml"


def test_a_task_that_is_not_achieved_exits_with_one(cli):
    said = cli("run", "pack-objects", "--protocol", "random", "--level", "hard", "--json")
    assert said.code == 1 and json.loads(said.out)["success"] is False
    said = cli("run", "pack-objects", "--protocol", "random", "--level", "hard")
    assert said.code == 1 and "Not achieved: step limit after 50 steps (" in said.out


@pytest.mark.parametrize(
    "change, words", [("cto@2", "The goal changes"), ("irz@2", "Zones are closed"), ("rec@2", "gone")]
)
def test_a_change_has_its_own_line(cli, change, words):
    said = cli("run", "pack-objects", "--protocol", "expert", "--seed", "3", "--change", change)
    assert any(line.startswith("  2  change") and words in line for line in said.out.splitlines())


def test_a_task_with_a_house_of_its_own_is_played(cli):
    assert '"level": "help"' in cli("run", "two-rooms:help", "--json").out


def test_what_is_not_as_usual_is_in_the_header_the_name_of_the_log_and_the_object(cli):
    words = [
        "--guard",
        "on",
        "--noise",
        "slip=0.1",
        "--async",
        "--scene",
        "real",
        "--level",
        "hard",
        "--change",
        "cto@3",
    ]
    said = cli("run", "pack-objects", "--protocol", "expert", *words)
    log = Path("runs/pack-objects-Ma-MoMa-UAV-expert-0-real-hard-slip_0.1-guard-async-cto@3.jsonl")
    assert said.out.splitlines()[0].endswith("  seed 0, level hard, noise slip=0.1, guard on, async")
    config = read_log(log)[0].data["config"]
    assert config["guard"] is True and config["noise"] == "slip=0.1" and config["synchronous"] is False
    assert config["scene"] == "real" and config["level"] == "hard" and config["changes"] == ["cto@3"]
    assert "level hard, noise slip=0.1, guard on, async" in cli("replay", log).out.splitlines()[0]
    result = json.loads(cli("run", "pack-objects", "--protocol", "expert", *words, "--json").out)
    assert (result["level"], result["noise"], result["guard"], result["async"]) == ("hard", "slip=0.1", True, True)
    assert result["change"] == [{"kind": "goal", "step": 3}] and result["log"] == str(log)
    usual = cli("run", "pack-objects", "--protocol", "expert").out.splitlines()
    assert usual[0] == "pack-objects in flat, Ma-MoMa-UAV, expert  seed 0"


TASK = """
name = "set-the-table"
scene = "loft"
team = "Ma-MoMa"
step_limit = 20
[goal]
kind = "pack"
targets = ["cup_0"]
[[thing]]
name = "cup_0"
place = "{place}"
[[change]]
step = {step}
kind = "goal"
targets = ["cup_0", "plate_0"]
[[thing]]
name = "plate_0"
place = "{place}"
"""


def table_task(step: int) -> str:
    from coterie.houses.names import scene

    Path("table.toml").write_text(TASK.format(place=scene("loft").work.table, step=step))
    return "table.toml"


def test_a_task_file_brings_its_own_name_team_scene_and_changes(cli):
    said = cli("run", table_task(2), "--protocol", "expert", "--json")
    result = json.loads(said.out)
    assert (result["task"], result["team"], result["scene"]) == ("set-the-table", "Ma-MoMa", "loft")
    assert result["change"] == [{"kind": "goal", "step": 2}] and result["unfired"] == []
    assert result["log"] == "runs/table-Ma-MoMa-expert-0.jsonl"
    head = cli("run", "table.toml", "--protocol", "expert", "--picture", "a.svg").out.splitlines()[0]
    assert " in loft, Ma-MoMa, expert" in head
    assert "team Ma-MoMa" in "".join(ET.parse("a.svg").getroot().itertext())
    assert cli("run", "--resume", result["log"], "--json").code == 0
    assert "--level does not go with" in cli("run", "table.toml", "--level", "hard").err
    assert "--change does not go with" in cli("run", "table.toml", "--change", "cto@3").err


def test_a_change_that_never_came_is_mentioned(cli, own_names):
    from coterie.core.task import Change, Trigger
    from coterie.worlds.indoor.tasks import tasks

    def late(config):
        drawn = tasks.get("pack-objects")(config)
        changes = tuple(Change(Trigger(step=step), "goal", {"goal": drawn.goal}) for step in (2, 99))
        return replace(drawn, name="late", changes=changes)

    tasks.put("late", late)
    said = cli("run", "late", "--protocol", "expert", "--log", "x.jsonl")
    result = json.loads(cli("run", "late", "--protocol", "expert", "--json", "--log", "y.jsonl").out)
    words = "The change of the goal planned for step 99 never came: the episode ended before."
    assert said.code == 0 and words in said.out.splitlines()
    assert result["unfired"] == ["goal"] and [c["step"] for c in result["change"]] == [2, 99]
    assert "The change of the goal never came: the episode ended before." in cli("replay", "x.jsonl").out


def test_a_file_of_ones_own_can_be_loaded(cli, own_names):
    Path("mine.py").write_text(
        "from coterie.core.action import Action\n"
        "from coterie.core.protocol import SoloProtocol\n"
        "from coterie.protocols import protocols\n"
        "class Lazy(SoloProtocol):\n"
        "    about = 'takes it easy'\n"
        "    def act(self, me):\n"
        "        return Action('wait')\n"
        "protocols.put('lazy', Lazy, replace=True)\n"
    )
    assert "takes it easy" in cli("list", "protocols", "--load", "mine.py").out
    said = cli("run", "pack-objects", "--load", "mine.py", "--protocol", "lazy", "--level", "easy", "--json")
    assert said.code == 1
    start = read_log(Path(json.loads(said.out)["log"]))[0]
    assert start.data["config"]["load"] == [str(Path("mine.py").absolute())]
    for words in (["run", "pack-objects"], ["list", "protocols"]):
        said = cli(*words, "--load", "missing.py")
        assert said.code == 2 and "missing.py" in said.err and said.err.count("\n") == 1


def test_pictures_are_made_on_the_way(cli):
    words = ["--protocol", "expert", "--level", "easy", "--seed", "3", "--picture", "a.svg", "--gif", "a.gif"]
    said = cli("run", "pack-objects", *words, "--html", "a.html")
    assert "html  a.html" in said.out and "Lucy" in Path("a.html").read_text()
    cli("run", "pack-objects", "--log", "b.jsonl", "--html")
    assert "Lucy" in Path("b.html").read_text(), "beside the log"
    assert said.code == 0 and "picture  a.svg" in said.out and "gif  a.gif" in said.out
    words = "".join(ET.parse("a.svg").getroot().itertext())
    assert all(name in words for name in ("Bob", "Alice", "Lucy"))
    with Image.open("a.gif") as image:
        assert image.n_frames > 5


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["pack-object"], "No task 'pack-object'. Did you mean 'pack-objects'?"),
        (["pack-objects", "--team", "Ma-MoMo"], "No robot 'MoMo'. Did you mean 'MoMa'?"),
        (["pack-objects", "--team", "Ma-Heron"], "No robot 'Heron'. There are: Ma, Mo, MoMa, UAV. Bring your own with"),
        (["pack-objects", "--html", "a.svg"], "'a.svg' must end in .html."),
        (["pack-objects", "--team", "Ma--UAV"], "is not a team"),
        (["pack-objects", "--protocol", "rule"], "No protocol 'rule'. Did you mean 'rules'?"),
        (["pack-objects", "--scene", "flats"], "No scene 'flats'. Did you mean 'flat'?"),
        (
            ["pack-objects", "--level", "heavy"],
            "No level 'heavy'. Did you mean 'easy'? There are: easy, hard, medium, ",
        ),
        (["pack-objects:hrd"], "No level 'hrd'. Did you mean 'hard'?"),
        (["pack-objects:hard", "--level", "easy"], "'pack-objects:hard' names a level, and --level easy another"),
        (["sort-cubes:clutered"], "No level 'clutered'. Did you mean 'cluttered'?"),
        (["two-rooms:any"], "No level 'any'. There are: arm, help."),
        (["pack-objekts:hard"], "No task 'pack-objekts'. Did you mean 'pack-objects'?"),
        (["pack-objects", "--camera", "foo"], "'pack-objects' takes --camera with --real"),
        (["tidy", "--camera", "foo"], "No camera 'foo'"),
        (["tidy", "--camera", "vision"], "--camera vision shows pictures to a model: name it, like --model"),
        (["pack-objects", "--change", "cto@-1"], "'cto@-1' is not a change"),
        (["pack-objects", "--change", "ctx@1"], "No kind of change 'ctx'. Did you mean 'cto'?"),
        (["pack-objects", "--noise", "slop=1"], "Did you mean 'slip'?"),
        (["pack-objects", "--noise", "slip=2"], "between 0 and 1"),
        (["pack-objects", "--model", "oracel"], "No model 'oracel'. Did you mean 'oracle'?"),
        (["pack-objects", "--card", "none.toml"], "none.toml"),
        (["pack-objects", "--seed", "x"], "--seed"),
        (["pack-objects", "--seed", "-1"], "-1 is not a seed from 0 on"),
        (["sort-cubes", "--protocol", "task-expart"], "There are: central-plan, hmas2, random, random-legal, react, "),
        (["pack-objects", "--guard", "maybe"], "--guard"),
        (["pack-objects", "--picture", "a.bmp"], "must end in .svg or .png"),
        (["pack-objects", "--gif", "a.png"], "must end in .gif"),
        (["missing.toml"], "missing.toml"),
        ([], "Name a task"),
        (["pack-objects", "--may", "watcher=prompts"], "--may sets up the page of --live; add --live"),
        (["--resume", "missing.jsonl"], "There is no log 'missing.jsonl'."),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_two(cli, words, sentence):
    said = cli("run", *words)
    assert said.code == 2 and said.out == ""
    assert sentence in said.err and said.err.count("\n") == 1


def test_a_file_that_is_no_log_is_not_overwritten(cli):
    Path("notes.txt").write_text("my notes")
    said = cli("run", "pack-objects", "--log", "notes.txt")
    assert said.code == 2 and "not overwritten" in said.err
    assert Path("notes.txt").read_text() == "my notes"


def test_a_run_that_fails_says_why(cli, tmp_path):
    """In a house, for each thing, what the bench counts; elsewhere, how far it came. A replay says the same."""
    log = tmp_path / "tidy.jsonl"
    said = cli("run", "tidy", "--scene", "rooms:2:1", "--protocol", "random", "--log", log)
    why = reasons(read_log(log))
    assert said.code == 1 and why
    for thing, reason in why.items():
        assert f"{thing} ({reason}): {WORDS[reason]}." in said.out and f"{thing} ({reason})" in cli("replay", log).out
    assert "In the tray: nothing." in cli("run", "pack-objects", "--protocol", "random", "--seed", "3").out


def test_other_runs_and_unfinished_ones_are_not_overwritten(cli):
    run = ("run", "pack-objects", "--protocol", "expert", "--level", "easy")
    log = Path(json.loads(cli(*run, "--json").out)["log"])
    whole = log.read_bytes()
    assert json.loads(cli(*run, "--json").out)["log"] == str(log) and log.read_bytes() == whole  # the same again
    cut = whole[: whole.rindex(b"\n", 0, -1) + 1]
    log.write_bytes(cut)
    second = log.with_name(f"{log.stem}-2.jsonl")
    said = cli(*run)
    assert said.code == 0 and said.out.splitlines()[0] == (
        f"{log} keeps a run that was not finished; this one goes to {second}"
    )
    assert log.read_bytes() == cut and second.read_bytes() == whole
    second.write_bytes(cut)
    assert json.loads(cli(*run, "--json").out)["log"] == str(log.with_name(f"{log.stem}-3.jsonl"))
    said = cli(*run, "--log", log)
    assert said.code == 2 and f"Go on with: coterie run --resume {log}, or choose another --log." in said.err
    assert log.read_bytes() == cut
    log.write_bytes(whole[:300])  # nothing to go on with
    assert cli(*run, "--log", log).code == 0 and log.read_bytes() == whole
    said = cli(*run, "--seed", "1", "--log", log)
    assert said.code == 2 and "is the log of another run; it is not overwritten." in said.err
    assert log.read_bytes() == whole and cli(*run, "--log", log).code == 0  # the same run again may
    log.write_bytes(cut)
    said = cli(*run, "--card", "nofile.toml")
    assert said.code == 2 and said.out == "" and "nofile.toml" in said.err


# -- interruption -----------------------------------------------------------------------------------------------------
RUN = ("run", "pack-objects", "--protocol", "rules", "--seed", "3", "--change", "cto@4", "--json")


def test_a_stopped_run_says_how_to_go_on_and_then_does(cli):
    assert cli(*RUN, "--log", "whole.jsonl").code == 0
    step = Follower.step

    def impatient(self, episode):
        step(self, episode)
        if episode.step == 3:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Follower, "step", impatient)
        said = cli(*RUN, "--log", "part.jsonl")
    assert said.code == 130 and said.out == ""
    assert re.fullmatch(r"Stopped at step \d\. Go on with: coterie run --resume part\.jsonl\n", said.err)
    said = cli("run", "--resume", "part.jsonl", "--json")
    assert said.code == 0 and json.loads(said.out)["log"] == "part.jsonl"
    assert Path("part.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


def test_resuming_takes_nothing_but_the_log(cli):
    assert cli(*RUN, "--log", "whole.jsonl").code == 0
    assert "leave --seed out" in cli("run", "--resume", "whole.jsonl", "--seed", "4").err
    assert "leave --log out" in cli("run", "--resume", "whole.jsonl", "--log", "x.jsonl").err
    assert "leave the task out" in cli("run", "sort-solids", "--resume", "whole.jsonl").err
    assert cli("run", "pack-objects", "--resume", "whole.jsonl").code == 0


def test_a_model_that_fails_on_the_way_leaves_a_log_to_go_on_with(cli, asker):
    from coterie.models.scripted import Scripted

    answer = Scripted.answer

    def gone(self, asks):
        if asks[0].step == 2:
            raise CoterieError("The model does not answer.")
        return answer(self, asks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scripted, "answer", gone)
        said = cli(
            "run", "pack-objects", "--protocol", "asker", "--level", "easy", "--model", asker, "--log", "x.jsonl"
        )
    assert said.code == 2
    assert said.err == "The model does not answer. Stopped at step 2. Go on with: coterie run --resume x.jsonl\n"
    assert cli("run", "--resume", "x.jsonl", "--json").code == 1
    said = cli("run", "pack-objects", "--protocol", "asker")
    assert said.code == 2 and "no model was given" in said.err and "--resume" not in said.err


def test_a_dead_endpoint_on_the_first_call_says_where_the_log_is(cli, monkeypatch):
    from coterie.models import wire

    monkeypatch.setattr(wire, "Endpoint", partial(wire.Endpoint, retries=0))
    url = "http://127.0.0.1:9/v1"
    run = ("run", "pack-objects", "--protocol", "dynahmrc", "--level", "easy", "--model", "openai:x", "--base-url", url)
    said = cli(*run, "--log", "x.jsonl", "--json")
    found = json.loads(said.out)
    assert said.code == 2 and found.keys() == {"status", "error", "log"}
    assert found["status"] == "stopped" and found["log"] == "x.jsonl" and "does not answer" in found["error"]
    assert said.err.endswith(f"Stopped at step 0. Go on with: coterie run --resume x.jsonl --base-url {url}\n")
    beside = Path("x.jsonl.wall")
    assert json.loads(beside.read_text())["status"] == f"stopped: {found['error']}"
    with serve(speak) as there:
        assert cli("run", "--resume", "x.jsonl", "--base-url", there, "--json").code == 0
        assert cli(*run[:-1], there, "--log", "whole.jsonl", "--json").code == 0
    assert Path("x.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    assert "status" not in json.loads(beside.read_text())  # the figures of the whole episode took its place


def test_control_c_ends_a_real_run_cleanly(tmp_path):
    """A mind that thinks for good about step 3 says so in a file; then the key is pressed, however long that took."""
    program = """
import signal, sys, time
from pathlib import Path
from coterie.cli import main
from coterie.core.action import Action
from coterie.core.protocol import SoloProtocol
from coterie.protocols import protocols

signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background are deaf to it

class Slow(SoloProtocol):
    def act(self, me):
        if me.step == 3:
            Path("thinks").touch()
            time.sleep(3600)
        return Action("wait")

protocols.put("slow", Slow)
sys.exit(main(["run", "pack-objects", "--protocol", "slow", "--level", "hard", "--log", "slow.jsonl"]))
"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "thinks").exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert err == "Stopped at step 2. Go on with: coterie run --resume slow.jsonl\n"
    assert read_log(tmp_path / "slow.jsonl")[-1].kind != "end"


# -- live -------------------------------------------------------------------------------------------------------------
def test_the_board_shows_everybody_in_eighty_columns(cli):
    from rich.console import Console

    cli("run", "pack-objects", "--protocol", "rules", "--change", "rec@3", "--seed", "3", "--json", "--log", "x.jsonl")
    for step in range(5):
        state = state_at(read_log(Path("x.jsonl")), step)
        out = Console(width=80, record=True, file=io.StringIO())
        out.print(board(state, {"Bob": "plan"}, 80))
        text = out.export_text()
        flat = " ".join(text.replace("│", " ").split())
        assert max(len(line) for line in text.splitlines()) <= 80
        assert state.goal_text[:40] in flat and f"{round(100 * state.partial)} %" in text and "thinks (plan)" in flat
        for robot in state.robots.values():
            assert f"{robot.name} {robot.body}" in text
            if not robot.online:
                assert f"gone since step {robot.left}" in flat
            elif robot.name != "Bob":  # who thinks
                assert all(str(word) in flat for word in (robot.act.skill, *robot.act.args))
    assert "gone since" in flat


def test_a_terminal_shows_each_step_for_a_while(cli, monkeypatch):
    naps = []
    monkeypatch.setattr("coterie.cli.live.time.sleep", naps.append)
    run = ("run", "pack-objects", "--protocol", "expert", "--level", "easy")
    steps = json.loads(cli(*run, "--json", "--pace", "1").out)["steps"]
    cli(*run)
    assert naps == []  # neither an object nor a pipe
    cli(*run, "--pace", "0.5")
    assert naps == [0.5] * steps
    naps.clear()
    monkeypatch.setenv("FORCE_COLOR", "1")
    cli(*run)
    assert naps == [0.25] * steps
    naps.clear()
    cli(*run, "--pace", "0")
    assert naps == []
    monkeypatch.delenv("FORCE_COLOR")
    assert "--pace" in cli(*run, "--pace", "-1").err and "--pace" in cli(*run, "--pace", "fast").err


def test_a_terminal_gets_colours_and_a_board(cli, monkeypatch, asker):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    said = cli("run", "pack-objects", "--protocol", "asker", "--model", asker, "--level", "easy", "--pace", "0")
    assert said.code == 1
    assert "\x1b[" in said.out and "because" in said.out and "thinks (think)" in said.out


def test_files_of_ones_own_are_found_when_a_run_goes_on_from_another_folder(cli, tmp_path, monkeypatch):
    card = Path(coterie.worlds.indoor.bodies.__file__).with_name("uav.toml").read_text()
    Path("bee.toml").write_text(card.replace('body = "UAV"', 'body = "Bee"'))
    whole = cli("run", "pack-objects", "--card", "bee.toml", "--team", "Ma-Bee", "--log", "whole.jsonl", "--json")
    assert whole.code in (0, 1), whole.err
    lines = Path("whole.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert cli("run", "--resume", str(tmp_path / "part.jsonl"), "--json").code == whole.code
    assert (tmp_path / "part.jsonl").read_bytes() == b"".join(lines)


def test_the_end_says_what_became_of_a_models_replies(cli):
    said = cli("run", "pack-objects", "--protocol", "dynahmrc", "--model", "oracle", "--seed", "4")
    assert re.search(r"decisions \d+: \d+ waited, \d+ failed.*, 0 refused, 0 failures repeated; 0 questions", said.out)
    assert "before the first step: Bob, Alice, Lucy think (introduction, SD)" in said.out


def test_the_log_of_a_large_team_has_a_name_that_a_file_can_have():
    team = "-".join(["Ma", *["MoMa"] * 31, *["UAV"] * 32])
    usual = default_log(resolve(Config(team=team, scene="hall")))
    assert usual.name == "pack-objects-Ma-31xMoMa-32xUAV-rules-0-hall.jsonl"
    odd = "-".join(f"Body{n}" for n in range(64))
    assert len(default_log(resolve(Config(team=odd))).name) < 150
    other = default_log(resolve(Config(team=odd + "-Ma")))
    assert other != default_log(resolve(Config(team=odd))), "what was cut still tells two apart"


def test_parties_are_told_wherever_a_run_is(cli):
    run = ("run", "pack-objects", "--level", "easy", "--party", "scouts=dynahmrc:Lucy", "--model", "oracle")
    said = cli(*run, "--log", "x.jsonl", "--picture", "x.svg")
    assert "seed 0, level easy, model oracle, party scouts=dynahmrc:Lucy\n" in said.out
    assert "Lucy thinks (SD)" in said.out and "was not used" not in said.out and "calls" in said.out
    assert "party scouts=dynahmrc:Lucy" in Path("x.svg").read_text()
    assert "party scouts=dynahmrc:Lucy" in cli("replay", "x.jsonl").out.splitlines()[0]
    assert json.loads(cli(*run, "--json", "--log", "y.jsonl").out)["parties"] == ["scouts=dynahmrc:Lucy"]
    said = cli("run", "pack-objects", "--level", "easy", "--party", "scouts=expert:Lucy", "--model", "oracle")
    assert "rules and expert ask no model: oracle was not used" in said.out


def test_an_oracle_that_cannot_read_the_prompts_says_so(cli):
    said = cli("run", "yard-tidy", "--protocol", "chooser", "--model", "oracle")
    assert said.code == 2 and "The oracle cannot read this prompt: it knows those of dynahmrc" in said.err
    assert "--resume" not in said.err
