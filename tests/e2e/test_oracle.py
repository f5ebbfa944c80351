"""The whole protocol with a mind that reads prompts and nothing else does nearly as well as rules that see facts."""

from coterie.bench.methods import parse_methods
from coterie.bench.playing import play_job
from coterie.bench.runner import make_jobs
from coterie.bench.suites import make_suite, sample

SETTINGS = ("dynahmrc-static", "dynahmrc-cto", "dynahmrc-irz", "dynahmrc-anc", "dynahmrc-rec")
EACH = 2  # a sample: the whole suites stand in docs/benchmark.md
WORST = 0.95


def success(method: str, model: str) -> float:
    """Mean success over the sample of every setting."""
    specs = [spec for name in SETTINGS for spec in sample(make_suite(name), EACH)]
    rows = [play_job(job)[0] for job in make_jobs(specs, parse_methods(method), model)]
    assert len(rows) == EACH * len(SETTINGS) and not any("error" in row for row in rows)
    return sum(row["success"] for row in rows) / len(rows)


def test_the_oracle_through_dynahmrc_comes_close_to_the_rules():
    rules = success("rules", "none")
    assert rules >= WORST
    assert success("dynahmrc", "oracle") >= WORST * rules
