"""Arms and memos in the bench: streams that can be stopped, the section on planning, figures, what is printed."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace

import pytest

from coterie.bench.drawing import draw_all
from coterie.bench.methods import parse_methods
from coterie.bench.report import report
from coterie.bench.results import load
from coterie.bench.runner import make_jobs, run_bench
from coterie.bench.studies.dynahmrc.suites import spec
from coterie.bench.studies.meco.numbers import clock, overview, saved, solved_before, spread_of_parts, truncated_sd, use
from coterie.bench.studies.meco.plots import size_of
from coterie.bench.studies.meco.report import cut_short
from coterie.bench.studies.meco.suites import table_spec
from coterie.cli.app import main
from coterie.memo import Store
from coterie.models.scripted import Scripted
from coterie.protocols.dynahmrc.oracle import answer
from tests.memo.quick import Quick, quick  # noqa: F401

SPECS = [table_spec("s2", "sort-cubes", "mecobench-similar", 10_000 + n) for n in range(3)]
METHODS = parse_methods("task-expert,task-expert+memo")


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Three similar tasks, with a memo and without; arms take no time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("coterie.worlds.tabletop.world.Rounds", Quick)
        return run_bench(SPECS, METHODS, tmp_path_factory.mktemp("meco"), suite="made")


@pytest.fixture(scope="module")
def big(bench):
    """As if thirty seeds of two jobs had been played, each with its time; some plans failed, and some tasks ran out."""
    rows, walls = [], []
    for n in range(30):
        for task in ("sort-cubes", "pack-grocery"):
            for r in (r for r in bench.rows if r["labels"]["seed"] == 10_001):
                key = f"s2/{task}/mecobench-similar/{10_000 + n}"
                memo = {"memo_hits": int(n > 0), "memo_failed": int(n == 7), "memo_alone": int(n not in (0, 7))}
                memo = memo if "memo_hits" in r else {}
                labels = {**r["labels"], "task": task, "group": task, "seed": 10_000 + n}
                rows.append({**r, **memo, "key": key, "labels": labels, "tokens": 100 * (n % 3)})
                walls.append({"key": key, "method": r["method"], "planning_s": 1.0 + n / 10, "lookup_s": n / 1000})
    for r in rows[-16:]:
        error = "There are only 26 tasks of 'pack-grocery' without a similar one from seed 0 on; no other was found."
        if r["labels"]["task"] == "pack-grocery":
            for k in [k for k in r if k not in ("key", "method", "model", "digest", "labels")]:
                del r[k]
            r["error"] = error
    return replace(bench, rows=rows, walls=walls)


def section(text: str, title: str) -> str:
    return text.split(f"## {title}\n")[1].split("\n## ")[0]


# -- streams ----------------------------------------------------------------------------------------------------------
def test_a_memo_grows_along_its_stream(bench):
    memo = [r for r in bench.rows if r["method"] == "task-expert+memo"]
    assert [r["memo_hits"] for r in memo] == [0, 1, 1]
    assert [r["memo_alone"] for r in memo] == [0, 1, 1]
    assert all("memo_hits" not in r for r in bench.rows if r["method"] == "task-expert")
    walls = [w for w in load(bench.folder / "wall.jsonl") if w["method"] == "task-expert+memo"]
    assert all(w["lookup_s"] > 0 for w in walls)


def keep(*rows):
    """Of results and times, these rows alone."""

    def damage(folder):
        for path in (folder / "results.jsonl", folder / "wall.jsonl"):
            lines = path.read_bytes().splitlines(keepends=True)
            path.write_bytes(b"".join(lines[n] for n in rows))

    return damage


def lose_the_memo(folder):
    keep(0, 1)(folder)
    for file in folder.glob("task-expert+memo-*.sqlite"):
        file.unlink()


def take_an_episode_back(folder):
    keep(0, 1)(folder)
    (file,) = folder.glob("*.sqlite")
    with Store(file) as store:
        store.take_back(next(e for e in store.episodes() if "/10001/" in e))


@pytest.mark.parametrize(
    ("damage", "reused"),
    [(keep(), 0), (keep(0), 1), (keep(0, 1), 2), (keep(0, 2), 1), (lose_the_memo, 0), (take_an_episode_back, 1)],
    ids=["all killed", "killed after one", "after two", "a gap", "no memo", "a memo that was there and holds less"],
)
def test_a_stream_that_lost_something_ends_the_same(tmp_path, quick, damage, reused):  # noqa: F811
    """Its memo may know more than its rows, which is taken back; what it has been through counts, not what it holds."""
    memo = METHODS[1:]
    whole, results = run_bench(SPECS, memo, tmp_path), tmp_path / "results.jsonl"
    raw = results.read_bytes()
    damage(tmp_path)
    left = results.read_bytes().count(b"\n")
    again = run_bench(SPECS, memo, tmp_path)
    assert again.rows == whole.rows and again.reused == reused
    assert reused < left or results.read_bytes() == raw, "after a kill, byte for byte"


def test_a_stream_is_exact_whatever_else_used_the_folder(tmp_path, quick):  # noqa: F811
    """Another suite in between, fewer episodes, others left out: as in a fresh folder."""
    memo, folder = METHODS[1:], tmp_path / "used"
    others = [table_spec("s1", "sort-cubes", "mecobench", 10_000 + n) for n in range(2)]
    fresh = run_bench(SPECS, memo, tmp_path / "fresh")
    run_bench(SPECS[:2], memo, folder)
    run_bench(others, memo, folder)
    done = run_bench(SPECS, memo, folder)
    assert done.rows == fresh.rows and [r["memo_hits"] for r in done.rows] == [0, 1, 1]
    assert done.reused == 2, "the other suite has a memo of its own"
    run_bench(SPECS[::2], memo, folder)  # the same memo, without the second
    more = [*SPECS, table_spec("s2", "sort-cubes", "mecobench-similar", 10_003)]
    assert run_bench(more, memo, folder).rows == run_bench(more, memo, tmp_path / "fresh").rows
    run_bench([*SPECS, *others], memo, folder)  # both at once
    assert run_bench(more, memo, folder).rows == run_bench(more, memo, tmp_path / "fresh").rows


def test_what_a_memo_has_been_through_counts_and_not_only_what_it_holds(tmp_path, quick):  # noqa: F811
    memo = METHODS[1:]
    whole = run_bench(SPECS, memo, tmp_path)
    (file,) = tmp_path.glob("*.sqlite")
    with Store(file) as store:
        store.take_back(next(e for e in store.episodes() if "/10001/" in e))
    results = tmp_path / "results.jsonl"
    results.write_bytes(b"".join(results.read_bytes().splitlines(keepends=True)[:2]))
    again = run_bench(SPECS, memo, tmp_path)
    assert again.rows == whole.rows and again.reused == 1


def test_lessons_of_all_jobs_in_a_house_are_one_stream(tmp_path):
    """A lesson of another job in the same house is heard: what was played before belongs to the result."""
    specs = [spec("static", task, "easy", "Ma-MoMa", "flat", 10_000) for task in ("pack-objects", "sort-solids")]
    jobs = make_jobs(specs, parse_methods("rules+memo"), "none", folder=tmp_path)
    assert [bool(job.before) for job in jobs] == [False, True]


def test_planning_of_episodes_played_together_is_timed(tmp_path, quick, monkeypatch):  # noqa: F811
    monkeypatch.setattr("coterie.bench.playing.model_for", lambda *_, **__: Scripted(lambda ask: answer(ask.prompt)))
    quick.__init__ = slow_arms(quick.__init__)
    done = run_bench(SPECS[:2], parse_methods("central-plan"), tmp_path, model="scripted:x", batch=2, logs=True)
    assert [w["planning_s"] >= 7.0 for w in done.walls] == [True, True]
    beside = [json.loads(p.read_text()) for p in tmp_path.glob("logs/central-plan/*.wall")]
    assert [b["planning_s"] >= 7.0 for b in beside] == [True, True]


def slow_arms(init):
    """Arms that have planned for seven seconds already."""

    def make(self, *args, **more):
        init(self, *args, **more)
        self.planning_s = 7.0

    return make


def test_a_memo_that_is_told_of_all_beliefs_is_not_called_blind():
    methods = parse_methods("roco,roco+memo,central-plan+memo,task-expert+memo,rules+memo")
    assert [m.sees for m in methods] == ["own", "pooled", "pooled", "pooled", "pooled"]


@pytest.mark.parametrize("part", ["no-similarity", "no-splanner", "no-continue", "no-selective", "k=1"])
def test_ablations_are_played_and_stand_in_the_table(tmp_path, quick, part):  # noqa: F811
    name = f"task-expert+memo:{part}"
    done = run_bench(SPECS[:2], parse_methods(name), tmp_path)
    assert [r["memo_hits"] for r in done.rows] == [0, 1]
    assert name in section(report(done), "Planning and memo")


# -- the section ------------------------------------------------------------------------------------------------------
def test_the_section_tells_what_a_memo_did(big):
    text = section(report(big), "Planning and memo")
    lines = [[c.strip() for c in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| S2")]
    cells = {(line[1], line[2]): line[3:] for line in lines}
    n, succ, planning, parts, lookup, calls, tokens, hits, failed, alone = cells["sort-cubes", "task-expert+memo"]
    times = [1.0 + n / 10 for n in range(30)]
    assert (n, succ[:5], tokens, calls) == ("30", "1.000", "100", "0.0")
    assert planning == f"{statistics.fmean(times):.2f} ± {statistics.stdev(times):.2f}"
    assert float(parts) == pytest.approx(0.1)  # the middle three of five parts, each a tenth of a second later
    assert float(lookup) == pytest.approx(14.5)
    assert (hits, failed, alone) == ("29/30 (97%)", "1/29 (3%)", "28/30 (93%)")
    assert cells["sort-cubes", "task-expert"][-3:] == ["–", "–", "–"]
    assert cells["pack-grocery", "task-expert"][0] == "26"
    assert cells["all", "task-expert"][0] == "56"
    assert "task-expert+memo: 52/54 (96%) alone; of the reused plans 2/54 (4%) failed." in text


def test_streams_that_end_early_are_told_of_in_one_line_each(big):
    text = section(report(big), "Planning and memo")
    (line,) = [line for line in text.splitlines() if "were played" in line]
    assert line.startswith("- S2 (all similar), pack-grocery: 26 of 30 episodes were played. There are only 26 tasks")
    assert list(cut_short(big.rows[:40])) == []


def test_tasks_that_were_meant_to_differ_and_did_not_are_counted(big):
    rows = [{**r, "labels": {**r["labels"], "setting": "s3"}} for r in big.rows]
    text = section(report(replace(big, rows=rows)), "Planning and memo")
    assert "- S3 (all different), sort-cubes, task-expert+memo: 29 of 30 tasks had a similar one all the same." in text


# -- numbers ----------------------------------------------------------------------------------------------------------
def test_outliers_do_not_count_in_the_truncated_deviation():
    even = [1.0, 2.0] * 30
    assert truncated_sd([*even, 500.0]) == pytest.approx(statistics.stdev(even))
    assert truncated_sd(even) == pytest.approx(statistics.stdev(even))
    assert truncated_sd([1.0]) is None
    assert spread_of_parts([1.0] * 9) is None
    assert spread_of_parts([1.0] * 10) == 0.0


def test_numbers_of_a_method(bench, big):
    found = overview(big.rows, big.walls, ["task-expert", "task-expert+memo"])
    assert found["task-expert"]["memo_hits"] is None
    assert found["task-expert+memo"]["memo_hits"] == pytest.approx(54 / 56, abs=1e-4)
    times = [1.0 + n / 10 for n in (*range(30), *range(26))]
    assert found["task-expert+memo"]["planning_s"] == pytest.approx(statistics.fmean(times), abs=1e-3)
    assert use([r for r in bench.rows if r["method"] == "task-expert"]) is None
    memo = [r for r in bench.rows if r["method"] == "task-expert+memo"]
    assert list(solved_before(memo).values()) == [0, 1, 2]
    assert overview([], [], ["task-expert"]) == {}


# -- figures ----------------------------------------------------------------------------------------------------------
def test_figures_of_jobs_and_of_memos_of_several_sizes(big, tmp_path, monkeypatch):
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda self, path, **_: path.write_text("a figure"))
    names = ("task-expert", "task-expert+memo:k=5", "task-expert+memo:k=20", "task-expert+memo:no-selective")
    rows = []
    for r in big.rows:
        for name in names[1:] if "memo_hits" in r else names[:1]:
            rows.append({**r, "method": name, "labels": {**r["labels"], "setting": "cache"}})
    walls = [{**w, "method": n} for w in big.walls for n in names]
    sweep = replace(big, folder=tmp_path, rows=rows, walls=walls, methods=parse_methods(",".join(names)))
    assert [p.stem for p in draw_all(sweep)] == ["jobs", "cache"]
    assert "cache sizes" in report(sweep)
    assert [size_of(n) for n in names] == [None, 5, 20, None]
    assert size_of("task-expert+memo:no-continue-and-k=7") == 7


# -- the command ------------------------------------------------------------------------------------------------------
def test_the_command_prints_planning_and_hits(tmp_path, quick, capsys, monkeypatch):  # noqa: F811
    monkeypatch.setattr("coterie.cli.bench.make_suite", lambda *_, **__: SPECS)
    words = ["bench", "meco-s2", "--methods", "task-expert,task-expert+memo", "--out", str(tmp_path), "--no-plots"]
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["methods"]
    assert data["task-expert"]["memo_hits"] is None
    assert data["task-expert+memo"]["memo_hits"] == pytest.approx(2 / 3, abs=1e-4)
    assert data["task-expert+memo"]["planning_s"] > 0
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "planning s" in shown and "memo hits" in shown and "67%" in shown
    assert "CC ↓" not in shown


def test_what_a_memo_saves_stands_beside_what_the_paper_tells_of_it(big):
    """Half the tokens and a quarter of the time are saved here, and nothing is won."""
    rows = [{**r, "tokens": 100 if "+memo" in r["method"] else 200} for r in big.rows if "error" not in r]
    walls = [{**w, "planning_s": 3.0 if "+memo" in w["method"] else 4.0} for w in big.walls]
    lines = [
        [c.strip() for c in line.strip("|").split("|")] for line in saved(rows, clock(walls), [m.name for m in METHODS])
    ]
    table = {line[1]: line[2:] for line in lines if len(line) == 8}
    assert table["task"] == ["success", "paper", "planning", "paper", "tokens", "paper"]
    assert table["pack-grocery"] == ["+0", "about +8", "-25", "-12", "-50", "-18"]
    assert table["all"] == ["+0", "about +32", "-25", "–", "-50", "about -82"]
    assert list(saved(rows, clock(walls), ["task-expert+memo"])) == [], "nothing to compare with"
    assert "beside Figure 5" in section(report(big), "Planning and memo")
