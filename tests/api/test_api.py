"""What others import: it is there, documented, lazy, and stays."""

import inspect
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import coterie
from coterie import PROTOCOLS, UNKNOWN, Action, Config, CoterieError, SoloProtocol, play, play_suite, rows
from coterie.bench.metrics import episode_metrics
from coterie.bench.report import latex_text, write_csv
from coterie.bench.results import commit
from coterie.cli import main
from tests.api import surface

ROOT = Path(__file__).parents[2]


def _csv(done):
    out = io.StringIO()
    write_csv(done, out)
    return out.getvalue()


def test_every_public_name_is_there_and_says_what_it_is():
    for name in coterie.__all__:
        item = getattr(coterie, name)
        if inspect.isclass(item) or inspect.isfunction(item):
            doc = inspect.getdoc(item)
            assert doc and not doc.startswith(f"{name}("), name
    assert 30 <= len(coterie.__all__) <= 60 and set(coterie.__all__) <= set(dir(coterie))
    assert UNKNOWN is coterie.core.facts.UNKNOWN
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        coterie.nothing  # noqa: B018


def test_importing_it_brings_next_to_nothing():
    code = "import sys, coterie; print(sorted(m for m in sys.modules if m.startswith('coterie.') or m == 'numpy'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_type_checkers_know_the_same_names():
    stub = (Path(coterie.__file__).with_suffix(".pyi")).read_text()
    for names in coterie.SURFACE.values():
        for name, where in names.items():
            module, _, there = where.partition(":")
            assert f"from {module} import {there or name} as {name}\n" in stub
    assert stub.count(" import ") == sum(map(len, coterie.SURFACE.values()))


def test_a_change_of_the_surface_is_a_line_in_the_changelog():
    now = surface.text()
    again = "Write the change down in CHANGELOG.md, then run: python -m tests.api.surface"
    assert now == surface.KEPT.read_text(), again
    assert surface.MARK.search(surface.CHANGELOG.read_text())[1] == surface.digest(now), again


def test_the_page_is_made_of_the_docstrings():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import api
    finally:
        sys.path.pop(0)
    assert api.page() == (ROOT / "docs" / "api.md").read_text(), "python docs/api.py"


class Idle(SoloProtocol):
    """Waits, and fails when told to."""

    about = "waits"

    def act(self, me):
        if me.step >= 2 and me.name == "Alice" and me.seed % 2:
            raise KeyError("nothing there")
        return Action("wait")


@pytest.fixture
def idle(own_names):
    PROTOCOLS.put("idle", Idle, "no-model")


def test_an_episode_and_its_row(tmp_path, idle):
    played = play(Config(protocol="rules"), log=tmp_path / "log.jsonl", seed=4)
    (row,) = rows(played)
    assert rows(tmp_path / "log.jsonl") == [row] == rows(played.log.events)
    score = episode_metrics(played.log.events)
    assert all(row[k] == score[k] for k in ("success", "ps", "ts", "as", "cc", "calls")) and row["protocol"] == "rules"
    assert all(not isinstance(v, (dict, list)) for v in row.values())
    assert not rows(play(protocol="idle", seed=4))[0]["success"]
    with pytest.raises(CoterieError, match=r"No setting of an episode 'sede'\. Did you mean 'seed'"):
        play(sede=4)


def test_a_suite_with_a_protocol_of_ones_own_goes_on_after_a_crash(tmp_path, idle):
    done = play_suite("pack-objects:easy", ["rules", "idle"], tmp_path, episodes=4, seed=10_000)
    mine = [r for r in done.rows if r["method"] == "idle"]
    crashed = [r for r in mine if "crash" in r]
    assert len(mine) == 4 and len(crashed) == 2 and all(r["labels"]["seed"] % 2 for r in crashed)
    assert all(not r["success"] and r["ts"] == r["limit"] and r["steps"] >= 1 for r in crashed), "it counts as missed"
    assert all("KeyError: 'nothing there'" in r["crash"] for r in crashed)
    assert "idle: 2 of 4 episodes, which count as missed. The first: " in (tmp_path / "table.md").read_text()
    flat = rows(done)
    assert flat == rows(tmp_path) and {r["team"] for r in flat} and len(flat) == 8
    together = play_suite("pack-objects:easy", "idle", episodes=4, seed=10_000, batch=4)
    assert [r.get("crash") for r in together.rows] == [r.get("crash") for r in mine]
    assert play_suite("pack-objects:easy", ["rules", "idle"], tmp_path, episodes=4).reused == 6, "crashed ones again"


