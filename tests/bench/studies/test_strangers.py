"""The paper's tables and figures on strangers from rows."""

import pytest

from coterie.bench.methods import method_sets, parse_method
from coterie.bench.studies.irot import figures, overall, tables, typed
from coterie.bench.studies.irot.numbers import Joined, actions, efficiency, gain, joined, pairs
from coterie.bench.studies.irot.paper import WEAKER
from coterie.bench.studies.irot.suites import JOINING, RIVALS, TEAMS
from coterie.bench.suites import make_suite, sample


def row(method, key, success, ts, ps=0.5, robots=3, **more):
    steps = {f"r{i}": {"steps": ts} for i in range(robots)}
    labels = {"setting": "stranger", "difficulty": ("easy", "medium", "difficult")[key % 3]}
    found = {"method": method, "key": f"t{key}", "success": success, "ts": ts, "ps": 1.0 if success else ps}
    return {**found, "robots": steps, "limit": 500, "steps": ts, "labels": labels, "model": "oracle", **more}


def cell(lines, *names):
    """The cells of the row that has these words in its first columns, by heading."""
    rows = [[c.strip() for c in line.strip("| ").split(" | ")] for line in lines if line.startswith("|")]
    heads = [r for r in rows if "n" in r]
    for r in rows:
        if tuple(r[: len(names)]) == names:
            return dict(zip(next(h for h in reversed(heads[: 1 + heads.index(heads[0])])), r))
    raise AssertionError(f"no row {names}")


# -- numbers ----------------------------------------------------------------------------------------------------------
def test_saved_steps_are_averaged_over_all_tasks_and_never_below_nothing():
    """Sec. V-E: a task that was not done, or took longer, counts with 0 in the mean."""
    alone = [
        row("heuristic", k, ok, ts) for k, (ok, ts) in enumerate([(False, 500), (True, 200), (True, 100), (True, 80)])
    ]
    helped = [
        row("heuristic+irot@0", k, ok, ts)
        for k, (ok, ts) in enumerate([(True, 250), (True, 300), (False, 500), (True, 60)])
    ]
    assert [efficiency(a, b) for a, b in zip(helped, alone)] == [50.0, 0.0, 0.0, 25.0]
    lines = list(tables.by_team(alone + helped, ["heuristic", "heuristic+irot@0"]))
    assert cell(lines, "heuristic", "irot")["%SE ↑"] == "18.8"
    assert cell(lines, "heuristic", "none")["%SE ↑"] == "–"


def test_steps_of_all_robots_count_the_limit_where_a_task_was_not_done():
    assert actions(row("heuristic", 0, True, 70, robots=4)) == 280
    assert actions(row("heuristic", 0, False, 70, robots=4)) == 2000


@pytest.mark.parametrize(
    ("method", "parts", "alone", "paper"),
    [
        ("heuristic", None, "", None),
        ("heuristic+irot@50", Joined("heuristic", "irot", 50), "heuristic", "irot"),
        ("learning+irot:no-ev@0:eye", Joined("learning", "irot:no-ev", 0, "eye"), "learning", None),
        ("heuristic+irot@0-200", Joined("heuristic", "irot", 0, "", 200), "heuristic", None),
        ("heuristic@garbled:0.3+irot@0", Joined("heuristic", "irot", 0, model="garbled:0.3"), "heuristic", WEAKER),
        (
            "negotiate@garbled:0.3+irot@0",
            Joined("negotiate", "irot", 0, model="garbled:0.3"),
            "negotiate@garbled:0.3",
            WEAKER,
        ),
        (
            "negotiate@garbled:0.3@Zoe+irot@0",
            Joined("negotiate", "irot", 0, model="garbled:0.3@Zoe"),
            "negotiate",
            WEAKER,
        ),
        ("heuristic+irot@0+heuristic@80", None, "", None),
    ],
)
def test_the_parts_of_a_method_are_told_apart(method, parts, alone, paper):
    parse_method(method)  # there is such a method
    found = joined(method)
    assert found == parts
    if found is not None:
        assert found.alone == alone and found.in_paper == paper


def test_other_bodies_models_and_times_of_leaving_have_rows_of_their_own():
    names = ["heuristic+irot@0", "heuristic+irot@0:eye", "heuristic+irot@0-200", "heuristic@garbled:0.3+irot@0"]
    assert len({joined(name).words for name in names}) == len(names)


# -- tables -----------------------------------------------------------------------------------------------------------
def made(names, n=8, better_by=0):
    return [
        row(name, k, k % 4 < 2 + (better_by if "irot" in name else 0), 100 + 10 * k) for name in names for k in range(n)
    ]


def test_every_table_has_its_rows_and_the_papers_numbers_beside_them():
    names = [
        *method_sets["irot-tables"],
        *(m for m in method_sets["irot-ablations"] if m not in method_sets["irot-tables"]),
    ]
    rows = made(names, 6)
    lines = list(tables.by_team(rows, names))
    text = "\n".join(lines)
    assert [f"Table {n}. Strangers" in text for n in ("I", "II", "III")] == [True] * 3
    body = [line for line in lines if line.startswith("|") and "stranger" not in line and "---" not in line]
    assert len(body) == len(JOINING) * len(TEAMS) * (1 + len(RIVALS))
    dashes = [line for line in body if line.rstrip("| ").endswith("–")]
    assert not dashes
    fourth = [line for line in tables.ablations(rows, names) if line.startswith("|")][2:]
    assert len(fourth) == len(JOINING) * 7 and not any(line.rstrip("| ").endswith("–") for line in fourth)
    assert "26.3 (+24.6)" in fourth[6] and "garbled" in fourth[5] and "25.0 (+18.5)" in fourth[5]


