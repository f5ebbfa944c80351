"""`coterie memo`."""

import json

import pytest

from coterie.cli import main
from coterie.memo import Plan, Store, default_path

from .made import pack, pack_plan, sort


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path / "cache"))

    def run(*words: str):
        code = main(["memo", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def memo(cli):
    with Store() as store:
        for i in range(3):
            store.put(sort(x=0.3 + 0.1 * i), Plan(()), f"meco-s1/memo/{i}")
        store.put(pack(), pack_plan(pack()), "pack/7")
        store.use(2, "later")


def test_nothing_yet(cli):
    code, out, _ = cli("stats")
    assert code == 0
    assert "Nothing is remembered yet" in out
    assert not default_path().exists()
    assert json.loads(cli("list", "--json")[1])["tasks"] == {}


def test_stats(cli, memo):
    code, out, _ = cli("stats")
    assert code == 0
    assert "sort-cubes" in out
    data = json.loads(cli("stats", "--json", "--check")[1])
    assert data["tasks"]["sort-cubes"] == {"kept": 3, "fast": 3, "uses": 1}
    assert data["damaged"] == 0
    assert list(json.loads(cli("stats", "--json", "--task", "pack-grocery")[1])["tasks"]) == ["pack-grocery"]


def test_damaged_plans_are_counted(cli, memo):
    with Store() as store:
        store._db.execute("UPDATE plans SET outline = '?' WHERE id = 4")
    assert json.loads(cli("stats", "--json", "--check")[1])["damaged"] == 1
    assert "1 damaged plan." in cli("stats", "--check")[1]


def test_list(cli, memo):
    _, out, _ = cli("list", "--task", "sort-cubes")
    assert out.index("meco-s1/memo/1") < out.index("meco-s1/memo/2") < out.index("meco-s1/memo/0")
    assert len(json.loads(cli("list", "--json", "--limit", "2")[1])["tasks"]) == 2


def test_clear(cli, memo):
    assert "Forgotten: 3 entries of sort-cubes." in cli("clear", "--task", "sort-cubes")[1]
    assert json.loads(cli("clear", "--json")[1]) == {"forgotten": 1}
    assert "Nothing is remembered." in cli("list")[1]


def test_wrong_use(cli, memo, tmp_path):
    assert cli("stat")[2] == "No use of the memo 'stat'. Did you mean 'stats'? There are: clear, list, stats.\n"
    assert cli("stats", "--file", str(tmp_path / "none"))[0] == 2
    assert "Did you mean 'sort-cubes'?" in cli("clear", "--task", "sort-cube")[2]
    assert cli("list", "--limit", "-1")[0] == 2
    (tmp_path / "bad").write_text("not a memo at all, just words" * 100)
    code, _, err = cli("stats", "--file", str(tmp_path / "bad"))
    assert code == 2
    assert "move it away" in err


def test_the_example_of_the_page_runs():
    import re
    from pathlib import Path

    (code,) = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs" / "memo.md").read_text(), re.S)
    space: dict = {"__name__": "docs"}
    exec(compile(code, "memo.md", "exec"), space)
    assert space["told"][0].startswith("The task of episode episode 1 is similar")
    assert space["told"][1] == "2 rounds inherited; of 2 motions: 2 guided by the old way."
