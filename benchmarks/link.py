"""What the link to real robots promises, measured: latency, stops, heartbeats, and coordinators that are killed.

    python benchmarks/link.py                                   all of it, some minutes
    python benchmarks/link.py --only latency --robots 1,4,16
    python benchmarks/link.py --only stop --trials 200
    python benchmarks/link.py --only flood --trials 200
    python benchmarks/link.py --only heartbeat --trials 20
    python benchmarks/link.py --only takeover --kills 100 --seed 0 [--mission]

Drivers, coordinators and buttons are processes of their own; their times are comparable, since the monotonic clock of
a machine is one. Stops and heartbeats are measured at the robot: from the word or the kill to the moment at which its
`halt` has come back. Load is as many busy processes as there are cores, besides robots that compute all the time.
Exits with 1 where a promise was not kept.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import platform
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

from coterie.bench.table import markdown
from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT
from coterie.core.event import Event
from coterie.link.fleet import Fleet
from coterie.link.folder import Folder
from coterie.link.lines import call
from coterie.link.robot import Job, Report, Robot, done
from coterie.link.stopping import Button, release, stop
from coterie.log.file import read_log

PYTHON = [sys.executable]
COTERIE = [*PYTHON, "-m", "coterie"]
ROS2_MS = {"least": 0.79, "mean": 1.13, "p95": 1.36, "most": 4.56}  # DynaHMRC, Table 15, over 100 samples
STOP_S, FLOOD_S, SILENT_S = 0.1, 0.5, 1.0  # promised


# -- the robot (this file is also what `coterie robot` is given) ------------------------------------------------------
class Clock(Robot):
    """Its actions tell what time it was; its halts go to a file."""

    def __init__(self, name: str):
        super().__init__(name)
        self.trace = open(os.environ["TRACE"], "a") if "TRACE" in os.environ else None  # noqa: SIM115
        self.moving = False

    def note(self, word: str) -> None:
        if self.trace is not None:
            self.trace.write(f"{time.monotonic_ns()} {self.name} {word}\n")
            self.trace.flush()

    def do(self, action: Action, job: Job) -> Report:
        begun = time.monotonic_ns()
        self.note(f"did {job.name}")
        seconds = float(os.environ.get("SECONDS", "0"))
        if (action.skill in ("move", "compute") or "MOVES" in os.environ) and not job.stopping:
            self.moving = True
            self.note("moves")
            seconds = 3600.0
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if job.stopping:
                return job.stopped()
            if action.skill == "compute":  # as if it planned a path in Python
                sum(i * i for i in range(2_000))
            else:
                job.wait(0.005)
        return done(f"{begun} {time.monotonic_ns()}")

    def halt(self) -> None:
        if self.moving:
            self.moving = False
            self.note("still")


make = Clock


# -- processes --------------------------------------------------------------------------------------------------------
class Driver:
    def __init__(self, home: Path, *names: str, seconds: float = 0.0):
        self.home, self.names, self.trace = home, names, home / "trace"
        env = {**os.environ, "COTERIE_ROBOTS": str(home / "robots"), "TRACE": str(self.trace), "SECONDS": str(seconds)}
        self.child = subprocess.Popen([*COTERIE, "robot", __file__, *names], env=env, stdout=subprocess.PIPE, text=True)
        assert self.child.stdout is not None and "ready" in self.child.stdout.readline()

    def words(self) -> list[tuple[int, str, str]]:
        lines = self.trace.read_text().split("\n")[:-1] if self.trace.is_file() else []
        return [(int(t), robot, word) for t, robot, word in (line.split(" ", 2) for line in lines)]

    def wait_for(self, word: str, seconds: float = 20.0) -> int:
        """Until that is the last word of every robot; when the last of them said it [ns]."""
        until = time.monotonic() + seconds
        while True:
            last = {robot: (at, w) for at, robot, w in self.words() if w in ("moves", "still")}
            if len(last) == len(self.names) and all(w == word for _, w in last.values()):
                return max(at for at, _ in last.values())
            if time.monotonic() > until:
                raise SystemExit(f"'{word}' was not heard of all within {seconds:g} s: {last}")
            time.sleep(0.002)

    def close(self) -> None:
        self.child.terminate()
        self.child.communicate(timeout=30)


@contextlib.contextmanager
def driver(*names: str, seconds: float = 0.0) -> Iterator[Driver]:
    with tempfile.TemporaryDirectory() as home:
        one = Driver(Path(home), *names, seconds=seconds)
        try:
            yield one
        finally:
            one.close()


@contextlib.contextmanager
def load() -> Iterator[None]:
    busy = [subprocess.Popen([*PYTHON, "-c", "while True: sum(range(10000))"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for child in busy:
            child.kill()
            child.wait()


def hold(folder: str, robots: Sequence[str], skill: str, run: str) -> None:
    """A coordinator: it lets robots move, again after every stop, and does nothing else."""
    fleet = Fleet(robots, folder)
    for far in fleet.far.values():
        far.begin(run)
    under: dict[str, Any] = {}
    for number in itertools.count(1):
        for name, far in fleet.far.items():
            if (name not in under or under[name].end is not None) and not far.standing(name).stopped:
                under[name] = far.start(name, Action(skill), float(number))
        time.sleep(0.02)


@contextlib.contextmanager
def coordinator(one: Driver, skill: str, run: str) -> Iterator[subprocess.Popen[bytes]]:
    words = [*PYTHON, __file__, "--hold", str(one.home / "robots"), ",".join(one.names), skill, run]
    child = subprocess.Popen(words)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


# -- figures ----------------------------------------------------------------------------------------------------------
def row(name: str, times_s: Sequence[float], unit: float = 1000.0) -> list[str]:
    at = sorted(t * unit for t in times_s)

    def share(p: float) -> float:
        return at[min(len(at) - 1, int(p * len(at)))]

    figures = (at[0], median(at), mean(at), share(0.95), share(0.99), at[-1])
    return [name, str(len(at)), *(f"{f:.2f}" for f in figures)]


HEAD = ["what [ms]", "n", "least", "median", "mean", "p95", "p99", "most"]


def latency(robots: Sequence[int], samples: int) -> list[list[str]]:
    rows = []
    for count in robots:
        names = [f"R{i}" for i in range(count)]
        with driver(*names) as one, Fleet(names, one.home / "robots") as fleet:
            folder = Folder(one.home / "robots")
            for far in fleet.far.values():
                far.begin("latency")
            line = call(folder.entry("R0").port, folder.key(), "R0", "The driver")
            trips = []
            for number in range(samples):
                begun = time.perf_counter()
                line.send({"do": "beat", "robot": "R0", "number": number, "holds": None})
                while (line.read(5.0) or {}).get("on") != "beat":
                    pass
                trips.append(time.perf_counter() - begun)
            line.forget()
            there, back = [], []
            for i in range(samples):
                name = names[i % count]
                begun = time.monotonic_ns()
                under = fleet.far[name].start(name, Action("tell"), float(i + 1))
                with under:
                    under.wait_for(lambda under=under: under.end is not None, 10.0)
                ended = time.monotonic_ns()
                assert under.end is not None and under.end.ok, under.end
                heard, said = (int(t) for t in under.end.reason.split())
                there.append((heard - begun) / 1e9)
                back.append((ended - said) / 1e9)
        who = f"{count} robot{'s' if count > 1 else ''}"
        rows.append(row(f"{who}: a beat and its answer", trips))
        rows.append(row(f"{who}: from the order to the robot (its note on disk included)", there))
        rows.append(row(f"{who}: from the robot's end to the coordinator (likewise)", back))
    figures = {"n": "100", "median": "", "p99": ""} | {k: f"{v:.2f}" for k, v in ROS2_MS.items()}
    rows.append(["ROS2 between robots, DynaHMRC's Table 15", *(figures[h] for h in HEAD[1:])])
    return rows


def stops(trials: int) -> tuple[list[list[str]], bool]:
    rows, worst = [], 0.0
    names = ("R0", "R1", "R2", "R3")
    ways: dict[str, tuple[Callable[[Path], object], int]] = {
        "stop()": (lambda robots: stop("bench", folder=robots), trials),
        "a button that is ready": (lambda robots: buttons[0].stop("bench"), trials),
        "`coterie stop`, from the start of its process": (_command, max(10, trials // 4)),
    }
    buttons: list[Button] = []
    for skill in ("move", "compute"):
        with driver(*names) as one, load():
            robots = one.home / "robots"
            buttons[:] = [Button(folder=robots)]
            with coordinator(one, skill, "stops") as child:
                for way, (go, count) in ways.items():
                    times, whole = [], []
                    for _ in range(count):
                        one.wait_for("moves")
                        child.send_signal(signal.SIGSTOP)  # it has nothing to do with it
                        time.sleep(random.uniform(0.0, 0.05))
                        begun = time.monotonic_ns()
                        go(robots)
                        whole.append((time.monotonic_ns() - begun) / 1e9)
                        times.append((one.wait_for("still") - begun) / 1e9)
                        release("bench", folder=robots)
                        child.send_signal(signal.SIGCONT)
                    what = "wait" if skill == "move" else "compute in Python"
                    rows.append(row(f"{way}; {len(names)} robots that {what}", times))
                    rows.append(row("the same, until all have answered that it is kept", whole))
                    worst = max(worst, max(times)) if "process" not in way else worst
            buttons[0].close()
    return rows, worst <= STOP_S


def floods(trials: int) -> tuple[list[list[str]], bool]:
    """`coterie stop` as a whole, while others on this machine send what is no stop to the ports for stops."""
    times: dict[str, list[float]] = {"quiet": [], "flooded": []}
    with driver("R0", "R1") as one:
        robots = one.home / "robots"
        ports = [Folder(robots).entry(name).stop_port for name in ("R0", "R1")]
        for what, some in times.items():
            senders = [subprocess.Popen([*PYTHON, __file__, "--flood", str(p)]) for p in ports if what == "flooded"]
            try:
                time.sleep(0.5)
                for _ in range(trials):
                    begun = time.monotonic_ns()
                    _command(robots)
                    some.append((time.monotonic_ns() - begun) / 1e9)
                    release("bench", folder=robots)
            finally:
                for child in senders:
                    child.kill()
                    child.wait()
    rows = [row(f"`coterie stop` as a whole, 2 robots, {what}", some) for what, some in times.items()]
    return rows, max(times["flooded"]) <= FLOOD_S


def flood(port: int) -> None:
    """As another user, where that can be."""
    with contextlib.suppress(OSError):
        os.setuid(65534)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        while True:
            for size in (1, 80, 400, 1400):
                sock.sendto(b"x" * size, ("127.0.0.1", port))


def _command(robots: Path) -> None:
    subprocess.run([*COTERIE, "stop", "--folder", str(robots)], stdout=subprocess.DEVNULL, check=True)


def heartbeats(trials: int) -> tuple[list[list[str]], bool]:
    rows, worst = [], 0.0
    for how, number in (("killed (SIGKILL)", signal.SIGKILL), ("frozen (SIGSTOP)", signal.SIGSTOP)):
        times = []
        with driver("R0", "R1") as one, load():
            for trial in range(trials):
                with coordinator(one, "move", f"{number}-{trial}") as child:
                    one.wait_for("moves")
                    time.sleep(random.uniform(0.1, 0.3))
                    begun = time.monotonic_ns()
                    child.send_signal(number)
                    times.append((one.wait_for("still") - begun) / 1e9)
        rows.append(row(f"coordinator {how}, to the halt", times))
        worst = max(worst, max(times))
    return rows, worst <= SILENT_S


# -- coordinators that are killed -------------------------------------------------------------------------------------
RUN = ["run", "pack-objects", "--async", "--level", "easy", "--drive", "Alice,Lucy", "--pace", "0"]
RUN += ["--log", "run.jsonl"]
MISSION = ["mission", "hospital", "--goal", "medkit at alpha", "--fault", "missing", "--drive", "Fetch,Temi,Spot"]


def takeovers(kills: int, seed: int, mission: bool = False) -> tuple[list[str], int, dict[str, int]]:
    """Kill coordinators at random moments, each with another one standing by; what is wrong in the end."""
    rng, wrong, left, runs = random.Random(seed), [], kills, 0
    ends: dict[str, int] = {}
    names = ("Fetch", "Temi", "Spot") if mission else ("Alice", "Lucy")
    begin = [*COTERIE, *MISSION, "--approve", "--log", "run.jsonl"] if mission else [*COTERIE, *RUN]
    words = [*begin[:4], "--standby", "run.jsonl", *(["--approve"] if mission else ["--pace", "0"])]
    while left > 0:
        with driver(*names, seconds=rng.choice((0.3, 1.2))) as one:  # shorter or longer than a silence may be
            at: dict[str, object] = {"cwd": one.home, "stdout": subprocess.DEVNULL}
            at["env"] = {**os.environ, "COTERIE_ROBOTS": str(one.home / "robots")}
            log = one.home / "run.jsonl"
            at["stderr"] = subprocess.DEVNULL
            now = subprocess.Popen([*begin, "--seed", str(rng.randrange(1000))], **at)  # type: ignore[call-overload]
            while not log.is_file() or b"driven" not in log.read_bytes():
                time.sleep(0.01)
            while left > 0:
                warm = rng.random() < 0.75  # else nobody stands by, and somebody comes later
                if warm:
                    following = subprocess.Popen(words, **{**at, "stdout": subprocess.PIPE}, text=True)  # type: ignore[call-overload]
                    if "Standing by" not in following.stdout.readline():  # the run has ended meanwhile
                        following.communicate()
                        break
                time.sleep(rng.uniform(0.0, 0.6))
                over = now.poll() is not None
                now.kill()
                now.communicate()
                left -= not over
                if not warm:
                    time.sleep(rng.uniform(0.0, 1.0))
                    following = subprocess.Popen(words, **at)  # type: ignore[call-overload]
                now = following
                if over:
                    break
            now.communicate()
            runs += 1
            found = check(log, one.home / "robots", one.words(), names)
            wrong += [f"run {runs}: {w}" for w in found]
            print(f"run {runs}: {kills - left} kills so far, {len(found)} complaints", file=sys.stderr)
            for name in names:
                for end in _notes(one.home / "robots" / f"{name}.actions.jsonl")[1].values():
                    word = end["status"] if end["cause"] is None else end["cause"]["~cause"]["clause"]
                    ends[word] = ends.get(word, 0) + 1
    return wrong, runs, ends


def _notes(path: Path, run: str = "") -> tuple[list[str], dict[str, dict]]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    begun = [r[2] for r in rows if r[0] == "began" and r[2].startswith(run)]
    return begun, {r[1]: r[2] for r in rows if r[0] == "ended"}


def _ends_of(events: Sequence[Event], name: str) -> dict[int, dict[str, Any] | None]:
    """The actions of a robot by their numbers, each with how it ended: by its driver's word, or called off."""
    acts: dict[int, dict[str, Any] | None] = {}
    for event in (e for e in events if e.who == name):
        if event.kind == "act":
            acts[len(acts) + 1] = None
        elif event.kind == "input" and event.data["kind"] == "ended":
            acts[max(acts)] = event.data
        elif event.kind == "outcome" and acts[max(acts)] is None:
            acts[max(acts)] = {"kind": "called off"}
    return acts