def test_a_crash_of_a_file_of_ones_own_is_told_and_the_table_is_there(tmp_path, monkeypatch, capsys, own_names):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from coterie import PROTOCOLS, Action, SoloProtocol\n"
        "class Mine(SoloProtocol):\n"
        "    def act(self, me):\n"
        "        return Action('wait') if me.seed % 2 else 1 / 0\n"
        "PROTOCOLS.put('mine-crashes', Mine, 'no-model')\n"
    )
    words = ["bench", "pack-objects:easy", "--methods", "rules,mine-crashes", "--load", "mine.py", "--episodes", "2"]
    assert main([*words, "--no-plots", "--out", "out"]) == 2
    said = capsys.readouterr()
    assert "mine-crashes: 1 of 2 episodes" in said.err and "mine.py', line 4 (in act): ZeroDivisionError" in said.err
    assert "1 of 2 episodes" in Path("out/table.md").read_text() and "rules" in said.out


def test_tables_for_spreadsheets_and_papers(tmp_path, idle):
    done = play_suite("pack-objects:easy", ["rules", "idle"], tmp_path, episodes=3)
    lines = _csv(done).splitlines()
    talk = "messages,message_bytes,said,said_bytes"
    assert lines[0].startswith(f"method,key,success,ps,ts,as,cc,{talk},calls,tokens,") and len(lines) == 7
    assert f",{coterie.__version__}" in lines[1] and commit() in lines[1]
    config = json.loads((tmp_path / "config.json").read_text())
    assert config["commit"] == commit() and config["version"] == coterie.__version__
    assert {(r["version"], r["commit"]) for r in done.rows} == {(coterie.__version__, commit())}
    old = [{**r, "version": "0.0.9", "commit": "aaaa"} for r in done.rows[:1]]
    text = _csv(replace(done, rows=[*old, *done.rows[1:]]))
    assert "0.0.9" in text and coterie.__version__ in text, "a row keeps the version that played it"
    text = latex_text(done)
    assert text.count(r"\\") == 3 and text.count("{") == text.count("}") and r"rules & \textbf{1.000}" in text


@pytest.mark.parametrize("value", ["=1+1", "+1", "@SUM(A1)", "-cmd"])
def test_cells_are_no_formulas(value):
    from coterie.bench.report import _safe

    assert _safe(value) == f"'{value}" and _safe(-1.5) == -1.5 and _safe("rules") == "rules"


def test_one_change_or_several_from_python():
    assert Config(changes="cto@5") == Config(changes=["cto@5"]) == Config(changes=("cto@5",))
    config = Config(changes=["cto@5", "door@7:kitchen_door"], cards="a.toml")
    assert Config.from_json(config.to_json()) == config and config.cards == ("a.toml",)


def test_it_is_said_where_a_change_makes_another_task(capsys):
    for change, other in (("cto@5", False), ("irz@5:2", True)):
        main(["run", "pack-objects", "--change", change, "--seed", "1", "--log", f"{other}.jsonl", "--json"])
        assert json.loads(capsys.readouterr().out)["redrawn"] is other
    main(["bench", "pack-objects", "--change", "irz@5:2", "--episodes", "2", "--no-plots", "--out", "out"])
    assert "--change irz@5:2: 2 of 2 seeds are other tasks than without it" in capsys.readouterr().out.replace(
        "\n", " "
    )


def test_talk_is_counted_in_columns_of_its_own(tmp_path):
    played = play(Config(protocol="dynahmrc", model="oracle", seed=8), log=tmp_path / "log.jsonl")
    (row,) = rows(played)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    for kind, count, size in (("message", "messages", "message_bytes"), ("say", "said", "said_bytes")):
        told = [line[5] for line in lines if line[3] == kind]
        facts = [d["facts"] and json.dumps(d["facts"], separators=(",", ":"), ensure_ascii=False) for d in told]
        assert row[count] == len(told) > 0
        assert row[size] == sum(len((d["text"] + (f or "")).encode()) for d, f in zip(told, facts))
    silent = rows(play(protocol="random-legal", seed=4))[0]
    assert (silent["said"], silent["said_bytes"]) == (0, 0)
    done = play_suite("pack-objects:easy", ["rules", "random-legal"], tmp_path / "out", episodes=2)
    table = (tmp_path / "out" / "table.md").read_text()
    head = next(line for line in table.splitlines() if "talk inside decisions" in line and line.startswith("|"))
    heads = [c.strip() for c in head.split("|")[2:6]]
    assert heads == ["messages", "their bytes", "talk inside decisions", "its bytes"]
    mean = sum(r["said_bytes"] for r in done.rows if r["method"] == "rules") / 2
    assert f"{mean:.1f} " in table and f" {mean:.1f} " in (tmp_path / "out" / "table.tex").read_text()
