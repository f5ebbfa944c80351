"""An experiment in one file: what is played, kept beside its results, and played again."""

import json
from pathlib import Path

import pytest

from coterie.bench.experiment import find_experiment
from coterie.bench.results import load
from coterie.core.errors import CoterieError
from tests.bench.test_cli_bench import run

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = """
tasks = ["pack-objects:easy"]
teams = ["Ma-MoMa-UAV", "Ma-Mule-UAV"]
cards = ["mule.toml"]
seeds = 1
methods = ["rules", "dynahmrc+guard"]
models = ["oracle", "script"]

[budget]
tokens = 9_000_000
"""


@pytest.fixture
def folder(tmp_path, monkeypatch, own_names):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mule.toml").write_text((EXAMPLES / "mule.toml").read_text())
    (tmp_path / "mules.toml").write_text(TEXT)
    return tmp_path


def test_a_file_says_all_that_is_played_and_is_played_again_from_its_results(folder, monkeypatch, capsys):
    assert run("mules.toml", "--no-plots") == 0
    rows = load(folder / "results/mules/results.jsonl")
    assert {(r["labels"]["team"], r["method"]) for r in rows} == {
        (team, method)
        for team in ("Ma-MoMa-UAV", "Ma-Mule-UAV")
        for method in ("rules", "dynahmrc@oracle+guard", "dynahmrc@script+guard")
    }
    assert "coterie bench results/mules/experiment.toml" in (folder / "results/mules/table.md").read_text()
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)  # files it names are found from anywhere
    capsys.readouterr()
    assert run("../results/mules", "--no-plots", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["reused"] == 6 and found["out"] == "../results/mules" and not list(elsewhere.iterdir())


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ('"rules"', '"rulez"', r"mules.toml, line 6: `methods`: No method 'rulez'. Did you mean 'rules'"),
        ("seeds", "sedes", r"line 5: No key 'sedes'. Did you mean 'seeds'"),
        ("9_000_000", "0", r"line 10: `tokens` is 0; it must be between 1"),
        ("pack-objects:easy", "pack-objcts", r"line 2: `tasks`: No suite or task 'pack-objcts'. Did you mean 'pack-ob"),
        ('tasks = ["pack-objects:easy"]', 'suites = ["smoke"]', r"line 3: `teams` goes with `tasks`"),
        ('tasks = ["pack-objects:easy"]', "", r"name what is played: `tasks = "),
    ],
)
def test_mistakes_are_named_with_their_line(folder, old, new, sentence):
    Path("mules.toml").write_text(TEXT.replace(old, new))
    with pytest.raises(CoterieError, match=sentence):
        run("mules.toml", "--no-plots")
    assert not Path("results").exists()


def test_the_command_line_does_not_contradict_the_file(folder):
    with pytest.raises(CoterieError, match=r"--methods: the experiment 'mules.toml' says what is played"):
        run("mules.toml", "--methods", "rules")


def test_a_task_is_no_experiment():
    assert find_experiment(str(EXAMPLES / "set_the_table.toml")) is None
