"""A folder outside the package with a protocol, a world, a card, a scene, a task, a skill and a suite: the lines that
its page prints are the lines that are run here."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from coterie import CoterieError, load, play_suite, rows
from coterie.bench.playing import digest, loaded_text
from coterie.cli import main
from coterie.core.config import Config
from coterie.episode.plugins import load_plugins, with_siblings
from coterie.episode.setup import resolve

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "write-a-suite.md").read_text()


@pytest.fixture
def folder(own_names):
    """A copy in the current folder: nothing of it lies in the package or the source tree."""
    return Path(shutil.copytree(ROOT / "examples" / "cafe", "examples/cafe"))


def commands() -> list[list[str]]:
    (block,) = re.findall(r"```\n(coterie .*?)```", PAGE, re.S)
    return [shlex.split(line)[1:] for line in block.splitlines()]


@pytest.mark.long
def test_every_command_of_the_page(folder, capsys):
    said = {}
    for words in commands():
        code = main(words)
        out = capsys.readouterr()
        assert code == (1 if "rules" in words else 0), (words, out.err)
        said[" ".join(words[:2]), *words[-2:]] = out.out
    assert "cafe" in said["list suites", "--load", "examples/cafe/cafe.py"]
    assert "Wanda2 rinsed cup_0." in said["run serve", "--log", "runs/serve.jsonl"]
    assert "4 of 4 tasks confirmed" in said["bench cafe", "--episodes", "4"]
    (row,) = rows("runs/dirty.jsonl")
    assert not row["success"] and 0 < row["ps"] < 1, "rolls need no water"
    results = {r["method"]: r for r in rows("results/cafe")}
    assert results["barista"]["world"] == "cafe" and results["rules"]["setting"] in ("quiet", "busy")
    for made in ("table.md", "table.tex", "results.csv", "plots/methods.png", "logs/barista"):
        assert (Path("results/cafe") / made).exists(), made
    assert Path("runs/serve.png").read_bytes()[:4] == b"\x89PNG"
    page = Path("runs/serve.html").read_text()
    assert "Served as guests like it" in page and len(page) < 1_000_000


def test_the_python_of_the_page(folder, capsys):
    first, second = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    exec(compile(first, "write-a-suite.md", "exec"), {})
    said = capsys.readouterr().out
    shares = dict(re.findall(r"^(barista|rules) +([0-9.]+)", said, re.M))
    assert said.startswith("True") and float(shares["barista"]) > 0.7 and float(shares["rules"]) == 0.0
    exec(compile(second, "write-a-suite.md", "exec"), {})
    from coterie.bench.suites import LABELS, make_suite

    specs = make_suite("mornings")
    assert [s.key for s in specs][:2] == ["mornings/10000", "mornings/10001"]
    assert set(LABELS) <= set(specs[0].labels)
    assert (specs[0].labels["team"], specs[0].labels["scene"]) == ("Waiter-Waiter", "cafe")


def test_the_same_files_from_python_and_from_the_command_line(folder):
    words = ["bench", "cafe", "--load", "examples/cafe/cafe.py", "--methods", "barista", "--episodes", "2"]
    main([*words, "--no-plots", "--out", "one"])
    play_suite("cafe", "barista", "two", episodes=2, load=["examples/cafe/cafe.py"])
    for name in ("results.jsonl", "results.csv"):
        assert Path("one", name).read_text() == Path("two", name).read_text()
    tex = [Path(out, "table.tex").read_text().splitlines()[2:] for out in ("one", "two")]
    assert tex[0] == tex[1]


@pytest.mark.parametrize("file", ["minds.py", "rinsing.py", "serving.py", "cafe.toml", "waiter.toml"])
def test_a_changed_line_in_any_file_is_another_result(folder, file):
    path = "examples/cafe/cafe.py"
    load(path)
    config = resolve(Config(task="serve", protocol="barista", load=(path,)))
    before = digest(config)
    assert digest(config) == before
    assert loaded_text("serve", "random", (path,)), "the world stands there, though the method does not"
    with (folder / file).open("a") as f:
        f.write("\n# another line\n")
    loaded_text.cache_clear()  # kept for the run of one command
    assert digest(config) != before


def test_results_of_our_own_worlds_do_not_depend_on_it(folder):
    plain = resolve(Config(protocol="random"))
    load("examples/cafe/cafe.py")  # it brings a skill into the indoor world
    config = resolve(Config(task="sort-cubes", protocol="task-expert"))
    assert digest(config) == digest(
        resolve(Config(task="sort-cubes", protocol="task-expert", load=("examples/cafe/cafe.py",)))
    )
    assert digest(plain) == digest(resolve(Config(protocol="random")))


def test_which_files_belong_together(tmp_path):
    for name, text in {
        "main.py": "import one\nfrom pack import two\ndef late():\n    from three import x\n",
        "one.py": "import numpy, json\nimport one\n",
        "three.py": "x = 1\n",
        "unused.py": "",
        "pack/__init__.py": "",
        "pack/two.py": "from . import four\nfrom .five import y\n",
        "pack/four.py": "",
        "pack/five.py": "y = (",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = [p.relative_to(tmp_path).as_posix() for p in with_siblings(tmp_path / "main.py")]
    assert found == ["main.py", "one.py", "pack/__init__.py", "pack/five.py", "pack/four.py", "pack/two.py", "three.py"]


def test_two_folders_may_have_files_of_one_name(tmp_path, own_names):
    import sys

    path = list(sys.path)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "twin_of_both.py").write_text(f"NAME = {name!r}\n")
        text = "import twin_of_both\nassert twin_of_both.__file__.startswith(__file__.rpartition('/')[0])\n"
        (tmp_path / name / "main.py").write_text(text)
        load_plugins([str(tmp_path / name / "main.py")])
    with pytest.raises(CoterieError, match="is a folder"):
        load_plugins([str(tmp_path)])
    sys.path[:] = path


def test_a_suite_of_ones_own_says_its_scene_itself(capsys):
    assert main(["bench", "smoke", "--scene", "loft"]) == 2
    assert "the suite 'smoke' says itself" in capsys.readouterr().err


def test_a_task_is_benched_in_a_scene_with_cards_of_ones_own(capsys, own_names):
    words = ["bench", "pack-objects:easy", "--scene", str(ROOT / "examples/workshop.toml"), "--card"]
    words += [str(ROOT / "examples/mule.toml"), "--team", "Ma-Mule", "--episodes", "2", "--no-plots", "--json"]
    assert main([*words, "--out", "out"]) == 0
    assert json.loads(capsys.readouterr().out)["methods"]["rules"]["succ"] == 1.0
    row = rows("out")[0]
    assert row["key"] == "pack-objects/easy/Ma-Mule/workshop/mule/10000" and row["team"] == "Ma-Mule"
    command = json.loads(Path("out/config.json").read_text())["command"]
    assert "--card" in command and "--team Ma-Mule" in command and "--scene" in command
