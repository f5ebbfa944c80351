import contextlib
import io
from pathlib import Path

import pytest
from PIL import Image

from coterie.cli import main
from coterie.log.file import read_log

LOG = "x.jsonl"


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """What a run told, and its log."""
    log, out = tmp_path_factory.mktemp("kept") / LOG, io.StringIO()
    words = ["run", "pack-objects", "--protocol", "rules", "--seed", "3", "--change", "cto@4", "--log", str(log)]
    with contextlib.redirect_stdout(out):
        assert main(words) == 0
    return out.getvalue(), log.read_bytes()


@pytest.fixture
def played(cli, kept):
    Path(LOG).write_bytes(kept[1])
    return cli


def test_a_replay_tells_all_steps_as_the_run_told_them(played, kept):
    said = played("replay", LOG)
    told, again = ([x for x in text.splitlines() if x[:3].strip().isdigit()] for text in (kept[0], said.out))
    assert told == again
    events = read_log(Path(LOG))
    assert said.code == 0 and said.err == ""
    steps = {int(line[:3]) for line in said.out.splitlines() if line[:3].strip().isdigit()}
    assert steps >= set(range(events[-1].data["steps"]))
    for event in events:
        if event.kind == "outcome" and event.data["status"] == "failed":
            assert event.data["reason"] in said.out
    assert "The goal changes" in said.out
    assert said.out.rstrip().endswith("100 % of the goal.")


def test_one_step_and_one_robot(played):
    lines = played("replay", LOG, "--step", "1").out.splitlines()[2:]
    assert lines and all(line.startswith("  1  ") for line in lines)
    lines = played("replay", LOG, "--robot", "Alice").out.splitlines()[2:]
    assert lines and all(line[5:].startswith(("Alice", "change")) for line in lines)
    lines = played("replay", LOG, "--robot", "Alice", "--step", "1").out.splitlines()[2:]
    assert lines and all(line.startswith("  1  Alice") for line in lines)
    assert sum(" ok  " in line or " failed  " in line for line in lines) == 1


def test_a_robot_is_shown_with_what_it_saw_and_heard_before_it_decided(played):
    lines = played("replay", LOG, "--robot", "Bob").out.splitlines()[2:]
    first = [line[13:] for line in lines if line.startswith("  0  Bob")]
    assert first[0].startswith("saw Bob is at table_0; Bob holds nothing; at table_0: ")
    assert " · goal: Put " in first[0] and first[0].endswith(" · status: at tray: nothing")
    assert first[1].startswith("to all: “I am Bob")
    assert [w.split(":")[0] for w in first[2:4]] == ["heard Alice", "heard Lucy"]
    assert first[4].startswith("pick(") and len(first) == 5
    assert any("wait  (" in line for line in lines)  # here waiting has its reason


def test_a_step_is_told_with_the_goal_in_force(played):
    events = read_log(Path(LOG))
    new = next(e.data["goal"] for e in events if e.kind == "change")
    old = events[0].data["goal_text"]
    assert played("replay", LOG, "--step", "3").out.splitlines()[1] == f"goal  {old}"
    for step in ("4", "5"):
        line = played("replay", LOG, "--step", step).out.splitlines()[1]
        assert line.startswith("goal since step 4  ") and all(name in line for name in new["targets"])


def test_robots_come_in_one_order_and_those_who_wait_share_a_line(played):
    lines = [line for line in played("replay", LOG).out.splitlines() if line[:3].strip().isdigit()]
    order = ["Bob", "Alice", "Lucy", "waiting:"]
    for step in {line[:3] for line in lines}:
        names = [line.split()[1] for line in lines if line[:3] == step and " to all" not in line]
        places = [order.index(n) for n in names if n in order]
        assert places == sorted(places)
    assert any(line[5:] == "waiting: Alice, Lucy" for line in lines)
    assert not any(line != line.rstrip() or "wait  (" in line for line in lines)
    (change,) = [line for line in lines if line[5:].startswith("change")]
    assert change[13:].startswith("The goal changes: ")


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["--step", "400"], "There is no step 400: the log has steps 0 to"),
        (["--step", "-1"], "There is no step -1"),
        (["--robot", "Alicia"], "No robot 'Alicia'. Did you mean 'Alice'?"),
        (["--prompt"], "Nobody asked a model in this log"),
        (["--prompt", "--robot", "Bob"], "Bob never asked a model"),
        (["--picture", "a.jpeg"], "must end in"),
        (["--gif", "a.gif", "--step", "2"], "--gif shows the whole episode; leave --step out"),
    ],
)
def test_wrong_use_is_a_sentence(played, words, sentence):
    said = played("replay", LOG, *words)
    assert said.code == 2 and said.out == "" and sentence in said.err and said.err.count("\n") == 1


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.8, 0.99])
def test_a_cut_log_is_told_as_far_as_it_goes(played, share):
    whole = Path(LOG).read_bytes()
    first = whole.index(b"\n") + 1
    Path("cut.jsonl").write_bytes(whole[: first + round(share * (len(whole) - first))])
    said = played("replay", "cut.jsonl")
    assert said.code == 0
    assert "before the episode does. Go on with: coterie run --resume cut.jsonl" in said.out
    told, complete = said.out.splitlines()[:-1], played("replay", LOG).out.splitlines()
    last = f"{read_log(Path('cut.jsonl'))[-1].step:>3}  "
    whole_steps = [line for line in told if not line.startswith(last)]
    assert whole_steps == complete[: len(whole_steps)]
    assert all(line in complete or "waiting: " in line for line in told)