def test_gains_are_paired_by_task():
    names = ["heuristic", "heuristic+irot@0"]
    rows = made(names, 40, better_by=1)
    found = gain(pairs(rows, names[1], names[0]), "%Suc ↑")
    assert found.n == 40 and found.difference == 25.0 and found.low > 0
    rows = [r for r in rows if r["method"] == names[0] or int(r["key"][1:]) < 7]
    assert cell(list(tables.by_team(rows, names)), "heuristic", "irot")["n"] == "7"


def test_over_all_teams_and_steps_each_task_counts_once():
    """Where one cell of a table has too few, and only what IRoT has played, too, is compared with it."""
    won = {"heuristic+irot@0": (1, 1, 1, 0), "heuristic+irot@50": (1, 0, 1, 0), "heuristic": (0, 0, 1, 0)}
    won |= {"heuristic+gpl@0": (1, 0, 1, 0), "heuristic+gpl@50": (0, 0, 1, 0), "heuristic+gpl@100": (0, 0, 0, 0)}
    rows = [row(m, k, bool(ok), 100 if ok else 500) for m, found in won.items() for k, ok in enumerate(found)]
    lines = list(overall.table(rows, list(won)))
    found = cell(lines, "gpl")
    assert (found["teams and steps"], found["n"], found["%Suc ↑"]) == ("2", "4", "37.5")
    assert found["irot over it, %Suc ↑"].startswith("+25.0")
    assert cell(lines, "team alone")["irot over it, #TS ↓"].startswith("-150.0")
    assert cell(lines, "irot")["%Suc ↑"] == "62.5"
    assert not list(overall.table(rows, ["heuristic", "heuristic+irot@0", "heuristic+gpl@0"]))


def test_rows_that_are_the_same_are_said_to_be():
    names = ["heuristic", "heuristic+irot@0", "heuristic+cot@0", "heuristic+naive@0"]
    rows = made(names[:3]) + [row(names[3], k, k % 4 < 2, 100 + 10 * k + (k == 5)) for k in range(8)]
    said = list(tables.same(rows, names))
    assert "irot:free is irot by construction" in said[0]
    assert said[1:] == ["- heuristic+irot@0 and heuristic+cot@0 did the same in all 8 tasks that they all played."]
    assert list(tables.same([{**r, "model": "openai:x"} for r in rows], names)) == said[1:]


def test_a_team_by_itself_is_also_shown_in_the_tasks_of_the_sample():
    names = ["heuristic", "heuristic+irot@0", "heuristic+cot@0", "heuristic+gpl@0"]
    rows = made(names[:2], 9) + made(names[2:], 4)
    lines = list(tables.by_team(rows, names))
    assert cell(lines, "heuristic", "none")["n"] == "9" and cell(lines, "heuristic", "none, in the sample")["n"] == "4"
    assert not any("in the sample" in line for line in tables.by_team(made(names), names))


def test_several_strangers_are_not_left_out_without_a_word():
    names = ["heuristic", "heuristic+irot@0", "heuristic+irot@0+heuristic@80"]
    assert names[2] in list(tables.by_team(made(names), names))[-2]


def test_figures_show_strangers_as_they_are_and_leave_changed_ones_to_the_tables():
    names = ["negotiate", *(f"negotiate+{s}@{t}" for s in ("irot", "cot", "irot:no-ev") for t in (0, 50))]
    rows = [{**r, "stranger": {"arm": i % 2 == 0}} for i, r in enumerate(made(names))]
    first = figures.joining(rows, names).axes[0]
    assert [line.get_label() for line in first.lines] == ["irot", "cot", "none"]
    assert list(first.lines[0].get_xdata()) == [0, 50] and list(first.lines[0].get_ydata()) == [50.0, 50.0]
    panels = figures.parts(rows, names).axes
    assert [p.get_title().partition(":")[0] for p in panels] == ["negotiate+irot@0", "negotiate+irot@50"]
    assert [t.get_text() for t in panels[0].get_xticklabels()] == ["easy", "medium", "difficult", "arm", "no arm"]
    assert figures.joining(rows[:8], names[:1]) is None and figures.parts(rows[:8], names[:1]) is None


# -- what is played ----------------------------------------------------------------------------------------------------
def test_samples_of_the_other_rows_are_balanced():
    some = sample(make_suite("irot"), 270)
    for label in ("rooms", "team", "level", "difficulty"):
        counts = {}
        for spec in some:
            value = spec.labels.get(label)
            counts[value] = counts.get(value, 0) + 1
        if None not in counts and len(counts) > 1:
            share = 270 / len(counts)
            assert all(abs(n - share) <= 0.35 * share for n in counts.values()), (label, counts)


def test_how_often_a_type_is_named_is_also_told_over_all_teams():
    def named(team, right):
        told = {"team": team, "named": team, "share": 0.9}
        return [{**r, "typed": {**told, "right": k < right}} for k, r in enumerate(made([f"{team}+plastic@0"], 6))]

    rows = named("heuristic", 6) + named("learning", 3)
    lines = list(typed.table(rows, ["heuristic+plastic@0", "learning+plastic@0"]))
    (total,) = (line for line in lines if "all of these" in line)
    assert " 12 | 75.0 [" in " ".join(total.split())
    assert not any("all of these" in line for line in typed.table(rows, ["heuristic+plastic@0"]))
