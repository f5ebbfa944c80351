"""Ray and Slurm: the same words, the same table."""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest

from coterie.bench.cluster import slurm
from coterie.bench.estimate import Cost
from coterie.bench.results import RESULTS, TABLE, dump, load, put_in_order
from coterie.cli import main
from coterie.cli.bench_cluster import Fleet
from tests.offline.sitecustomize import NOTES

HERE = Path(__file__).parent
WORDS = ["bench", "smoke", "--methods", "rules,random-legal", "--episodes", "4", "--no-plots"]


def rows(folder):
    return (folder / RESULTS).read_bytes()


@pytest.mark.long
def test_what_is_killed_or_stopped_on_ray_costs_only_what_was_not_finished(tmp_path):
    """A worker, a node, Ctrl-C; and no more requests than are allowed."""
    pytest.importorskip("ray", reason="Ray has no wheel for this Python")
    patient = {"RAY_raylet_start_wait_time_s": "150", "RAY_USAGE_STATS_ENABLED": "0"}
    env = {k: v for k, v in os.environ.items() if k != NOTES} | patient  # nodes have addresses of their own
    near = "/tmp" if os.access("/tmp", os.W_OK) else None  # sockets have short names
    for once in ("first", "second", "third"):  # Ray itself falls over now and then when a node dies under it
        words = [sys.executable, str(HERE / "faults.py"), str(tmp_path := tmp_path / once)]
        tmp_path.mkdir()
        with tempfile.TemporaryDirectory(prefix="ray", dir=near, ignore_cleanup_errors=True) as short:
            env["RAY_TMPDIR"] = short
            done = subprocess.run(words, capture_output=True, text=True, timeout=270, env=env, start_new_session=True)
        if done.returncode == 0 or "_raylet.so" not in done.stderr:
            break
    else:
        pytest.skip("Ray itself fell over three times: a check of its own failed when a node died under it")
    seen = [line for line in done.stderr.splitlines() if "_raylet.so" not in line]
    assert done.returncode == 0, "\n".join(seen)[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["victims"] == ["ray::_work", "a node"]
    assert (told["one"], told["killed"]) == (0, 0)
    assert timeless(tmp_path / "killed") == timeless(tmp_path / "one")
    assert rows(tmp_path / "killed") == rows(tmp_path / "one"), "in the same order"
    assert told["took_s"] > (told["asked"] - 1) / 20 * 0.4, "1200 a minute; requests may pile up on a busy machine"
    assert (told["stopped"], told["went_on"]) == (130, 0) and told["rows_when_stopped"] < 48
    assert (tmp_path / "stopped" / TABLE).read_bytes() == (tmp_path / "another" / TABLE).read_bytes()
    assert rows(tmp_path / "stopped") == rows(tmp_path / "another"), "after it was stopped, too"


def test_rows_are_put_into_the_order_of_one_process_and_others_stay(tmp_path):
    path = tmp_path / RESULTS
    mine = [{"key": f"e{i}", "method": "rules", "note": "\u00e9\u2028"} for i in range(4)]
    old = [{"key": "e1", "method": "rules", "note": "another model"}, {"key": "x", "method": "rules"}]
    came = [old[0], mine[2], mine[0], old[1], mine[3], mine[1]]
    path.write_text("".join(dump(row) + "\n" for row in came) + '{"half', encoding="utf-8", newline="\n")
    put_in_order(path, mine)
    assert load(path) == [*old, *mine] and path.read_bytes().endswith(b"}\n")
    again = path.read_bytes()
    put_in_order(path, mine)
    assert path.read_bytes() == again and [p.name for p in tmp_path.iterdir()] == [RESULTS]


def timeless(folder):
    """A table without the seconds that calls took."""
    text = (folder / TABLE).read_text(encoding="utf-8")
    before, _, after = text.partition("## Latency")
    return before + after.partition("\n## ")[2]


@pytest.mark.long
def test_slurm_s_way_plays_here_and_ends_in_the_same_table(tmp_path, capsys):
    pytest.importorskip("submitit")
    assert main([*WORDS, "--out", str(tmp_path / "one")]) == 0
    assert main([*WORDS, "--out", str(tmp_path / "two"), "--cluster", "slurm:local", "--nodes", "2"]) == 0
    assert "2 jobs submitted" in capsys.readouterr().err
    for name in (RESULTS, TABLE):
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()


def test_what_slurm_is_handed(tmp_path, monkeypatch):
    """There is no Slurm here: an `sbatch` that only takes the script in shows what a real one would get, and the jobs
    that submitit kept for it are played as its nodes would."""
    submitit = pytest.importorskip("submitit")
    for name, text in (("sbatch", f'cp "$1" {tmp_path}/taken.sh; echo Submitted batch job 7'), ("srun", "exit 1")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    out = tmp_path / "out"
    words = [*WORDS[1:], "--out", str(out)]
    jobs = slurm.submit(words, slurm.Asked(3, 2, "P", 90), out, local=False)
    assert [job.job_id for job in jobs] == ["7_0", "7_1", "7_2"]
    script = (tmp_path / "taken.sh").read_text()
    for line in ("--array=0-2%3", "--cpus-per-task=2", "--partition=P", "--time=90", "--job-name=coterie"):
        assert f"#SBATCH {line}\n" in script
    kept = [submitit.core.utils.DelayedSubmission.load(job.paths.submitted_pickle) for job in jobs]
    assert [one.function.command for one in kept] == [slurm.shard_command(words, n, 3) for n in (1, 2, 3)]
    assert main([*kept[1].function.command[3:]]) == 0 and (out / "shards" / "2-of-3" / RESULTS).is_file()


@pytest.mark.long
def test_a_shard_that_fails_is_told(tmp_path):
    submitit = pytest.importorskip("submitit")
    jobs = slurm.submit(["nothing-of-that-name"], slurm.Asked(1, 1), tmp_path, local=True)
    with pytest.raises(slurm.CoterieError, match=r"Shard 1/1 failed: .*nothing-of-that-name"):
        slurm.watch(jobs, lambda now: None)
    assert submitit


@pytest.mark.long
@pytest.mark.parametrize(
    ("whom", "number", "begun"),
    [("alone", "SIGINT", "SIG_DFL"), ("group", "SIGINT", "SIG_DFL"), ("group", "SIGTERM", "SIG_IGN")],
)
def test_ctrl_c_ends_the_shards_and_says_how_to_go_on(whom, number, begun, tmp_path):
    """A signal to the command alone, and to all of the terminal's group; SIGTERM where SIGINT is ignored, as by what
    a shell began in the background."""
    pytest.importorskip("submitit")
    words = ["bench", "dynahmrc-static", "--methods", "rules", "--no-plots", "--out", str(tmp_path)]
    words = [sys.executable, "-m", "coterie", *words, "--cluster", "slurm:local", "--nodes", "2"]
    heeds = partial(signal.signal, signal.SIGINT, getattr(signal, begun))
    command = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heeds)
    locks = [tmp_path / "shards" / f"{n}-of-2" / f".{RESULTS}.lock" for n in (1, 2)]
    try:
        until = time.monotonic() + 240
        while not all(path.is_file() for path in locks) and time.monotonic() < until:
            time.sleep(0.05)
        held = [json.loads(path.read_text())["pid"] for path in locks]
        (os.killpg if whom == "group" else os.kill)(command.pid, getattr(signal, number))
        _, said = command.communicate(timeout=240)
    finally:
        command.kill()
    assert command.returncode == 130 and "Traceback" not in said, said
    assert said.splitlines()[-1].endswith(
        "Stopped. " + f"What was finished is in {tmp_path}; the same command goes on from there."
    )
    for pid in held:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert not any(path.exists() for path in locks)


def test_a_dry_run_tells_machines_and_the_time_of_it_all(tmp_path, capsys, monkeypatch):
    def told(*words):
        assert main([*WORDS, "--dry-run", "--json", "--out", str(tmp_path), *words]) == 0
        return json.loads(capsys.readouterr().out)

    one, many = told("--jobs", "2"), told("--shard", "1/8", "--jobs", "4")
    assert (one["nodes"], one["cores"], many["nodes"], many["cores"]) == (1, 2, 8, 32)
    seconds = sum(cost["seconds"] for cost in many["estimate"].values())
    assert many["wall_s"] == pytest.approx(seconds / 32)
    cost = Cost("m", 10, 100, 600, 9000, 60.0, "")
    assert Fleet(2, 4).wall_s(cost) == 15.0 and Fleet(2, 4).wall_s(cost, per_minute=60) == 600.0
    if importlib.util.find_spec("submitit"):
        slurm_s = told("--cluster", "slurm", "--load", __file__.replace("test_engines", "__init__"))
        assert slurm_s["nodes"] == 1
    if importlib.util.find_spec("ray"):
        monkeypatch.setattr(os, "cpu_count", lambda: 6)
        assert told("--cluster", "ray")["cores"] == 6, "those that a cluster begun here would have"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--cluster", "moon"], "there are ray"),
        (["--nodes", "2"], "belong to --cluster slurm"),
        (["--cluster", "ray", "--shard", "1/2"], "do not go together"),
        (["elsewhere"], "join several suites with commas"),
    ],
)
def test_what_does_not_go_together_is_refused(words, sentence, tmp_path, capsys):
    assert main([*WORDS[:2], *words, "--out", str(tmp_path / "out")]) == 2
    assert sentence in capsys.readouterr().err


