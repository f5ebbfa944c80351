"""Rows in columns: what was put in comes out, type for type, and tables of them are those of plain rows."""

import json
import math
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench import columns, statistics, summary
from coterie.bench.columns import ABSENT, Column
from coterie.bench.export import csv_text, latex_text
from coterie.bench.methods import parse_methods
from coterie.bench.report import report
from coterie.bench.results import RESULTS, dump
from coterie.bench.rows import Rows, Store
from coterie.bench.runner import run_bench
from coterie.bench.suites import make_suite
from coterie.bench.summary import compare, distinct, groups, overview, scored, select

plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
value = plain | st.lists(st.integers(0, 3), max_size=2) | st.dictionaries(st.text(max_size=2), plain, max_size=2)
label = st.none() | st.sampled_from(["a", "b", 1, 1.0, True])


def exactly(x):
    """1, 1.0 and true are told apart, and so are 0.0 and -0.0."""
    return json.dumps(x, sort_keys=True)


@given(st.lists(value | st.just(ABSENT), max_size=30), st.integers(2, 12))
@settings(max_examples=12)
def test_a_column_gives_back_what_was_put_in(values, few):
    """With so few places for different values, numbers and texts are kept in every way there is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "FEW", few)
        patch.setattr(columns, "FEW_TABLES", 2)
        column = Column()
        for v in values:
            column.add(v)
        found = [column.get(i) for i in range(len(values))]
        there, floats = column.there(), column.floats()
    for i, (v, got) in enumerate(zip(values, found)):
        assert there[i] == (v is not ABSENT)
        if got is columns.ELSEWHERE:
            assert v is not ABSENT
        else:
            assert got is v if v is ABSENT else exactly(got) == exactly(v)
        if type(got) in (bool, float) or (type(got) is int and abs(got) < 2**1000):
            assert floats[i] == float(got)
        elif type(got) is not int:
            assert math.isnan(floats[i])


rows_of = st.lists(
    st.fixed_dictionaries(
        {"labels": st.dictionaries(st.sampled_from(["setting", "group", "world"]), label)},
        optional={"ps": st.floats(0, 1), "cc": value, "error": st.just("no"), "left": st.lists(st.text(max_size=2))},
    ),
    min_size=1,
    max_size=12,
)


@given(rows_of, st.integers(2, 60_000))
@settings(max_examples=12)
def test_rows_of_a_file_are_read_as_dictionaries(tmp_path_factory, made, few):
    path = tmp_path_factory.mktemp("rows") / RESULTS
    every = [{**row, "key": f"e{i // 2}", "method": f"m{i % 2}", "digest": f"{i:03d}é"} for i, row in enumerate(made)]
    path.write_text("".join(dump(row) + "\n" for row in every), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "FEW", few)
        patch.setattr(columns, "FEW_TABLES", 1)
        rows = Rows(Store(path))
        assert [dump(dict(r) | {"labels": dict(r["labels"])}) for r in rows] == [dump(r) for r in every]
        assert [r["key"] for r in rows.ordered()] == sorted(r["key"] for r in every)
        assert [r["digest"] for r in scored(rows)] == [r["digest"] for r in scored(every)]
        assert groups(rows) == groups(every)
        for name in ("setting", "nothing"):
            assert list(distinct(rows, name)) == list(distinct(every, name))
        for wanted in ("a", 1, None):
            chosen = [select(some, method="m0", setting=wanted) for some in (rows, every)]
            assert [r["digest"] for r in chosen[0]] == [r["digest"] for r in chosen[1]]
        assert [r.get("cc", 7) for r in rows] == [r.get("cc", 7) for r in every]
        assert [("left" in r, "key" in r, "labels" in r, "nothing" in r) for r in rows] == [
            ("left" in r, True, True, False) for r in every
        ]


def test_tables_of_columns_are_those_of_plain_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "FEW", 6)  # everything is many
    monkeypatch.setattr(columns, "FEW_TABLES", 2)
    for name in ("bootstrap", "paired"):
        monkeypatch.setattr(summary, name, partial(getattr(statistics, name), resamples=50))
    done = run_bench(make_suite("smoke")[::6], parse_methods("expert,random-legal"), tmp_path, suite="smoke")
    lines = [{**row, "key": f"{row['key']}/{n}", "as": row["as"] + n / 7} for row in done.rows for n in range(6)]
    (tmp_path / RESULTS).write_text("".join(dump(row) + "\n" for row in lines), encoding="utf-8")
    few, many = (
        replace(done, rows=sorted(lines, key=lambda r: (r["key"], r["method"]))),
        Rows(Store(tmp_path / RESULTS)),
    )
    many = replace(done, rows=many.ordered())
    assert many.rows.store.columns["as"].raw is not None and many.rows.store.columns["key"].raw is not None
    for made in (report, csv_text, latex_text):
        assert made(many) == made(few)
    assert overview(many.rows, done.names) == overview(few.rows, done.names)
    names = done.names
    assert compare(many.rows, *names, "as") == compare(few.rows, *names, "as")
