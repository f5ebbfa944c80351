"""Memos that know something from the beginning."""

import json
from pathlib import Path

import pytest

from coterie.bench.playing import Job
from coterie.bench.streams import GIVEN, fill, given_by, memo_name, recall_only
from coterie.cli import main
from coterie.cli.out import WRONG_USE
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.memo import Memo, Store
from tests.memo.made import pack, pack_plan


@pytest.fixture
def given(tmp_path: Path) -> Path:
    with Store(tmp_path / "given.sqlite") as store:
        for n, x in enumerate((-0.5, -0.3)):
            case = pack(apple=(x, 0.4, 0.3))
            store.put(case, pack_plan(case), f"episode {n}", {"calls": 3})
    return tmp_path / "given.sqlite"


def test_tasks_of_one_memo_are_found_in_another(given, tmp_path):
    fill(tmp_path / "new.sqlite", given)
    fill(tmp_path / "new.sqlite", given)  # twice makes no difference
    with Memo(tmp_path / "new.sqlite") as memo:
        assert memo.store.tasks() == [("pack-grocery", 2, 0)]
        found = memo.lookup(pack(apple=(-0.49, 0.4, 0.3))).match
        assert found is not None and found.episode == f"{GIVEN}episode 0"
        assert memo.store.cost(found.episode) == {"calls": 3}


def test_a_stream_that_goes_on_keeps_what_it_was_given_and_no_strangers(given, tmp_path):
    file = tmp_path / "new.sqlite"
    fill(file, given)
    with Store(file) as store:
        case = pack(apple=(-0.6, 0.4, 0.3))
        store.put(case, pack_plan(case), "left by a killed run")
    recall_only([], [Job("k", "m", Config(task="pack-grocery"), {}, memo=str(file))])
    with Store(file) as store:
        assert store.episodes() == {f"{GIVEN}episode 0", f"{GIVEN}episode 1"}


def test_other_tasks_make_another_file(given):
    config = Config(task="pack-grocery")
    assert memo_name("roco+memo", config, given_by(given)) != memo_name("roco+memo", config)
    assert given_by(None) == ""


def test_a_memo_that_is_not_there_or_empty_is_named(tmp_path):
    with pytest.raises(CoterieError, match="there is no such file"):
        given_by(tmp_path / "none.sqlite")
    Store(tmp_path / "empty.sqlite").close()
    with pytest.raises(CoterieError, match="holds nothing yet"):
        given_by(tmp_path / "empty.sqlite")


@pytest.mark.long
def test_a_bench_plays_with_what_it_was_given(tmp_path):
    """A task like one that another run has solved is done as that was; without the file it is not."""
    pytest.importorskip("mujoco")
    memo = tmp_path / "solved.sqlite"
    play(Config(task="sweep-floor", protocol="task-expert", level="mecobench", seed=3, memo="memo"), memo=memo)
    words = "bench sweep-floor:mecobench --methods task-expert+memo --episodes 1 --seed 4 --json"
    hits = []
    for given in ([], ["--memo-from", str(memo)]):
        out = tmp_path / f"out{len(hits)}"
        assert main([*words.split(), *given, "--out", str(out)]) == 0
        (row,) = (out / "results.jsonl").read_text(encoding="utf-8").splitlines()
        hits.append(json.loads(row)["memo_hits"])
    assert hits == [0, 1]


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_memo_that_no_method_uses_is_refused_at_once(given, capsys, more):
    words = ["bench", "meco-smoke", "--methods", "task-expert", "--memo-from", str(given), *more]
    assert main(words) == WRONG_USE
    assert "none of these methods uses it; write task-expert+memo" in capsys.readouterr().err
