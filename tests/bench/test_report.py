from __future__ import annotations

import json
import math
import re
import sys
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench.drawing import bars, draw_all
from coterie.bench.methods import parse_methods
from coterie.bench.report import report
from coterie.bench.results import load
from coterie.bench.runner import run_bench
from coterie.bench.studies.dynahmrc import paper
from coterie.bench.studies.dynahmrc.coordination import elections as election_section
from coterie.bench.studies.dynahmrc.paper import TIE, _pairwise, sensitivity
from coterie.bench.studies.dynahmrc.plots import at_medium, boxes, elections, leaders
from coterie.bench.studies.dynahmrc.sections import standard
from coterie.bench.studies.dynahmrc.suites import spec
from coterie.bench.suites import EpisodeSpec, make_suite, sample
from coterie.bench.summary import compare, cost, distinct, estimate, overview, select
from coterie.bench.table import markdown
from coterie.core.errors import CoterieError

USUAL = {"difficulty", "team_size", "settings", "targets", "pack_boxes"}  # plots of any method in rooms
INTERVAL = re.compile(r"\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]")


def specs() -> list[EpisodeSpec]:
    more = [
        spec("static", "pack-objects", lv, "Ma-MoMa", "flat", 10_000 + n) for lv in ("easy", "hard") for n in (1, 2)
    ]
    sweep = [spec("cto", "pack-objects", "medium-search", "Ma-MoMa", "flat", 10_001, f"cto@{n}") for n in (3, 10)]
    return [*make_suite("smoke"), *more, *sweep]


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    methods = parse_methods("expert,random,random+guard")
    return run_bench(specs(), methods, tmp_path_factory.mktemp("bench"), suite="smoke")


@pytest.fixture(scope="module")
def big(bench):
    """The same episodes many times over, with small differences: what a long bench looks like."""
    rows = [
        {**r, "key": f"{r['key']}/{n}", "ts": r["ts"] + (n * 7 + i) % 5 - 2, "ps": r["ps"] if n % 6 else r["ps"] / 2}
        for i, r in enumerate(bench.rows)
        for n in range(6)
    ]
    return replace(bench, rows=rows)


@pytest.fixture(scope="module")
def text(big):
    return report(big)


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
    assert "expert − random" in section(text, "Paired comparison")
    assert "random − random+guard" in section(text, "Paired comparison")
    kinds = section(text, "Paired comparison")
    assert "| all " in kinds
    c = compare(bench.rows, "expert", "random", "ts")
    assert c.n == len(bench.specs)
    assert c.difference < 0


def test_small_benches_leave_out_what_says_nothing(bench):
    small = report(bench)
    for title in ("Difficulty weights", "Cells", "Transitions"):
        assert f"## {title}\n" not in small
    assert "## Beside the paper" not in small  # no setting has 15 episodes
    assert "[–]" in section(small, "Settings")
    pairs = section(small, "Paired comparison")
    assert "| IRZ " not in pairs  # three episodes
    assert re.search(r"\| CTO .*\| +5 .*\[–\] \| +0.0625", pairs)  # five: no choice of signs is rare enough


def test_methods_with_a_model_have_tables_of_their_own(tmp_path):
    methods = parse_methods("dynahmrc,coherent,rules")
    text = report(run_bench(sample(make_suite("smoke"), 6), methods, tmp_path, model="oracle", batch=8))
    assert "model oracle" in text.split("Made with")[0]
    calls = section(text, "Model calls")
    for stage in ("SD", "TALB", "LE", "HMRC", "CENTRAL"):
        assert f"| {stage} " in calls
    assert "| rules " not in calls
    assert "| rules " in section(text, "Replies and loops")
    assert "MoMa leads" in section(text, "Elections")