def test_no_secret_of_an_address_reaches_a_job_and_that_is_said(tmp_path, capsys, monkeypatch):
    def submit(words, *_):
        raise slurm.CoterieError(" ".join(words))

    monkeypatch.setattr(slurm, "submit", submit)
    asks = ["--episodes", "2", "--methods", "coherent", "--model", "openai:mind", "--cluster", "slurm:local", "--out"]
    words = [*WORDS[:2], *asks, str(tmp_path / "out"), "--base-url"]
    for address, told in (("http://somebody:hidden@127.0.0.1:9/v1", True), ("http://127.0.0.1:9/v1", False)):
        assert main([*words, address]) == 2
        err = capsys.readouterr().err
        assert "--base-url http://127.0.0.1:9/v1" in err and "hidden" not in err and "somebody" not in err
        assert ("password is left out" in err and "OPENAI_API_KEY" in err) == told


def test_an_address_where_nobody_answers_and_a_ray_that_does_not_start_are_told(tmp_path, capsys, monkeypatch):
    pytest.importorskip("ray", reason="Ray has no wheel for this Python")
    monkeypatch.setattr("ray.init", lambda **_: pytest.fail("Ray itself waits for minutes"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    words = [*WORDS, "--cluster", f"ray:127.0.0.1:{port}", "--out", str(tmp_path / "out")]
    for more in ([], ["--dry-run"]):
        assert main([*words, *more]) == 2
        said = capsys.readouterr().err
        assert f"Cannot reach the Ray cluster at 127.0.0.1:{port}: " in said and "refused" in said
        assert "ray start --head" in said
    assert not (tmp_path / "out").exists()

    def late(**_):
        raise Exception("The current node timed out during startup. This could happen\nbecause")  # as Ray has it

    monkeypatch.setattr("ray.init", late)
    assert main([*WORDS, "--cluster", "ray", "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "Cannot reach a Ray cluster here: The current node timed out during startup." in said


@pytest.mark.parametrize(("cluster", "extra"), [("ray", "coterie[ray]"), ("slurm", "coterie[slurm]")])
def test_without_the_extra_its_name_is_told(cluster, extra, tmp_path, capsys, monkeypatch):
    for name in ("ray", "submitit"):
        monkeypatch.setitem(sys.modules, name, None)
    out = tmp_path / "out"
    words = ["--cluster", cluster, *(["--nodes", "2"] if cluster == "slurm" else []), "--out", str(out)]
    for more in ([], ["--dry-run"]):
        assert main([*WORDS, *words, *more]) == 2
        assert extra in capsys.readouterr().err
    assert not out.exists(), "nothing is left behind"
