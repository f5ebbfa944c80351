"""The real command line, in processes of its own: determinism, exit codes and resumption."""

import contextlib
import io
import json
import os
import random
import subprocess
import sys

from coterie.cli import main

COTERIE = [sys.executable, "-m", "coterie"]


def coterie(*words, cwd, hashseed="0", check=None):
    env = {**os.environ, "PYTHONHASHSEED": hashseed}
    done = subprocess.run([*COTERIE, *words], cwd=cwd, env=env, capture_output=True, text=True, timeout=600)
    if check is not None:
        assert done.returncode == check, done.stderr
    return done


def inside(*words, cwd, check=None):
    """The same without a process of its own, for what does not turn on one."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    done = subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())
    if check is not None:
        assert code == check, done.stderr
    return done


def test_same_seed_same_log_in_any_process(tmp_path):
    protocols = ["rules", "expert", "random-legal"]
    words = ["run", "make-sandwich", "--team", "Ma-MoMa-Mo-UAV", "--change", "irz@5:3", "--noise", "real"]
    words += ["--seed", "11", "--json"]
    code = "import sys; from coterie.cli import main\n"
    code += f"for p in {protocols}: main([*{words}, '--protocol', p, '--log', f'{{p}}-{{sys.argv[1]}}.jsonl'])"
    for hashseed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": hashseed}
        subprocess.run([sys.executable, "-c", code, hashseed], cwd=tmp_path, env=env, capture_output=True, timeout=600)
    for protocol in protocols:
        one, two = ((tmp_path / f"{protocol}-{n}.jsonl").read_bytes() for n in "12")
        assert one == two
        assert len(one) > 5000


def test_exit_codes(tmp_path):
    inside("run", "pack-objects", "--seed", "2", cwd=tmp_path, check=0)
    inside("run", "pack-objects", "--seed", "2", "--protocol", "random", cwd=tmp_path, check=1)
    coterie("run", "pack-objcts", cwd=tmp_path, check=2)  # the code of `main` is that of the process
    for words, hint in [
        (["run", "pack-objcts"], "Did you mean 'pack-objects'"),
        (["run", "pack-objects", "--team", "Ma-MoMo"], "No robot 'MoMo'"),
        (["run", "pack-objects", "--protocol", "rule"], "Did you mean 'rules'"),
        (["run", "pack-objects", "--scene", "flatt"], "Did you mean 'flat'"),
        (["run", "pack-objects", "--change", "cto@-1"], "cto@5"),
        (["run", "sort-cubes", "--team", "Ma-MoMa"], "leave out --team"),
        (["run", "sort-cubes", "--protocol", "rules"], "Those that can: task-expert"),
        (["run", "sort-cubes", "--memo", "memo:no-brain"], "No variant of the memo 'no-brain'"),
        (["bench", "dynahmrc-statik"], "Did you mean 'dynahmrc-static'"),
        (["replay", "nothing.jsonl"], "There is no log"),
        (["list", "robotts"], "robots"),
    ]:
        done = inside(*words, cwd=tmp_path, check=2)
        assert hint in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_a_run_cut_anywhere_ends_the_same(tmp_path):
    words = ["run", "pack-objects", "--seed", "5", "--change", "rec@5:MoMa", "--log", "whole.jsonl", "--json"]
    score = json.loads(inside(*words, cwd=tmp_path, check=0).stdout)
    whole = (tmp_path / "whole.jsonl").read_bytes()
    first = whole.index(b"\n") + 1
    rng = random.Random(1)
    for number, cut in enumerate([first, *(rng.randrange(first, len(whole)) for _ in range(4))]):
        (tmp_path / "cut.jsonl").write_bytes(whole[:cut])
        resumed = inside if number else coterie
        again = json.loads(resumed("run", "--resume", "cut.jsonl", "--json", cwd=tmp_path, check=0).stdout)
        assert (tmp_path / "cut.jsonl").read_bytes() == whole
        assert {k: again[k] for k in ("success", "ts", "as", "cc")} == {
            k: score[k] for k in ("success", "ts", "as", "cc")
        }


def test_logs_do_not_depend_on_what_was_played_before():
    """Paths are cached between episodes; found from either end, they must have one length."""
    code = (
        "import sys, hashlib\n"
        "from coterie.episode.play import Config, play\n"
        "order = list(range(12)) if sys.argv[1] == 'fwd' else list(range(12))[::-1]\n"
        "made = [Config(seed=s, team='Ma-MoMa-Mo-UAV', changes=('cto@5',)) for s in range(12)]\n"
        "logs = {s: '\\n'.join(play(made[s]).log.lines()) for s in order}\n"
        "print([hashlib.md5(logs[s].encode()).hexdigest() for s in range(12)])"
    )
    run = [sys.executable, "-c", code]
    out = [subprocess.run([*run, way], capture_output=True, text=True).stdout for way in ("fwd", "rev")]
    assert out[0] == out[1]
    assert len(out[0]) > 100
