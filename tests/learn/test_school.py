"""School without a network: it begins with what there is, ends with a sentence, and loses nothing on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from coterie.bench.cluster.slurm import sigint_blocked
from coterie.cli.app import main
from coterie.cli.learn import Examined
from coterie.core.errors import CoterieError
from coterie.learn import crew
from coterie.learn.demos import played
from coterie.learn.dev import Keeping, Score, Which, play
from coterie.learn.gathering import Wish
from coterie.learn.samples import card_of, read, write
from coterie.learn.school import School, Terms
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
    """A training that counts its batches; its state is their number."""

    recipe = SimpleNamespace(length=8192, rows=2)

    def __init__(self, pause_s=0.01):
        self.batches, self.pause_s = 0, pause_s

    def follow(self, batch, seconds, tell):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert batch(self.batches).ids.shape == (2, 8192)
            self.batches += 1
            time.sleep(self.pause_s)

    def save(self, path):
        with path.open("wb") as file:
            np.savez(file, batches=self.batches)


def serve_oracle(base, pupil, socket):
    from coterie.models.shared import Sharing

    Sharing(Oracle(), socket).serve()


def lacks_something(base, pupil, socket):
    raise Missing("Training needs the package llguidance: pip install 'coterie[learn]'.")


def is_killed(base, pupil, socket):
    os.kill(os.getpid(), signal.SIGKILL)


def examine(base, which, line):
    """Later states win less."""
    for won in (5, *[1] * 99):
        state = line.recv()
        assert state.exists()
        line.send(Score(won, which.episodes, 9.0))


def school(folder, wish=WISH, serve=serve_oracle, dev=None, examine=examine, **terms):
    folder.mkdir(exist_ok=True)
    how = Terms(**{"seconds": 1.0, "first": 0.0, "every": 0.2, "jobs": 1, "at_once": 2, **terms})
    return School(folder, wish, how, Counting(), Letters(), None, dev, serve=serve, examine=examine)


def test_it_begins_with_what_there_is_and_takes_all_of_it_in(tmp_path):
    """Three demonstrations are far fewer than it would like; the pupil plays, and is examined on the side."""
    rows = []
    one = school(tmp_path / "s", dev=Which(5), dev_every=0.3, seconds=4.0)
    one.run(rows.append)
    curve = [json.loads(line) for line in (tmp_path / "s" / "curve.jsonl").read_text().splitlines()]
    assert curve == rows and one.tuning.batches > 20
    for kind, seed in (("demonstrations", 3), ("corrections", 4)):
        path = tmp_path / "s" / f"{kind}.jsonl"
        card = json.loads(card_of(path).read_text())
        assert rows[-1][kind]["samples"] == len(list(read(path))) == card["samples"] > 20
        assert card["seed"] == seed and card["made by"] == "coterie learn school" and card["rare"]
    assert rows[-1]["demonstrations"]["episodes"] >= 2
    exams = [r for r in rows if "dev_won" in r]
    assert len(exams) > 1 and [r["kept"] for r in exams] == [r["dev_won"] == 5 for r in exams]
    best, last = (int(np.load(p)["batches"]) for p in (one.best, one.pupil))
    assert 0 < best < last == one.tuning.batches
    assert not any(p.is_alive() for p in one._workers.values()) and not one._collecting.is_alive()


@pytest.mark.parametrize(
    "serve, why", [(lacks_something, "answers for the pupil.*package llguidance: pip install"), (is_killed, "signal 9")]
)
def test_the_death_of_who_answers_for_the_pupil_ends_it(tmp_path, serve, why):
    one = school(tmp_path / "s", serve=serve, seconds=60.0, jobs=1)
    begun = time.monotonic()
    with pytest.raises(CoterieError, match=why):
        one.run(lambda row: None)
    assert time.monotonic() - begun < 45 and not one._collecting.is_alive()


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
        f"@lessons.add(name='mine')\ndef mine(seed, count, protocol, split):\n    {body}\n"
    )
    one = school(tmp_path / "s", WISH._replace(lessons="mine", load=(str(mine),)), first=9.0)
    with pytest.raises(CoterieError, match=why):
        one.run(lambda row: None)


SCRIPT = """
import signal, sys
from pathlib import Path
from tests.learn.test_school import school
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background ignore it
    one = school(Path(sys.argv[1]), seconds=60.0)
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
    assert child.stdout.readline() == "row\n"
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to all of them
    out, err = child.communicate(timeout=60)
    assert out.endswith("Stopped.\n") and not err, err
    assert (tmp_path / "s" / "pupil.npz").exists() and card_of(tmp_path / "s" / "demonstrations.jsonl").exists()


