"""School without a network: demonstrations, training and corrections in turns, and nothing is lost on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from coterie.cli.app import main
from coterie.cli.learn import which
from coterie.core.errors import CoterieError
from coterie.learn.dev import Exam, Score, Which, play
from coterie.learn.gathering import Wish, gather_into
from coterie.learn.samples import Sample, card_of, read, write
from coterie.learn.school import School, Terms, check_free, first_seed
from coterie.learn.weights import Missing
from coterie.protocols.dynahmrc.oracle import Oracle

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
WISH = Wish(seed=3, episodes=3, rename=0.0)


class Letters:
    """Words that are letters."""

    def many(self, texts):
        return [[ord(c) % 200 for c in t] for t in texts]


class Counting:
    """A training that counts its batches; its state is their number. Pauses are no time of training."""

    recipe = SimpleNamespace(length=8192, rows=2)

    def __init__(self):
        self.batches = 0

    def follow(self, batch, seconds, tell, between):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert batch(self.batches).ids.shape == (2, 8192)
            self.batches += 1
            time.sleep(0.01)
            paused = time.monotonic()
            between(self.batches)
            until += time.monotonic() - paused

    def save(self, path):
        with path.open("wb") as file:
            np.savez(file, batches=self.batches)


class Fails(Oracle):
    def answer(self, asks):
        raise Missing("Training needs the package llguidance: pip install 'coterie[learn]'.")


def school(folder, wish=WISH, speaks=Oracle, dev=None, best=None, **terms):
    folder.mkdir(exist_ok=True)
    how = Terms(**{"seconds": 1.5, "first": 0.3, "every": 0.6, "corrections": 2, "jobs": 1, "at_once": 2, **terms})
    return School(folder, wish, how, Counting(), Letters(), speaks, dev, best)


def test_the_pupil_plays_in_rounds_and_is_examined(tmp_path, monkeypatch):
    won = iter((5, *[1] * 99))
    monkeypatch.setattr(Score, "over", lambda ended: Score(next(won), len(list(ended)), 9.0))
    rows = []
    one = school(tmp_path / "s", dev=Which(1), dev_every=0.5)
    one.run(rows.append)
    curve = [json.loads(line) for line in (tmp_path / "s" / "curve.jsonl").read_text().splitlines()]
    assert curve == rows and one.tuning.batches > 20
    rounds = [r for r in rows if "samples" in r]
    assert [r["state"] for r in rounds][:3] == ["demonstrations", "corrections-1", "corrections-2"]
    for number, row in enumerate(rounds):
        path = tmp_path / "s" / f"{row['state']}.jsonl"
        card = json.loads(card_of(path).read_text())
        assert row["samples"] == len(list(read(path))) == card["samples"] > 20 and row["episodes"] >= 1
        assert card["seed"] == 3 + number and card["made by"] == "coterie learn school" and card["rare"]
    assert len(one.pool) == sum(r["samples"] for r in rounds)
    exams = [r for r in rows if "dev_won" in r]
    assert len(exams) > 1 and [r["kept"] for r in exams] == [True, *[False] * (len(exams) - 1)]
    best, last = (int(np.load(p)["batches"]) for p in (one.best, one.pupil))
    assert 0 < best < last == one.tuning.batches


def test_a_pupil_that_cannot_answer_ends_it_and_what_was_learnt_stays(tmp_path):
    one = school(tmp_path / "s", speaks=Fails)
    with pytest.raises(CoterieError, match="package llguidance: pip install"):
        one.run(lambda row: None)
    assert one.pupil.exists() and not (tmp_path / "s" / "corrections-1.jsonl").exists()


@pytest.mark.parametrize(
    "body, why",
    [
        ("yield Config('pack-objects', 'Ma-MoMa', seed=100_000)", "seed 100000, which is kept for test"),
        ("yield from ()", "nothing to learn"),
    ],
)
def test_lessons_of_ones_own_that_fail_end_it(tmp_path, body, why):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from coterie import Config\nfrom coterie.bench.spec import lessons\n"
        f"@lessons.add(name='mine{len(body)}')\ndef mine(seed, count, protocol, split):\n    {body}\n"
    )
    with pytest.raises(CoterieError, match=why):
        school(tmp_path / "s", WISH._replace(lessons=f"mine{len(body)}", load=(str(mine),))).run(lambda row: None)


SCRIPT = """
import signal, sys
from pathlib import Path
from tests.learn.test_school import school
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background ignore it
    one = school(Path(sys.argv[1]), seconds=60.0, jobs=2)
    try:
        one.run(lambda row: print("row", flush=True))
    except KeyboardInterrupt:
        print("Stopped.")
