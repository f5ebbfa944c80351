import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coterie import __version__
from coterie.bench.studies import studies
from coterie.bench.suites import suites
from coterie.cli.app import COMMANDS, parser
from coterie.houses.names import scene_names
from coterie.models import models
from coterie.models.embedded import Speed
from coterie.models.server import serve
from coterie.protocols import protocols
from coterie.worlds import task_names, worlds
from coterie.worlds.indoor.bodies import TEAMS, robots
from coterie.worlds.indoor.tasks.changes import parse_change


def test_help_teaches_with_examples(cli):
    said = cli("--help")
    assert said.code == 0 and "coterie run pack-objects" in said.out and "exit codes" in said.out
    assert all(name in said.out for name in COMMANDS)
    assert cli().out == said.out
    assert cli("--version").out == f"coterie {__version__}\n"
    for name in COMMANDS:
        assert cli(name, "--help").code == 0


def test_help_loads_no_command():
    """It is what people type first: a table of sentences, with the episodes, `rich` and numpy left alone."""
    program = (
        "import sys; from coterie.cli import main; main(['--help']);"
        "print([m for m in sys.modules if m.startswith(('coterie.episode', 'coterie.cli.run', 'rich', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_every_command_that_prints_takes_json():
    def parts(one):
        inner = [a for a in one._actions if isinstance(a, argparse._SubParsersAction)]
        yield from (p for a in inner for part in a.choices.values() for p in parts(part))
        if not inner:
            yield one

    commands = {p.prog: p for p in parts(parser(COMMANDS))}
    without = {name for name, p in commands.items() if "--json" not in p._option_string_actions}
    assert len(commands) > 20 and without == {"coterie mcp"}, "which speaks JSON itself"


def test_what_is_written_or_served_is_told_as_json(cli, tmp_path):
    said = cli("export", "flat", "--mjcf", "flat.xml", "--json")
    told = json.loads(said.out)
    assert told["file"].endswith("flat.xml") and told["walls"] > 4 and told["unsettled"] is None
    words = [sys.executable, "-m", "coterie", "serve", str(tmp_path), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert json.loads(process.stdout.readline())["links"]["watcher"].startswith("http://127.0.0.1:")
        process.terminate()


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["rnu"], "No command 'rnu'. Did you mean 'run'?"),
        (["list", "task"], "No list 'task'. Did you mean 'tasks'?"),
        (["list"], "See: coterie list --help"),
        (["replay"], "See: coterie replay --help"),
        (["run", "pack-objects", "--sede", "1"], "No option '--sede'. Did you mean --seed? See: coterie run --help"),
        (["bench", "smoke", "--seeed=3"], "No option '--seeed'. Did you mean --seed? See: coterie bench --help"),
        (["memo", "list", "--limt", "3"], "No option '--limt'. Did you mean --limit? See: coterie memo --help"),
        (["talk", "--scirpt", "x"], "Did you mean --script? See: coterie talk --help"),
        (["replay", "x.jsonl", "y"], "several make a dataset (--lerobot FOLDER)."),
        (["--verbose"], "'--verbose'"),
    ],
)
def test_wrong_use_is_one_sentence(cli, words, sentence):
    said = cli(*words)
    assert said.code == 2 and said.out == "" and sentence in said.err and said.err.count("\n") == 1


@pytest.mark.parametrize(
    "what, names",
    [
        ("tasks", task_names()),
        ("teams", list(TEAMS)),
        ("robots", list(robots)),
        ("protocols", [name for name in protocols if ":" not in name]),
        ("suites", list(suites)),
        ("scenes", [*scene_names(), "house:SEED"]),
        ("models", [kind.form for _, kind in models.items()]),
        ("changes", [form for _, entry in worlds.items() for form in entry.changes()]),
        ("studies", list(studies)),
    ],
)
def test_lists_have_a_row_for_everything(cli, what, names):
    said = cli("list", what)
    rows = [line.split()[0] for line in said.out.splitlines() if line]
    head = {"studies": "study", "protocols": "plays"}.get(what, what.removesuffix("s"))
    assert said.code == 0 and rows[0] == head and names and all(name in rows for name in names)


def test_protocols_stand_below_where_they_play_in_80_columns(cli):
    lines = cli("list", "protocols").out.splitlines()
    places = [line for line in lines if line.startswith("plays in: ")]
    assert len(places) == len(set(places)) > 3 and max(map(len, lines)) <= 80