def check(
    log: Path, robots: Path, words: Sequence[tuple[int, str, str]], names: Sequence[str], run: str = ""
) -> list[str]:
    """Nothing was done twice, nothing that the log does not know, and ends in the log are those of the drivers."""
    events = read_log(log)
    wrong = [] if events[-1].kind == "end" else ["the log has no end"]
    for name in names:
        did = [w.removeprefix("did ") for _, robot, w in words if robot == name and w.startswith("did ")]
        begun, ends = _notes(robots / f"{name}.actions.jsonl", run)
        for what, some in (("done", did), ("begun", begun)):
            wrong += [f"{n} was {what} {some.count(n)} times" for n in sorted(set(some)) if some.count(n) > 1]
        acts = _ends_of(events, name)
        notes = {int(n.rpartition("/")[2]): ends.get(n) for n in begun}
        wrong += [f"{name} did {n}, which the log does not know" for n in notes if n not in acts]
        for number, data in list(acts.items())[:-1]:  # the last one may be under way when the goal is reached
            noted = notes.get(number)
            if data is None:
                wrong.append(f"{name}: {number} has no end in the log")
            elif data.get("cause", {}).get("clause") == LOST_CONTACT:
                continue  # perhaps it was never asked for
            elif data["kind"] == "ended" and (noted is None or noted["status"] != data["status"]):
                wrong.append(f"{name}: of {number} the log says {data['status']}, its driver {noted}")
    return wrong


