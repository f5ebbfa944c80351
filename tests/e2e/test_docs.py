"""Documentation that runs: code blocks are executed, file blocks are the files."""

import io
import pkgutil
import re
import runpy
import shlex
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.cli import main
from coterie.core.action import Action
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.expr import fl
from coterie.core.kinds import Misread
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.worlds.indoor.plans.problem import planning

ROOT = Path(__file__).parents[2]


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / name).read_text(), re.S)


def execute(name: str, count: int | None = None, **more) -> dict:
    space: dict = {"__name__": "docs", **more}
    for block in blocks(name, "python")[:count]:
        exec(compile(block, name, "exec"), space)
    return space


def toml_lines(text: str) -> list[str]:
    lines = [re.sub(r"\s+#.*", "", line).rstrip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def bare(code: str) -> str:
    """Code without its layout."""
    return re.sub(r"[\s,]", "", code)


PAGES = [
    ("write-a-robot.md", "mule.toml"),
    ("write-a-task.md", "set_the_table.toml"),
    ("write-a-scene.md", "workshop.toml"),
]


@pytest.mark.parametrize(("page", "file"), PAGES)
def test_files_shown_are_the_files(page, file):
    shown, *_ = blocks(page, "toml")
    assert toml_lines(shown) == toml_lines((ROOT / "examples" / file).read_text())


def test_a_new_skill(own_names):
    space = execute("write-a-skill.md")
    world, _ = build(Config(seed=1))
    card = Card("Maid", "Molly", "ground", ("navigate", "wipe", "wait"), "", reach_m=0.9)
    world.add_robot("Molly", card)
    world.start({"Molly": Action("wipe", ("sofa",))})
    assert "sofa is out of reach" in world.advance(None)[0].reason
    world.start({"Molly": Action("navigate", ("sofa", "stand_pose_0"))})
    world.advance(None)
    world.start({"Molly": Action("wipe", ("sofa",))})
    (outcome,) = world.advance(None)
    assert outcome.reason == "Molly wiped sofa."
    assert outcome.duration == space["WIPE"].duration_s
    assert world.look("clean", "sofa") is True
    assert (world.look("wiped", "sofa"), world.look("water", "Molly")) == (1, 2)
    seen = {(f.pred, *f.args): f.value for f in world.observe("Molly").facts}
    assert seen["clean", "sofa"] is True and seen["water", "Molly"] == 2
    for _ in range(3):
        world.start({"Molly": Action("wipe", ("sofa",))})
        (outcome,) = world.advance(None)
    assert outcome.reason == "Molly has no water left."
    assert world.look("clean", "table_0") is False
    assert "Did you mean 'clean'? If it is new, declare it" in space["refused"]
    language = space["language"]
    assert language.line(space["skills"].get("wipe")) == "wipe(place): wipe a place you stand at"
    read = language.read("Thought: it is dirty.\nAction: wipe(sofa)")
    assert read == Action("wipe", ("sofa",), "it is dirty.")
    assert language.remembered(read) == "wipe(sofa)"
    assert language.read("Action: polish(sofa, wet)") == Action("polish", ("sofa", "wet", 3.0))
    assert language.read("Action: polish(sofa, wet, hard)") == Misread("'hard' is not a number")
    made = planning(world.look, world.cards, world.things, [fl("clean", "sofa")])
    assert "clean" in str(made.problem.action("do_wipe").effects)
    assert "pick" in space["text"].get_domain() and "(:goal" in space["text"].get_problem()
    played = play(Config(protocol="random-legal", team="Ma-MoMa", seed=2))  # worlds with the skill still play
    assert played.result.status


@pytest.mark.long
def test_the_skill_that_begins_its_page_pays_off(tmp_path, monkeypatch, own_names, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "write-a-skill.md").read_text()
    for name, content in re.findall(r"Save this as `(\w+\.\w+)`:\n\n```\w+\n(.*?)```", text, re.S):
        Path(name).write_text(content)
    lines = [shlex.split(line) for line in re.findall(r"^coterie (.*)$", text, re.M)]
    shown = re.findall(r"^ *(\d+  Peggy .*|tossing .*)$", text, re.M)
    assert [words[0] for words in lines] == ["list", "run", "bench"] and len(shown) == 3
    for words in lines:
        assert main([*words, "--no-plots"] if words[0] == "bench" else words) == 0
    said = capsys.readouterr().out
    assert "toss(object, platform)" in said and all(line in said for line in shown)


def test_the_world_that_is_walked_through_is_the_file(own_names):
    *pieces, check = blocks("write-a-world.md", "python")
    text = (ROOT / "examples" / "corridor.py").read_text()
    assert len(pieces) >= 8
    for piece in pieces:  # one is laid out in another way here
        assert bare(piece) in bare(text), piece
    exec(check.replace("examples/", f"{ROOT / 'examples'}/"), {})


def test_new_protocols(own_names):
    space = execute("write-a-protocol.md")
    taken = [e.data["kind"] for e in space["changed"].log.events if e.kind == "input"]
    assert taken == ["cancel", "change"]
    told = [e.data["facts"] for e in play(Config(protocol="scout", seed=1)).log.events if e.kind == "say" and e.t > 0]
    assert told and all(facts[0][3] > 0 for facts in told), "news of the moment"
    played = play(Config(protocol="patrol", seed=1))
    assert any(e.kind == "act" and e.data.get("why") == "My round leads there." for e in played.log.events)
    from coterie.episode.setup import resolve
    from coterie.models.scripted import Scripted

    assert resolve(Config(protocol="one-question")).model == "embedded"  # as the help of `coterie run` says
    assert resolve(Config(protocol="patrol")).model == "none"
    model = Scripted(lambda ask: "as you wish")
    played = play(Config(protocol="one-question", seed=1, level="easy"), model=model)
    assert set(model.batches) == {3}  # three robots, answered together
    assert played.result.status == "step limit"
    _people_and_parties(space)


def _people_and_parties(space):
    acts = [e.data for e in space["played"].log.events if e.kind == "act" and e.who == "Lucy"]
    deeds = [(act["skill"], act["args"]) for act in acts]
    assert ("navigate", ("sofa", "stand_pose_0")) in deeds and {skill for skill, _ in deeds} == {"navigate", "wait"}
    inputs, told = space["Inputs"](), []

    def call(episode):  # while Lucy flies
        if not told and any(
            e.who == "Lucy" and e.kind == "act" and e.data["skill"] != "wait" for e in episode.log.events
        ):
            told.append(inputs.put(space["Utterance"]("Anna", "navigate(bed, 0)", ("Lucy",))))

    inputs.put(space["Utterance"]("Anna", "navigate(sofa, 0)", ("Lucy",)))
    config = Config(parties=("anna=obeys:Lucy",), synchronous=False, level="easy", seed=1)
    log = play(config, inputs=inputs, watch=call).log.events
    went = [e.data["args"][0] for e in log if e.kind == "act" and e.who == "Lucy" and e.data["skill"] == "navigate"]
    assert went == ["sofa", "bed"]
    assert "cancelled" in [e.data["status"] for e in log if e.kind == "outcome" and e.who == "Lucy"]


@pytest.mark.parametrize(
    ("script", "words", "unsaid"),
    [
        ("silent.py", ["silent"], "Traceback"),
        pytest.param("learn.py", ["\ntrained: 100% of the goal"], "untrained: 100%", marks=pytest.mark.long),
    ],
)
def test_examples_run(script, words, unsaid, capsys, own_names):
    """The others are loaded or take words, and have tests of their own."""
    runpy.run_path(str(ROOT / "examples" / script), run_name="__main__")
    said = capsys.readouterr().out
    assert all(word in said for word in words) and unsaid not in said


def test_what_eve_does_in_the_example_matters(capsys):
    played = runpy.run_path(str(ROOT / "examples" / "people.py"))["main"]()
    ends = [(e.who, e.data["status"]) for e in played.log.events if e.kind == "outcome"]
    assert ("Alice", "cancelled") in ends and played.result.success
    (change,) = [e for e in played.log.events if e.kind == "change"]
    said = capsys.readouterr().out
    assert "Eve, utterance" in said and "went to Lucy's motors" in said
    assert change.who == "Eve" and change.data["text"] == "Put wallet_0 and lemon_0 into the tray, and nothing else."
    assert any(e.data.get("reason") == "The motors stand still." for e in played.log.events if e.who == "Lucy")


def test_the_page_of_commands_is_up_to_date():
    made = runpy.run_path(str(ROOT / "docs" / "commands.py"))
    assert (ROOT / "docs" / "commands.md").read_text() == made["page"](), "run: python docs/commands.py"


def test_links_lead_somewhere():
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"(?:\]\(|src=\")([^)#\"]+)[)\"]", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


#: Places for files of a reader's own.
YOURS = {
    "src/coterie/protocols/patrol.py",
    "src/coterie/worlds/indoor/skills/wipe.py",
    "src/coterie/worlds/corridor/entry.py",
}


def test_what_pages_name_is_there():
    """Files of the package by their path, and modules by their name."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = page.read_text()
        for path in set(re.findall(r"`((?:src/coterie|examples|benchmarks|tests)/[\w./-]+)`", text)) - YOURS:
            assert (ROOT / path).exists(), f"{page.name} names {path}"
        for name in set(re.findall(r"`(coterie(?:\.\w+)+)", text)):
            pkgutil.resolve_name(name)  # complains with the name


def test_sizes_and_extras_are_those_that_there_are():
    from coterie.cli.options import read_commands
    from coterie.models.store import SMOLLM2

    fetched = f"{SMOLLM2.wheel_size / 1e6:.0f} MB"
    for file in ("README.md", "Makefile", "docs/models.md", "src/coterie/models/__init__.py"):
        assert fetched in (ROOT / file).read_text(), file
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for package, extra, _ in read_commands("doctor")["packages"]:
        assert not extra or any(line.startswith(package) for line in extras[extra]), package


@pytest.mark.long
def test_commands_of_the_first_hour_begin(tmp_path, monkeypatch, own_names):
    """The first of every task is begun in its world; what comes of an episode has tests of its own, and so have plots
    and films."""
    from coterie.episode import play as playing

    def short(config, task=None):
        world, task = build(config, task)
        return world, replace(task, step_limit=2)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(playing, "build", short)
    text = (ROOT / "README.md").read_text() + (ROOT / "docs" / "first-hour.md").read_text()
    (copied,) = re.findall(r"^sed .*$", text, re.M)
    subprocess.run(copied.replace("examples/", f"{ROOT}/examples/"), shell=True, check=True)
    lines = re.findall(r"^coterie (run .*|bench .*|list .*)$", text, re.M)
    first = {" ".join(words[:2]): words for words in (line.split("#")[0].split() for line in reversed(lines))}
    assert len(first) >= 7
    more = {"run": ["--json"], "bench": ["--no-plots", "--episodes", "2"]}
    for words in first.values():
        words = [w for w in words if w not in ("--gif", "out.gif", "--picture", "tidy.png")]
        words = [str(ROOT / w) if w.startswith("examples/") else w for w in words]
        added = ["--dry-run"] if words[1].endswith("experiment.toml") else more.get(words[0], ())
        assert main([*words, *added]) in (0, 1), words


def test_the_first_hour_shows_what_it_claims(quick, tmp_path, monkeypatch, own_names, capsys):
    """Somebody opens the door that is shut; the mission asks before it does anything else."""
    text = (ROOT / "docs" / "first-hour.md").read_text()
    monkeypatch.chdir(tmp_path)
    (door,) = re.findall(r"^coterie (run .* --change door@.*?) +#", text, re.M)
    assert main(door.split()) == 0
    assert re.search(r"open\(kitchen_door\) +ok", capsys.readouterr().out)
    (mission,) = re.findall(r"^coterie (mission .*)$", text, re.M)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    main(shlex.split(mission))
    assert "say yes" in capsys.readouterr().out


@pytest.mark.long
def test_the_memo_of_the_first_hour_saves_what_the_page_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path))
    text = (ROOT / "docs" / "first-hour.md").read_text()
    solve, reuse = re.findall(r"^coterie (run .* --memo .*?) +#", text, re.M)
    assert main(solve.split()) == 0 and "memo  saved" not in capsys.readouterr().out
    assert main(reuse.split()) == 0
    (shown,) = re.findall(r"^memo  saved .*$", text, re.M)
    assert shown in capsys.readouterr().out


def test_the_excerpt_of_the_task_for_the_whole_house_is_from_its_file():
    _, excerpt = blocks("write-a-task.md", "toml")
    whole = {
        line.partition("#")[0].strip() for line in (ROOT / "examples" / "tea_for_anna.toml").read_text().splitlines()
    }
    shown = {line.partition("#")[0].strip() for line in excerpt.splitlines()}
    assert shown <= whole and len(shown) > 10


def test_the_readme_shows_what_the_demo_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shown = re.search(r"^  5  change .*?^success .*?$", (ROOT / "README.md").read_text(), re.M | re.S)[0]
    assert main(["demo"]) == 0
    said = re.sub(r"[\d.]+ s wall", "0.2 s wall", capsys.readouterr().out)
    first, last = shown.split(" ...\n")
    assert first in said and last in said


def test_the_figures_of_the_readme_are_those_of_the_full_table():
    full = (ROOT / "docs" / "minds.md").read_text()
    for name, won in re.findall(r"^\| `([^`]+)`.*\| \**(\d+)\** \|$", (ROOT / "README.md").read_text(), re.M):
        (row,) = re.findall(rf"^\| `{re.escape(name)}` .*$", full, re.M)
        assert row.split("|")[5].strip() == won, name


def test_the_version_is_the_same_everywhere():
    from coterie import __version__

    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.findall(r"^## ([\d.]+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[0] == __version__


def test_the_python_of_the_first_hour_runs(tmp_path, monkeypatch, own_names, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("first-hour.md", "python")
    exec(compile(code, "first-hour.md", "exec"), {"__name__": "first_hour"})
    out = capsys.readouterr().out
    assert re.search(r"patrol +0\.0", out) and re.search(r"rules +1\.0", out)
    assert (tmp_path / "patrol.html").stat().st_size > 10_000