def test_the_table_does_not_depend_on_the_order_of_the_results(bench, tmp_path):
    lines = (bench.folder / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text("".join(reversed(lines)))
    again = run_bench(bench.specs, bench.methods, tmp_path, suite="smoke")
    assert report(again) == report(bench)


def test_the_overview_has_the_promised_keys(bench):
    found = overview(bench.rows, ["expert", "absent"])
    entry = found["expert"]
    assert {"episodes", "succ", "ps", "ts", "as", "cc", "calls", "tokens", "succ_ci"} <= entry.keys()
    assert entry["succ"] == 1.0
    low, high = entry["succ_ci"]
    assert 0.8 < low < 1.0 == high
    assert overview(bench.rows[:1], [bench.rows[0]["method"]])[bench.rows[0]["method"]]["succ_ci"] is None
    assert found["absent"]["episodes"] == 0
    assert found["absent"]["succ"] is None


def test_averages_weigh_team_sizes_equally(bench):
    rows = select(bench.rows, method="expert", setting="static")
    sizes = distinct(rows, "group")
    by_size = [cost(select(rows, group=g), "ts") for g in sizes]
    assert cost(rows, "ts") == pytest.approx(sum(by_size) / len(by_size))
    assert estimate(rows, "ts").mean == pytest.approx(cost(rows, "ts"))


def test_sensitivity_has_the_papers_weights(bench):
    lines = sensitivity(select(bench.rows, method="expert"))
    assert [line.weights for line in lines] == list(paper.SENSITIVITY)
    usual = lines[1]
    assert usual.changed == 0
    assert usual.rho_ts > 0  # harder tasks take longer
    assert math.isnan(usual.rho_ps)  # the expert's PS is always 1
    assert sensitivity([]) == []


@settings(max_examples=10)
@given(st.lists(st.tuples(st.sampled_from([0.1, 0.3, 0.1 + 0.2, 0.6]), st.integers(0, 5)), max_size=30))
def test_pairs_of_tasks_are_counted_as_one_by_one(tasks):
    told = [(a - b) * (x - y) > 0 for (a, x), (b, y) in combinations(tasks, 2) if abs(a - b) > TIE and abs(x - y) > TIE]
    found = _pairwise([a for a, _ in tasks], [float(x) for _, x in tasks])
    assert found == sum(told) / len(told) if told else math.isnan(found)


def test_too_few_episodes_for_boxes_are_a_sentence(bench, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda self, path, **_: path.write_text("a picture"))
    notes: list[str] = []
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "pack_boxes.png").write_text("an old one")
    drawn = draw_all(replace(bench, folder=tmp_path), notes)
    assert {p.stem for p in drawn} == USUAL - {"pack_boxes"}
    assert not (tmp_path / "plots" / "pack_boxes.png").exists()
    assert notes == ["No box plot of Pack Objects: a box needs 5 episodes, and there are 1 at some level."]


def test_elections_are_plotted(bench, tmp_path):
    pytest.importorskip("matplotlib")
    votes = [(1, False, "MoMa"), (1, False, "UAV"), (2, False, "MoMa"), (3, True, "Ma")]
    told = [{"step": 0, "rounds": n, "referee": late, "leader": "x", "body": body} for n, late, body in votes]
    mine = select(bench.rows, method="expert")[:4]
    rows = [{**r, "elections": [e], "labels": {**r["labels"], "team": "Ma-MoMa-UAV"}} for r, e in zip(mine, told)]
    assert texts(elections(rows, ["expert", "absent"]).axes[0]) == ["50%", "25%", "25%"]
    figure = leaders(rows, ["expert", "absent"])
    assert len(figure.axes) == 1 and texts(figure.axes[0]) == ["25%", "50%", "25%"]  # Ma, MoMa, UAV
    text = "\n".join(election_section(rows, ["expert"]))
    assert "2/4 (50%) | 1/4 (25%) | 0/4 (0%) |      1/4 (25%)" in text and "| Ma-MoMa-UAV |" in text


def test_teams_stand_apart_where_there_are_enough_episodes(text, big):
    assert "| Ma-MoMa-UAV" in section(text, "Coordination") and "random: conflicting" in section(text, "Coordination")
    assert "By team" not in section(report(replace(big, rows=big.rows[:20])), "Coordination")
    everything = section(text, "All settings")
    assert everything.count("\n| ") == 2 + len(big.methods)


def texts(axis) -> list[str]:
    return [t.get_text() for t in axis.texts]