def test_ctrl_c_is_not_lost_while_processes_start():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        with sigint_blocked():
            os.kill(os.getpid(), signal.SIGINT)
            child = subprocess.Popen([sys.executable, "-c", "print('up', flush=True); input(); print('unharmed')"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # fmt: skip
            assert not heard
        assert heard
        assert child.stdout.readline() == "up\n"
        child.send_signal(signal.SIGINT)
        assert child.communicate("\n", timeout=60)[0] == "unharmed\n"
    finally:
        signal.signal(signal.SIGINT, before)


# -- going on ---------------------------------------------------------------------------------------------------------
def examine_worse(base, which, line):
    """The first that is played wins most."""
    for won in (7, *[6] * 99):
        assert line.recv().exists()
        line.send(Score(won, which.episodes, 9.0))


def test_going_on_learns_from_what_is_there_draws_other_episodes_and_keeps_the_best(tmp_path):
    folder, before = tmp_path / "s", {}
    for n, kind in enumerate(crew.KINDS):
        shown = played(islice(crew.drawn(WISH, 0, 1, n), 3), Oracle(), rename=0.0)
        before[kind] = [s for one in shown for s in one.samples]
        write(folder / f"{kind}.jsonl", before[kind], {"seed": WISH.seed + n})
    with (folder / "demonstrations.jsonl").open("a") as file:
        file.write('{"messages": [{"role"')  # as somebody who was killed leaves it
    (folder / "best.npz").write_bytes(b"the best")
    rows = []
    one = school(folder, dev=Which(5), dev_every=0.3, seconds=2.0, examine=examine_worse)
    assert one.wish.seed == WISH.seed + 2
    one.run(rows.append)
    assert rows[0]["state"] == "taken up" and rows[0]["seed"] == 5
    for n, kind in enumerate(crew.KINDS):
        now = list(read(folder / f"{kind}.jsonl"))
        card = json.loads(card_of(folder / f"{kind}.jsonl").read_text())
        assert rows[0][kind] == len(before[kind]) and card["seeds"] == [3 + n, 5 + n]
        assert now[: len(before[kind])] == before[kind] and len(now) == card["samples"] >= len(before[kind]) > 5
        assert not {s.prompt for s in before[kind]} & {s.prompt for s in now[len(before[kind]) :]}
    assert rows[-1]["demonstrations"]["episodes"] >= 2
    assert len(one.pool) == sum(len(list(read(folder / f"{kind}.jsonl"))) for kind in crew.KINDS)
    exams = [r for r in rows if "dev_won" in r]
    assert exams[0] == {**exams[0], "state": "best before", "dev_won": 7} and len(exams) > 1
    assert not any(r["kept"] for r in exams[1:]) and one.best.read_bytes() == b"the best"
    assert school(folder, WISH._replace(seed=4)).wish.seed == 8 and school(folder, WISH._replace(seed=1)).wish.seed == 1


def test_a_used_folder_is_refused_unless_one_goes_on(tmp_path, capsys):
    (tmp_path / "curve.jsonl").write_text("{}\n")
    assert main(["learn", "school", str(tmp_path)]) == 2
    assert f"holds a school already: go on with --from {tmp_path / 'pupil.npz'}" in capsys.readouterr().err


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
    args = SimpleNamespace(out=tmp_path / "t.npz", start=None, dev_episodes=3, lessons="own-dev", load=[str(mine)])
    assert [c.scene for c in Examined(args, None, print, "dynahmrc").configs] == ["house:9"]


# -- dev houses -------------------------------------------------------------------------------------------------------
def test_dev_episodes_are_played_in_dev_houses_and_the_teacher_wins_them():
    configs = Which(3).configs()
    assert all(int(c.scene.removeprefix("house:")) % 2 == c.seed % 2 == 1 for c in configs)
    ended = list(play(configs, Oracle(), 2))
    score = Score.over(ended)
    assert score.won == score.of == len(ended) >= 2 and all(e.calls > 5 and e.steps > 3 for e in ended)
    with pytest.raises(CoterieError, match="No dev episode"):
        Score.over([])


def test_the_best_by_played_success_is_kept_and_of_equals_the_last(tmp_path):
    rows, state = [], tmp_path / "now.npz"
    keeping = Keeping(tmp_path / "best.npz", rows.append)
    for number, won in enumerate((2, 7, 7, 6)):
        state.write_text(str(number))
        keeping.take(state, Score(won, 9, 12.5), step=number)
    assert keeping.best.read_text() == "2" and [r["kept"] for r in rows] == [True, True, True, False]
    assert rows[1] == {"step": 1, "dev_won": 7, "dev_of": 9, "dev_steps": 12.5, "kept": True}


def test_what_a_process_draws_is_every_so_many_of_all():
    every = list(crew.drawn(WISH, 0, 1, crew.DEMONSTRATING))
    assert [c for n in range(2) for c in crew.drawn(WISH, n, 2, crew.DEMONSTRATING)] == [*every[::2], *every[1::2]]
    assert next(crew.drawn(WISH, 0, 1, crew.CORRECTING)) not in every
