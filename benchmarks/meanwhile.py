"""What goes on while a plan is sought: words are answered, and a stop reaches robots, measured in the middle of it.

    python benchmarks/meanwhile.py                       # both, plans sought in a process of their own
    python benchmarks/meanwhile.py --here                # the same with plans sought in the mission's own process
    python benchmarks/meanwhile.py --only words --rounds 5
    python benchmarks/meanwhile.py --only stop --trials 20

Words are questions that are asked while the planner works on orders, each from being said to its answer; only those
that were asked in the middle of planning. Stops are measured at three robots with drivers in another process, from
`stop()` in this one to the last halt, sent while the planner of the mission that drives them works.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from coterie.bench.table import markdown
from coterie.episode.inputs import Inputs, Utterance
from coterie.episode.mission import serve
from coterie.episode.talk import Hall, config_of, ending, run
from coterie.link.fleet import Fleet
from coterie.link.stopping import release, stop
from coterie.worlds import worlds

sys.path.insert(0, str(Path(__file__).parent))
from link import HEAD, Driver, row

ROBOTS = ("Fetch", "Temi", "Spot")
QUIET_S = 4.0  # without a plan being sought, after which orders are taken to be planned
THINGS = ("bandage box", "painkiller", "thermometer", "medical caddy")
ASKED = [  # many, since what was read before is read at once
    "What is going on?", "Who can open doors?", "Who is here?", "What are your goals?", "What is your plan?",
    *(f"What is on table {t}?" for t in "ABCDEFG"),
    *(f"Where is the {t}?" for t in THINGS),
    *(f"How many {t} are on table {x}?" for x in "ABCDEFG" for t in ("bandage boxes", "painkillers")),
    *(f"What can {r} do?" for r in ("Fetch", "Temi", "Spot")),
]  # fmt: skip
ORDERS = ("Deliver a medkit to alpha.", "Deliver a feverkit to beta.", "Deliver a medkit to gamma.")


def watched(planner: object) -> None:
    """Let a planner say when it works, wherever that is."""
    answer, planner.busy = planner.answer, False  # type: ignore[attr-defined]

    def wrapped(question: object) -> object:
        planner.busy = True  # type: ignore[attr-defined]
        try:
            return answer(question)
        finally:
            planner.busy = False  # type: ignore[attr-defined]

    planner.answer = wrapped  # type: ignore[attr-defined]


def words(rounds: int, here: bool) -> tuple[list[float], int]:
    took: list[float] = []
    lost = 0
    for seed in range(rounds):
        hall = Hall(Inputs(), speed=1000.0)
        told: dict[str, threading.Event] = {}
        hall.hear = lambda said, told=told: told.setdefault(said.person, threading.Event()).set()
        thread = threading.Thread(
            target=run, args=(hall, *config_of("hospital", seed)), kwargs={"apart": not here}, daemon=True
        )
        thread.start()
        hello = told.setdefault("teacher", threading.Event())
        while hall.mission is None:
            time.sleep(0.01)
        watched(hall.mission.planner)
        hall.speak("teacher", "Hello.")
        hello.wait(60.0)  # the grammar is loaded
        for order in ORDERS:
            hall.speak("instructor", order)
        quiet, number = time.monotonic(), 0
        while time.monotonic() < quiet + QUIET_S:
            if not hall.mission.planner.busy:
                time.sleep(0.002)
                continue
            name = f"person{number}"
            event = told[name] = threading.Event()
            begun = time.perf_counter()
            hall.speak(name, ASKED[number % len(ASKED)])
            if event.wait(10.0):
                took.append(time.perf_counter() - begun)
            else:
                lost += 1
            number, quiet = number + 1, time.monotonic()
            time.sleep(0.05)
        hall.inputs.put(ending())
        thread.join(60.0)
    return took, lost


def stops(trials: int, here: bool) -> list[float]:
    took: list[float] = []
    os.environ["MOVES"] = "always"
    for seed in range(trials):
        with tempfile.TemporaryDirectory() as home:
            one, inputs, minds = Driver(Path(home), *ROBOTS), Inputs(), []
            robots = one.home / "robots"
            try:
                with Fleet(ROBOTS, robots) as fleet:
                    more = {"drivers": fleet, "inputs": inputs, "apart": not here, "seed": seed}
                    goals = ["medkit at alpha"]
                    watch = lambda e, minds=minds: minds.append(e.mind(ROBOTS[0]))  # noqa: E731
                    thread = threading.Thread(
                        target=serve, args=("hospital", goals), kwargs={**more, "watch": watch}, daemon=True
                    )
                    thread.start()
                    one.wait_for("moves", 60.0)
                    while not minds or minds[-1].coordinator is None:
                        time.sleep(0.01)
                    planner = minds[-1].coordinator.planner
                    watched(planner)
                    inputs.put(Utterance("instructor", "feverkit at beta at once"))
                    until = time.monotonic() + 60.0
                    while not planner.busy and time.monotonic() < until:
                        time.sleep(0.001)
                    time.sleep(0.05)
                    begun, busy = time.monotonic_ns(), planner.busy
                    stop("bench", folder=robots)
                    still = one.wait_for("still")
                    if busy:
                        took.append((still - begun) / 1e9)
                    release("bench", folder=robots)
                    inputs.put(ending())
                    thread.join(60.0)
            finally:
                one.close()
    return took


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--only", choices=("words", "stop"))
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--trials", type=int, default=5)
    p.add_argument("--here", action="store_true", help="plans are sought in the mission's own process")
    args = p.parse_args()
    assert "hospital" in worlds
    rows, lost = [], 0
    if args.only in (None, "words"):
        took, lost = words(args.rounds, args.here)
        rows.append(row("a question while a plan is sought, to its answer", took))
    if args.only in (None, "stop"):
        rows.append(row("a stop while a plan is sought, to the last of three halts", stops(args.trials, args.here)))
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; plans are sought {'here' if args.here else 'apart'}\n"
    )
    print("\n".join(markdown(HEAD, rows)))
    if lost:
        print(f"\n{lost} questions were not answered")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