def test_plots_say_what_they_show(big):
    pytest.importorskip("matplotlib")
    names = [m.name for m in big.methods]
    axis = boxes([r for r in big.rows if r["labels"]["task"] == "pack-objects"], names).axes[0]
    assert {"limit 20", "limit 30", "limit 50"} <= set(texts(axis))
    lost = [{**r, "success": False} if r["method"] == "random" else r for r in big.rows]
    figure = bars(at_medium(lost), names, "setting")
    ticks = [t.get_text().replace("\n", " ") for t in figure.axes[0].get_xticklabels()]
    assert ticks == ["static medium- search", "CTO", "IRZ", "ANC", "REC"]
    assert texts(figure.axes[0]).count("0") >= 5  # one for every setting of a method that never succeeds
    said = figure.axes[4]
    assert said.get_title() == "Said per episode (all messages)" and any(bar.get_height() > 0 for bar in said.patches)


def test_without_matplotlib_a_sentence_names_the_extra(bench, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(CoterieError, match=r"coterie\[plots\]"):
        draw_all(bench)


def test_markdown_is_aligned():
    lines = markdown(["name", "n"], [["a", "1"], ["long|name", "23"]])
    assert lines[1] == "| ---------- | --: |"
    assert len({len(line) for line in lines if line}) == 1
    assert "long\\|name" in lines[3]
    odd = "a|b\\|c\nd`rm`<script>\x1b[2J\u202e"  # names of others stay in their cells
    lines = markdown(["method", "n"], [[odd, "< 0.1"]])
    assert len({line.replace("\\\\", "").replace("\\|", "").count("|") for line in lines[:3]}) == 1  # as many cells
    assert r"a\|b\\\|c\\nd\`rm\`\<script>\\x1b[2J\\u202e" in lines[2] and "< 0.1" in lines[2]


def test_sweeps_are_not_held_against_the_papers_averages():
    def row(change: str, step: int | None, detail: str = "") -> dict[str, object]:
        return {"labels": {"change": change, "change_step": step, "change_detail": detail}}

    kept = standard(
        [row("", None), row("cto", 5), row("cto", 3), row("irz", 5), row("irz", 5, "2"), row("rec", 5, "UAV")]
    )
    assert kept == [row("", None), row("cto", 5), row("irz", 5), row("rec", 5, "UAV")]


def test_the_table_and_the_overview_agree_on_calls_and_tokens(bench):
    """Both weigh settings equally; a plain mean would give another number."""
    rows = [{**r, "calls": 3 * i, "tokens": 10 * i * i, "prompts": "abc"} for i, r in enumerate(bench.rows)]
    text = report(replace(bench, rows=rows))
    found = overview(rows, ["expert"])["expert"]
    line = next(line for line in section(text, "All settings").splitlines() if line.startswith("| expert"))
    assert [c.strip() for c in line.split("|")[-3:-1]] == [f"{found[k]:.0f}" for k in ("calls", "tokens")]
    mine = select(rows, method="expert")
    assert f"{sum(r['tokens'] for r in mine) / len(mine):.0f}" != f"{found['tokens']:.0f}"


def test_prompts_are_named_by_their_hash(bench):
    assert all("prompts" in r for r in bench.rows)
    rows = [{**r, "prompts": "4f2a" if r["method"] == "expert" else ""} for r in bench.rows]
    lines = section(report(replace(bench, rows=rows)), "Methods").splitlines()
    cells = {line.split("|")[1].strip(): line.split("|")[4].strip() for line in lines if line.startswith("|")}
    assert (cells["method"], cells["expert"], cells["random"]) == ("prompts", "4f2a", "–")


def test_what_rows_share_is_kept_once_and_is_what_was_written(tmp_path):
    rows = [
        {"key": f"k{n}", "method": "m", "a": {"x": x, "y": [n]}, "labels": {"team": "t", "one": one}}
        for n, (x, one) in enumerate([(1, True), (True, 1), (1.0, True), (0.0, 1), (-0.0, 1.0), (0, True)])
    ]
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = load(path)
    assert [json.dumps(row) for row in found] == [json.dumps(row) for row in rows], "1, true and 1.0 are not alike"
    assert found[0]["labels"] is found[2]["labels"] and found[0] is not found[2]
    path.write_text(path.read_text() + "half a li")
    assert len(load(path)) == 6
    path.write_text(path.read_text() + "ne\n")
    assert len(load(path)) == 6, "what is left of a machine that lost its power"
    path.write_text(path.read_text() + json.dumps(rows[0]) + "\n")
    with pytest.raises(CoterieError, match="Line 7 of"):
        load(path)
