"""The real command line, in processes of its own: determinism, exit codes and resumption."""

import contextlib
import io
import os
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


def test_exit_codes(tmp_path):
    """In other words for the rest: tests/cli. The code of `main` is that of the process."""
    coterie("run", "pack-objcts", cwd=tmp_path, check=2)
    for words, hint in [
        (["run", "sort-cubes", "--team", "Ma-MoMa"], "leave out --team"),
        (["run", "sort-cubes", "--protocol", "rules"], "Those that can: task-expert"),
        (["run", "sort-cubes", "--memo", "memo:no-brain"], "No variant of the memo 'no-brain'"),
        (["bench", "dynahmrc-statik"], "Did you mean 'dynahmrc-static'"),
    ]:
        done = inside(*words, cwd=tmp_path, check=2)
        assert hint in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
