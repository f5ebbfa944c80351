from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from coterie.bench import paper
from coterie.bench.methods import parse_methods
from coterie.bench.plots import draw_all
from coterie.bench.report import report
from coterie.bench.runner import run_bench
from coterie.bench.sensitivity import sensitivity
from coterie.bench.suites import EpisodeSpec, make_suite, spec
from coterie.bench.summary import compare, distinct, estimate, mean, overview, select, standard
from coterie.bench.table import markdown

INTERVAL = re.compile(r"\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]")


def specs() -> list[EpisodeSpec]:
    more = [
        spec("static", "pack-objects", lv, "Ma-MoMa", "flat", 10_000 + n) for lv in ("easy", "hard") for n in (1, 2)
    ]
    sweep = [spec("cto", "pack-objects", "medium-search", "Ma-MoMa", "flat", 10_001, f"cto@{n}") for n in (3, 10)]
    return [*make_suite("smoke"), *more, *sweep]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    methods = parse_methods("expert,random-legal,random-legal+guard")
    return run_bench(specs(), methods, tmp_path_factory.mktemp("bench"), suite="smoke")


@pytest.fixture(scope="module")
def text(bench):
    return report(bench)


def section(text: str, title: str) -> str:
    return text.split(f"## {title}\n")[1].split("\n## ")[0]


def test_the_table_holds_intervals_and_what_each_method_sees(text):
    assert len(INTERVAL.findall(section(text, "Settings"))) >= 3 * 6 * 2
    methods = section(text, "Methods")
    assert "the truth of the world" in methods
    assert "its own belief" in methods
    for title in ("Tasks", "Levels", "Teams", "Transitions", "Cells", "Failure modes", "Task generator", "Changes"):
        assert section(text, title).count("|") > 10, title


def test_the_papers_figures_stand_beside(text):
    beside = section(text, "Beside the paper")
    for figure in ("0.8210", "0.8533", "0.8346", "0.8045", "0.8492", "0.9815", "0.7720", "0.8735", "0.5956", "0.7917"):
        assert figure in beside
    assert "0.7037" in section(text, "Time and size of the change")  # Tab. 21, at step 10
    assert "(0.913)" in section(text, "Difficulty weights")


def test_pairs_are_compared_on_the_same_episodes(bench, text):
    assert "expert − random-legal" in section(text, "Paired comparison")
    assert "random-legal − random-legal+guard" in section(text, "Paired comparison")
    c = compare(bench.rows, "expert", "random-legal", "ts")
    assert c.n == len(bench.specs)
    assert c.difference < 0


def test_changes_fired_and_bit(bench, text):
    changes = section(text, "Changes")
    assert "(100%)" in changes
    assert {r["change_fired"] for r in bench.rows if r["labels"]["change"]} == {1}


def test_the_table_does_not_depend_on_the_order_of_the_results(bench, text, tmp_path):
    lines = (bench.folder / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text("".join(reversed(lines)))
    again = run_bench(bench.specs, bench.methods, tmp_path, suite="smoke")
    assert report(again) == text


def test_the_overview_has_the_promised_keys(bench):
    found = overview(bench.rows, ["expert", "absent"])
    entry = found["expert"]
    assert {"episodes", "succ", "ps", "ts", "as", "cc", "calls", "tokens", "succ_ci"} <= entry.keys()
    assert entry["succ"] == 1.0
    assert entry["succ_ci"] == [1.0, 1.0]
    assert found["absent"]["episodes"] == 0
    assert found["absent"]["succ"] is None


def test_orders_are_the_papers(bench):
    assert distinct(bench.rows, "setting") == ["static", "static-search", "cto", "irz", "anc", "rec"]
    assert distinct(bench.rows, "level")[:3] == ["easy", "medium", "hard"]


def test_averages_weigh_team_sizes_equally(bench):
    rows = select(bench.rows, method="expert", setting="static")
    sizes = distinct(rows, "group")
    by_size = [mean(select(rows, group=g), "ts") for g in sizes]
    assert mean(rows, "ts") == pytest.approx(sum(by_size) / len(by_size))
    assert estimate(rows, "ts").mean == pytest.approx(mean(rows, "ts"))


def test_sensitivity_has_the_papers_weights(bench):
    lines = sensitivity(select(bench.rows, method="expert"))
    assert [line.weights for line in lines] == list(paper.SENSITIVITY)
    usual = lines[1]
    assert usual.changed == 0
    assert usual.rho_ts > 0  # harder tasks take longer
    assert math.isnan(usual.rho_ps)  # the expert's PS is always 1
    assert sensitivity([]) == []


def test_plots_are_drawn(bench):
    pytest.importorskip("matplotlib")
    drawn = draw_all(bench)
    assert {p.stem for p in drawn} == {"difficulty", "team_size", "settings", "targets", "pack_boxes"}
    assert all(p.stat().st_size > 10_000 and p.with_suffix(".pdf").exists() for p in drawn)


def test_without_matplotlib_a_sentence_names_the_extra(bench, monkeypatch):
    import sys

    from coterie.core.errors import CoterieError

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(CoterieError, match=r"coterie\[plots\]"):
        draw_all(bench)


def test_markdown_is_aligned():
    lines = markdown(["name", "n"], [["a", "1"], ["long|name", "23"]])
    assert lines[1] == "| ---------- | --: |"
    assert len({len(line) for line in lines if line}) == 1
    assert "long\\|name" in lines[3]


def test_the_papers_numbers_are_those_of_its_table():
    assert paper.SETTINGS[paper.QWEN]["irz"].succ == 0.9815
    assert Path(paper.__file__).read_text().count("Tab.") >= 6


def test_sweeps_are_not_held_against_the_papers_averages():
    def row(change: str, step: int | None, detail: str = "") -> dict[str, object]:
        return {"labels": {"change": change, "change_step": step, "change_detail": detail}}

    kept = standard(
        [row("", None), row("cto", 5), row("cto", 3), row("irz", 5), row("irz", 5, "2"), row("rec", 5, "UAV")]
    )
    assert kept == [row("", None), row("cto", 5), row("irz", 5), row("rec", 5, "UAV")]