def main() -> int:
    if sys.argv[1:2] == ["--hold"]:
        hold(sys.argv[2], sys.argv[3].split(","), sys.argv[4], sys.argv[5])
    if sys.argv[1:2] == ["--flood"]:
        flood(int(sys.argv[2]))
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--only", choices=("latency", "stop", "flood", "heartbeat", "takeover"))
    p.add_argument("--robots", default="1,4,16")
    p.add_argument("--samples", type=int, default=2000)
    p.add_argument("--trials", type=int)
    p.add_argument("--kills", type=int, default=100)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--mission", action="store_true", help="takeovers of a mission in the hospital, with three robots")
    args = p.parse_args()
    random.seed(args.seed)
    kept = True
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    if args.only in (None, "latency"):
        print("\n".join(markdown(HEAD, latency([int(n) for n in args.robots.split(",")], args.samples))))
    measures: dict[str, tuple[Callable[[int], tuple[list[list[str]], bool]], int, str]] = {
        "stop": (stops, 200, f"within {1000 * STOP_S:g} ms (but for the start of a process)"),
        "flood": (floods, 200, f"within {1000 * FLOOD_S:g} ms under a flood"),
        "heartbeat": (heartbeats, 20, f"within {SILENT_S:g} s without a coordinator"),
    }
    for name, (measure, trials, promise) in measures.items():
        if args.only in (None, name):
            rows, good = measure(args.trials or trials)
            print("\n".join(markdown(HEAD, rows)))
            print(f"\nStops {promise}: {'yes' if good else 'NO'}\n")
            kept &= good
    if args.only in (None, "takeover"):
        wrong, runs, ends = takeovers(args.kills, args.seed, args.mission)
        print(f"{args.kills} coordinators killed in {runs} runs; actions by their end: {ends}")
        print("\n".join(wrong) or "Nothing was lost, and nothing done twice.")
        kept &= not wrong
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