def test_the_demo_plays_from_any_folder(cli):
    said = cli("demo", "--out", "shown")
    assert said.code == 0 and "Done in 12 steps" in said.out and "coterie demo --model embedded" in said.out
    assert {path.name for path in Path("shown").iterdir()} >= {"demo.jsonl", "demo.svg", "demo.html"}
    assert cli("demo", "--out", "shown", "--model", "oracle").code == 0  # over the earlier one


def test_variants_stand_with_their_protocol(cli):
    words = " ".join(cli("list", "protocols").out.split())
    for name in protocols:
        base, colon, variant = name.partition(":")
        assert not colon or re.search(rf"(?<!\S){re.escape(base)} .*?variants: .*?\b{re.escape(variant)}\b", words)


def test_every_change_that_is_listed_can_be_typed():
    for form in worlds.get("indoor").changes():
        text = form.replace("STEP", "5").replace("ZONES", "2").replace("ROBOT", "UAV").replace("DOOR", "hall_door")
        assert parse_change(text)[:2] == (form.partition("@")[0], 5)


def test_the_options_of_a_run_are_told_in_words_of_every_world(cli):
    """Examples may name a world's scenes and levels; what an option means does not depend on the world."""
    options = cli("run", "--help").out.partition("\noptions:")[2].partition("\nexamples:")[0]
    ours = [e for _, e in worlds.items() if type(e).__module__.startswith("coterie.")]
    own = {n for e in ours for n in (*e.levels(), *e.teams(), *dict(e.scenes()), e.name, e.protocol)}
    own -= {"table", "yard", "real", "plain", "rules", "file", "drawn", "help", "arm"}  # words of everyday
    own -= {"FILE.toml", *"12345"}  # and an example of a party
    assert options and not [name for name in own if re.search(rf"\b{re.escape(name)}\b", options)]


def test_lists_know_the_arms_and_a_world_of_ones_own(cli, own_names):
    from coterie.worlds.tabletop.bodies import ARMS, BODY
    from coterie.worlds.tabletop.jobs import jobs
    from coterie.worlds.tabletop.skills import VERBS

    for body, card in ARMS.items():
        asked = {v for _, job in jobs.items() for m in job.mounts if BODY[m.body] == body for v in job.verbs[m.name]}
        assert card.skills == tuple(verb for verb in VERBS if verb in asked)
    assert "pick, put, wait" in cli("list", "robots").out
    teams = cli("list", "teams").out
    assert "UR5eSuction-Humanoid" in teams and "Chad (UR5eSuction), Dave (Humanoid)" in teams
    corridor = Path(__file__).parents[2] / "examples" / "corridor.py"
    skills = cli("list", "skills", "--load", corridor).out
    assert "unlock(" in skills and "take(parcel)" in skills


@pytest.fixture
def quick_model(monkeypatch):
    """The embedded model is there, and nobody waits for it."""
    monkeypatch.setattr("coterie.models.store.cached", lambda: Path("models/small.gguf"))
    monkeypatch.setattr("coterie.models.embedded.Embedded", lambda: None)
    monkeypatch.setattr("coterie.models.embedded.speed", lambda model, tokens, replies: Speed(300.0, 70.0, 2))


def test_the_doctor_looks_at_everything(cli, monkeypatch, quick_model):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    said = cli("doctor")
    assert said.code == 0 and "All is well." in said.out and "episodes a second" in said.out
    doors = "live page", "ROS 2", "mcp", "foxglove-sdk", "pyarrow", "cryptography"
    rest = "python", "coterie", "numpy", "rich", "pillow", "cores", "runs folder", "self-test", "model none"
    assert [word for word in (*rest, *doors) if word not in said.out] == []


def test_the_doctor_tells_how_fast_the_embedded_model_is_or_what_will_be_downloaded(cli, monkeypatch, quick_model):
    pytest.importorskip("xllamacpp")
    said = cli("doctor").out
    assert "300 tokens a second read (prefill), 70 written (generation), on 2 threads; about 1.0 s for one" in said
    monkeypatch.setattr("coterie.models.store.cached", lambda: None)
    said = cli("doctor").out
    assert "not fetched yet: SmolLM2-135M-Instruct.Q4_1.gguf (93 MB to download" in said and "a second read" not in said


def test_the_doctor_asks_the_endpoint_for_its_models(cli, monkeypatch, quick_model):
    with serve(lambda messages, options: "", name="small-mind") as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        assert "answers: small-mind" in cli("doctor").out
    assert "does not answer" in cli("doctor").out
    monkeypatch.setenv("OPENAI_BASE_URL", "no address")
    assert "must look like http://localhost:8000/v1" in cli("doctor").out