"""


def test_ctrl_c_ends_all_of_it_in_silence(tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "go.py").write_text(SCRIPT)
    child = subprocess.Popen(
        [sys.executable, str(tmp_path / "go.py"), str(tmp_path / "s")], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
    )  # fmt: skip
    rows = [child.stdout.readline() for _ in range(2)]  # of the demonstrations, and of the training
    assert rows == ["row\n"] * 2
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to all of them
    out, err = child.communicate(timeout=60)
    assert out.endswith("Stopped.\n") and not err, err
    assert (tmp_path / "s" / "pupil.npz").exists() and card_of(tmp_path / "s" / "demonstrations.jsonl").exists()


def test_going_on_learns_from_what_is_there_and_keeps_the_best(tmp_path, monkeypatch):
    folder = tmp_path / "s"
    school(folder).run(lambda row: None)
    before = {p.stem: len(list(read(p))) for p in folder.glob("*.jsonl") if p.stem != "curve"}
    (folder / "best.npz").write_bytes(b"the best")
    won = iter((7, *[6] * 99))
    monkeypatch.setattr(Score, "over", lambda ended: Score(next(won), len(list(ended)), 9.0))
    rows = []
    one = school(folder, WISH._replace(seed=99), dev=Which(1), best=lambda path: Oracle(), first=0.0, dev_every=0.5)
    one.run(rows.append)
    taken = [row for row in rows if row.get("state") == "taken up"]
    assert {row["file"]: row["samples"] for row in taken} == before
    new = f"corrections-{len(before)}"
    assert json.loads(card_of(folder / f"{new}.jsonl").read_text())["seed"] == 3 + len(before)
    exams = [r for r in rows if "dev_won" in r]
    assert exams[0] == {**exams[0], "state": "best before", "dev_won": 7} and len(exams) > 1
    assert not any(r["kept"] for r in exams[1:]) and one.best.read_bytes() == b"the best"
    assert first_seed(folder, 4) == 3 and first_seed(tmp_path, 4) == 4


def test_a_used_folder_is_refused_unless_one_goes_on(tmp_path, capsys):
    (tmp_path / "curve.jsonl").write_text("{}\n")
    assert main(["learn", "school", str(tmp_path)]) == 2
    assert "holds a school already: name another folder." in capsys.readouterr().err
    (tmp_path / "pupil.npz").write_bytes(b"trained")
    assert main(["learn", "school", str(tmp_path)]) == 2
    assert f"holds a school already: go on with --from {tmp_path / 'pupil.npz'}, or name" in capsys.readouterr().err


def test_demonstrations_of_others_are_what_a_school_begins_with(tmp_path):
    folder, rows = tmp_path / "s", []
    one = school(folder, first=9.0)
    gather_into(folder / "demonstrations-a.jsonl", WISH)
    check_free(folder)
    one.run(rows.append)
    assert [row.get("file", row["state"]) for row in rows] == ["demonstrations-a"]


# -- what is asked for ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "words, why",
    [
        ("school s --seconds 0", "0 is not a number of seconds above zero"),
        ("school s --every -1", "-1 is not a number of seconds above zero"),
        ("school s --first -1", "-1 is not a number of seconds from zero on"),
        ("school s --dev-every -5", "-5 is not a number of seconds from zero on"),
        ("train d.jsonl --out t.npz --passes 0", "0 is not a number above zero"),
        ("train d.jsonl --out t.npz --seconds nan", "nan is not a number of seconds above zero"),
        ("train d.jsonl --out t.npz --dev-every -1", "-1 is not a number from 0 on"),
    ],
)
def test_what_would_never_end_is_refused(words, why, capsys):
    assert main(["learn", *words.split()]) == 2
    assert why in capsys.readouterr().err


def test_what_cannot_begin_leaves_nothing(tmp_path, capsys, monkeypatch):
    assert main(["learn", "demos", str(tmp_path / "d.jsonl"), "--lessons", "nope"]) == 2
    assert "nope" in capsys.readouterr().err

    def lacks(module):
        raise Missing(f"Training needs the package {module}.")

    monkeypatch.setattr("coterie.learn.weights.needed", lacks)
    assert main(["learn", "school", str(tmp_path / "s")]) == 2
    assert "Training needs the package llguidance." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_training_plays_the_dev_episodes_of_its_own_lessons(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from coterie import Config\nfrom coterie.bench.spec import lessons\n"
        "@lessons.add(name='own-dev')\ndef own(seed, count, protocol, split):\n"
        "    yield Config('sort-solids', 'Ma-MoMa', seed=7, scene='house:9', protocol=protocol)\n"
    )
    some = which(SimpleNamespace(dev_episodes=3, load=[str(mine)]), "own-dev", "dynahmrc")
    assert [c.scene for c in Exam(some, None, Oracle, tmp_path / "t.npz", print).configs] == ["house:9"]


# -- dev houses -------------------------------------------------------------------------------------------------------
def test_dev_episodes_are_played_in_dev_houses_and_the_teacher_wins_them():
    configs = Which(3).configs()
    assert all(int(c.scene.removeprefix("house:")) % 2 == c.seed % 2 == 1 for c in configs)
    ended = list(play(configs, Oracle(), 2))
    score = Score.over(ended)
    assert score.won == score.of == len(ended) >= 2 and all(e.calls > 5 and e.steps > 3 for e in ended)
    with pytest.raises(CoterieError, match="No dev episode"):
        Score.over([])


def test_the_best_by_played_success_is_kept_and_of_equals_the_last(tmp_path, monkeypatch):
    rows, tuning = [], Counting()
    exam = Exam(Which(0), tuning, Oracle, tmp_path / "best.npz", rows.append)
    for number, won in enumerate((2, 7, 7, 6)):
        tuning.batches = number
        monkeypatch.setattr(Score, "over", lambda ended, won=won: Score(won, 9, 12.5))
        exam.play(step=number)
    assert int(np.load(exam.best)["batches"]) == 2 and [r["kept"] for r in rows] == [True, True, True, False]
    assert rows[1] == {"step": 1, "dev_won": 7, "dev_of": 9, "dev_steps": 12.5, "kept": True}


def test_what_comes_into_the_folder_meanwhile_is_learnt_too(tmp_path):
    folder = tmp_path / "s"
    rows = []

    def tell(row):
        rows.append(row)
        if row.get("state") == "corrections-1":
            for end in (".jsonl", ".card.json"):  # as another file
                (folder / f"demonstrations{end}").rename(folder / f"demonstrations-more{end}")

    one = school(folder, every=0.3, seconds=4.0)
    one.run(tell)
    assert [row for row in rows if row.get("state") == "taken up" and row["file"] == "demonstrations-more"]


def test_a_file_that_comes_later_is_read_once_its_card_is_there(tmp_path, monkeypatch):
    """Also where nothing was written to it for long."""
    monkeypatch.setattr("coterie.learn.school.LOOK_S", 0.1)
    folder = tmp_path / "s"
    gather_into(tmp_path / "one.jsonl", WISH._replace(seed=9))
    whole = (tmp_path / "one.jsonl").read_text()
    rows = []

    def tell(row):
        rows.append(row)
        late = folder / "demonstrations-late.jsonl"
        if row.get("state") == "corrections-1":
            late.write_text(whole[:-9])
            os.utime(late, (0, 0))
        elif row.get("state") == "corrections-2":
            late.write_text(whole)
            card_of(late).write_text("{}")

    school(folder, every=0.6, seconds=2.5).run(tell)
    (late,) = [row for row in rows if row.get("state") == "taken up" and row["file"] == "demonstrations-late"]
    assert late["samples"] == len(whole.splitlines())


def test_a_file_without_a_card_is_read_where_it_was_there_at_the_start(tmp_path):
    folder, rows = tmp_path / "s", []
    one = school(folder, first=9.0)
    path = folder / "demonstrations.jsonl"
    gather_into(path, WISH)
    card_of(path).unlink()
    os.utime(path, (0, 0))
    one.run(rows.append)
    assert rows[0]["file"] == "demonstrations" and rows[0]["samples"] > 20


def test_a_file_that_cannot_be_read_is_told_even_after_the_last_step(tmp_path):
    folder = tmp_path / "s"
    one = school(folder, first=9.0, seconds=0.2)
    follow = one.tuning.follow

    def followed(*args, **more):
        follow(*args, **more)
        late = folder / "demonstrations-late.jsonl"
        late.write_text("no sample\n")
        card_of(late).write_text("{}")
        until = time.monotonic() + 20
        while one._failure is None and time.monotonic() < until:
            time.sleep(0.05)

    one.tuning.follow = followed
    with pytest.raises(CoterieError, match=r"Line 1 of .*late.jsonl' is no sample"):
        one.run(lambda row: None)
    assert one.pupil.exists()


def test_a_training_that_is_over_does_not_wait_for_a_large_file(tmp_path, monkeypatch):
    monkeypatch.setattr("coterie.learn.school.AT_ONCE", 1)
    monkeypatch.setattr("coterie.learn.school.LOOK_S", 0.1)
    folder = tmp_path / "s"
    one = school(folder, first=9.0, seconds=1.0)
    write(folder / "demonstrations-a.jsonl", [Sample("SD", (("user", "u"),), "r")], {})
    large = Sample("SD", (("user", "large"),), "r")
    write(folder / "demonstrations-b.jsonl", [large] * 300, {})
    many = one.tokens.many

    def slowly(texts):
        time.sleep(0.1 * any("large" in text for text in texts))
        return many(texts)

    monkeypatch.setattr(one.tokens, "many", slowly)
    begun = time.monotonic()
    one.run(lambda row: None)
    assert time.monotonic() - begun < 15 and 1 < len(one.pool) < 300


@pytest.mark.parametrize("length, known", [(300, {"samples": 0, "too_long": 2}), (9999, {"samples": 2})])
def test_samples_that_fit_into_no_row_are_counted_apart(tmp_path, length, known):
    one = school(tmp_path / "s")
    one.tuning.recipe = SimpleNamespace(length=length, rows=2)
    write(tmp_path / "x.jsonl", [Sample("SD", (("system", "s" * 500), ("user", u)), "r") for u in "ab"], {})
    assert one._take_in(tmp_path / "x.jsonl") == known


def test_samples_of_which_none_fits_into_a_row_are_told(tmp_path):
    one, rows = school(tmp_path / "s"), []
    one.tuning.recipe = SimpleNamespace(length=300, rows=2)
    write(tmp_path / "s" / "demonstrations.jsonl", [Sample("SD", (("user", "u" * 500),), "r")] * 2, {})
    with pytest.raises(
        CoterieError, match="nothing to learn: 2 samples are longer than a row of 300 tokens, see --row"
    ):
        one.run(rows.append)
    assert rows[0]["too_long"] == 2


def test_whatever_goes_wrong_with_a_file_ends_the_training(tmp_path):
    one = school(tmp_path / "s")
    one.tokens = SimpleNamespace(many=None)
    gather_into(tmp_path / "s" / "demonstrations.jsonl", WISH)
    with pytest.raises(TypeError):
        one.run(lambda row: None)