ODD = [
    b"",
    b"hello\n",
    b"hello\nworld\n",
    b"\x89PNG\r\n\x1a\n\x00\xff\n\xfe\n",
    b"{}\n{}\n",
    b"[1,2]\n[3]\n",
    b'"abcdefg"\n',
    b'[0,0,0.0,"start","",{},[]]\n',
    b'[0,0,0.0,"start","",{"config":{}},[]]\n',
    b'[0,0,0.0,"start","",3,[]]\n',
    b'[0,0,0.0,"end","",{},[]]\n',
]


@pytest.mark.parametrize("content", ODD)
def test_a_file_that_is_no_log_is_a_sentence(cli, content):
    Path("odd").write_bytes(content)
    said = cli("replay", "odd")
    assert said.code == 2 and said.out == "" and said.err.count("\n") == 1


def test_pictures_of_a_step_and_of_the_episode(played):
    said = played("replay", LOG, "--step", "2", "--picture", "two.svg")
    assert said.code == 0 and said.out == "picture  two.svg\n"  # and not the whole story
    assert "step 2 of" in Path("two.svg").read_text(encoding="utf-8")
    assert played("replay", LOG, "--picture", "all.png").out == "picture  all.png\n"
    assert played("replay", LOG, "--robot", "Bob", "--picture", "all.svg").out.startswith("pack-objects in flat")
    with Image.open("all.png") as image:
        assert image.format == "PNG"


def test_prompts_and_replies_are_shown_to_the_letter(cli, asker):
    cli("run", "pack-objects", "--protocol", "asker", "--model", asker, "--level", "easy", "--log", LOG)
    said = cli("replay", LOG, "--step", "0", "--robot", "Alice", "--prompt")
    assert said.code == 0
    assert "You are Alice." in said.out and "[bold]What now?[/bold]\nAnswer." in said.out and "First." in said.out
    assert "You are Bob." not in said.out
    assert "Then." in cli("replay", LOG, "--step", "1", "--robot", "Alice", "--prompt").out
    lines = Path(LOG).read_text(encoding="utf-8").splitlines(keepends=True)
    asked = next(i for i, line in enumerate(lines) if '"ask"' in line)
    Path("cut.jsonl").write_text("".join(lines[: asked + 1]), encoding="utf-8")
    assert "The log ends before the reply." in cli("replay", "cut.jsonl", "--prompt").out


def test_an_episode_becomes_one_page(played):
    Path("out").mkdir()
    said = played("replay", LOG, "--html", "out/x.html")
    assert said.code == 0 and said.out.startswith("page  out/x.html  (0.")
    html = Path("out/x.html").read_text()
    assert html.startswith("<!doctype html>") and "Content-Security-Policy" in html
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", ""), "nothing is fetched"
    assert sorted(p.name for p in Path("out").iterdir()) == ["x.html"]


def test_pages_that_cannot_be_made_end_in_a_sentence(played):
    assert "must end in .html" in played("replay", LOG, "--html", "x.pdf").err
    assert "leave --step and --robot out" in played("replay", LOG, "--html", "x.html", "--step", "1").err
    first = Path(LOG).read_text().splitlines()[0]
    Path("bad.jsonl").write_text(f'{first}\n[1,0,0.0,"message","Bob",{{}},[]]\n')
    said = played("replay", "bad.jsonl", "--html", "x.html")
    assert said.code and "message" in said.err and not Path("x.html").exists()


@pytest.mark.long
def test_a_camera_without_a_picture_is_said_to_do_nothing(cli):
    pytest.importorskip("mujoco")
    words = ("run", "sweep-floor", "--seed", "3", "--log", LOG, "--camera", "top")
    assert f"--camera top does nothing now; it is for films of this log: coterie replay {LOG}" in cli(*words).out
    said = cli("replay", LOG, "--camera", "left")
    assert said.code == 2 and "give --gif, --picture or --html, too" in said.err
    drawn = cli(*words, "--picture", "x.png")
    assert drawn.code == 0 and "does nothing" not in drawn.out and Path("x.png").exists()
