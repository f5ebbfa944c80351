"""Results that a merge would not replace are told before a night is spent on playing."""

import pytest

from coterie.bench.cluster.preflight import check_place
from coterie.bench.cluster.sharding import Plan
from coterie.bench.cluster.shards import LABEL, Shard
from coterie.bench.methods import parse_methods
from coterie.bench.playing import job_digest, play_job
from coterie.bench.results import RESULTS, dump
from coterie.bench.suites import make_suite, sample
from coterie.cli import main
from coterie.core.errors import CoterieError

SPECS = sample(make_suite("smoke"), 2)


@pytest.fixture(scope="module")
def row():
    return play_job(Plan(SPECS, parse_methods("rules"), None, "smoke", "none", {}).all_jobs()[0])[0]


def write(folder, *rows):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RESULTS).write_text("".join(dump(r) + "\n" for r in rows), encoding="utf-8")


def refused(plan, **how):
    try:
        check_place(plan, 2, **how)
    except CoterieError as err:
        assert "would be lost" in str(err) and "--fresh" in str(err)
        return True
    return False


def test_what_will_be_played_again_or_is_in_a_shard_may_lie_there(row, tmp_path):
    plan = Plan(SPECS, parse_methods("rules"), tmp_path, "smoke", "none", {})
    assert not refused(plan), "an empty folder"
    write(tmp_path, row)
    assert not refused(plan), "the same command, on one machine"
    older = {**row, "commit": "0123abcd"}
    for odd in (older, {**row, "digest": "other"}, {**row, "labels": {}}, {**row, "key": "x"}, {**row, "method": "x"}):
        write(tmp_path, row, odd)
        assert refused(plan) and not refused(plan, fresh=True), odd
    write(tmp_path, {**row, "commit": "0123abcd", "crash": "oh"})
    assert not refused(plan), "crashed ones are played again"
    (tmp_path / RESULTS).write_text("words\n")
    assert refused(plan)
    shard = Shard(1, 2).place(tmp_path)
    write(tmp_path, older)
    write(shard, older)
    assert not refused(plan), "a shard has it, and keeps it"
    write(tmp_path, row)
    assert refused(plan), "and not this one"
    write(shard, {**older, "crash": "oh"})
    assert not refused(plan), "but plays it again where it crashed"
    (tmp_path / LABEL).write_text("{}")
    with pytest.raises(CoterieError, match="is a shard, or lies in one"):
        check_place(plan, 2, fresh=True)


def test_an_endpoint_need_not_say_the_same_twice(row, tmp_path):
    plan = Plan(SPECS, parse_methods("coherent"), tmp_path, "smoke", "openai:mind", {})
    job = plan.all_jobs()[0]
    asked = {**row, "key": job.key, "method": job.method, "digest": job_digest(job), "labels": job.labels}
    write(tmp_path, asked)
    assert refused(plan)
    write(Shard(2, 2).place(tmp_path), asked)
    assert not refused(plan)


def test_slurm_submits_nothing_where_the_end_would_be_a_refusal(row, tmp_path, capsys):
    pytest.importorskip("submitit")
    write(tmp_path, {**row, "key": "another/bench"})
    before = (tmp_path / RESULTS).read_bytes()
    words = ["bench", "smoke", "--methods", "rules", "--episodes", "2", "--cluster", "slurm:local", "--nodes", "2"]
    assert main([*words, "--no-plots", "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "line 1, another/bench by rules, would be lost" in said and "submitted" not in said
    assert [p.name for p in tmp_path.iterdir()] == [RESULTS] and (tmp_path / RESULTS).read_bytes() == before
