"""The page of results says what stands in them: rows of every world are compared with it."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.bench.methods import parse_methods
from coterie.bench.playing import play_job
from coterie.bench.runner import make_jobs
from coterie.bench.schema import amiss, described
from coterie.bench.suites import make_suite, of_task
from coterie.core.config import Config
from coterie.core.protocol import SoloProtocol
from coterie.protocols import protocols

ROOT = Path(__file__).parents[2]


def row_of(task: str, method: str, level: str = "", model: str = "none", **own):
    (spec,) = of_task(task, level, 10_000, 1, **own)
    (job,) = make_jobs([spec], parse_methods(method), model, folder=Path())
    return play_job(job)[0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("task", "method", "more"),
    [
        ("pack-objects", "dynahmrc", {"level": "easy", "model": "oracle"}),
        ("pack-objects", "rules+guard", {"changes": ("cto@3",)}),
        ("yard-tidy", "tidier", {}),
        ("medkit", "mission", {"synchronous": False}),
        ("tidy", "heuristic+irot@5", {"scene": "rooms:2", "model": "oracle", "level": "1"}),
        ("sort-cubes", "task-expert+memo", {}),
    ],
)
def test_rows_of_every_world_are_as_described(task, method, more):
    row = row_of(task, method, **more)
    assert "error" not in row and list(amiss(row)) == []


def test_rows_that_were_not_played_are_as_described(own_names):
    class Falls(SoloProtocol):
        about = "crashes"

        def act(self, me):
            return 1 / 0

    protocols.put("falls", Falls, "no-model")
    crashed = row_of("yard-tidy", "falls")
    assert "crash" in crashed and list(amiss(crashed)) == []
    (spec,) = of_task("pack-objects", "hard", 10_000, 1)
    (job,) = make_jobs(
        [replace(spec, config=replace(spec.config, team="Ma-Mo"))], parse_methods("rules"), "none", folder=Path()
    )
    undrawn = play_job(job)[0]
    assert "error" in undrawn and list(amiss(undrawn)) == []


def test_what_is_amiss_is_noticed():
    row = row_of("yard-tidy", "tidier")
    assert list(amiss({**row, "colour": 1})) == ["'colour' is described nowhere."]
    assert "should be: number" in next(amiss({**row, "ps": "much"}))
    assert "should be: whole" in next(amiss({**row, "said": True}))
    assert list(amiss({k: v for k, v in row.items() if k != "said"})) == ["'said' is missing."]


def test_the_page_is_up_to_date():
    made = runpy.run_path(str(ROOT / "docs" / "results.py"))
    text = (ROOT / "docs" / "results.md").read_text()
    assert text == made["page"](), "run: python docs/results.py"
    assert all(f"| `{name}` |" in text for name in described())


def test_labels_that_a_suite_leaves_out_are_filled_in(own_names):
    from coterie.bench.spec import EpisodeSpec, suites

    suites.put("bare", lambda seed: [EpisodeSpec("bare/1", Config(task="yard-tidy", seed=seed))])
    (spec,) = make_suite("bare", 7)
    expected = {"setting": "bare", "group": "bare", "task": "yard-tidy", "seed": 7, "world": "yard"}
    assert expected.items() <= spec.labels.items()
