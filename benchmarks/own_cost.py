"""What the program itself costs: a call of a model, a robot and step with few and many robots, the start.

    python benchmarks/own_cost.py [--against ../older-checkout] [--rounds 3] [--robots 4,16,64]

All of it in time of the processor, without that of the model, which is the text oracle here. Each figure is the least
of its rounds, and with `--against` the two checkouts take turns.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

from coterie.bench.table import markdown

PROTOCOLS = ("dynahmrc", "dynahmrc:full", "coherent", "coela")

# What either checkout runs, over its own sources.
TURN = """
import json, sys, time
begun = time.process_time()
sys.path.insert(0, sys.argv[1] + "/src")
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import build, model_for

class Stepped(Exception): pass

def start(_):
    def first(episode): raise Stepped
    try: play(Config(), watch=first)
    except Stepped: return time.process_time() - begun
    return time.process_time() - begun

class Timed:
    def __init__(self, model):
        self.model, self.name, self.spent, self.calls = model, model.name, 0.0, 0
    def answer(self, asks):
        t = time.process_time()
        replies = self.model.answer(asks)
        self.spent += time.process_time() - t
        self.calls += len(asks)
        return replies

kept = {}

def call(protocol):
    if protocol not in kept:
        config = Config(task="pack-objects", team="Ma-MoMa-Mo-UAV", protocol=protocol, model="oracle", seed=10_000)
        kept[protocol] = config, build(config)[1]
        play(config, task=kept[protocol][1])
    config, task = kept[protocol]
    model = Timed(model_for(config))
    t = time.process_time()
    play(config, task=task, model=model)
    return (time.process_time() - t - model.spent) / model.calls

def robots(n):
    if n not in kept:
        team = "-".join(["Ma", *(("MoMa", "Mo", "UAV") * n)[: int(n) - 1]])
        config = Config(task="pack-objects", team=team, protocol="rules", level="hard", seed=10_000, scene="hall")
        kept[n] = config, build(config)[1]
        play(config, task=kept[n][1])
    t = time.process_time()
    played = play(kept[n][0], task=kept[n][1])
    return (time.process_time() - t) / sum(e.kind == "act" for e in played.log.events)

for line in sys.stdin:
    what, over = json.loads(line)
    print(globals()[what](over), flush=True)
"""


class Player:
    """A checkout that takes its turns."""

    def __init__(self, checkout: Path):
        command = [sys.executable, "-c", TURN, str(checkout)]
        self.process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True)

    def turn(self, what: str, over: object) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([what, over]) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


def measure(checkouts: list[Path], rounds: int, robots: list[int]) -> list[list[str]]:
    rows = []

    def row(name: str, unit_s: float, unit: str, taken: list[list[float]]) -> list[float]:
        least = [min(times) for times in taken]
        ratio = [f"{least[1] / least[0]:.2f}"] if len(least) > 1 else []
        rows.append([name, *(f"{s / unit_s:,.2f} {unit}" for s in least), *ratio])
        return least

    taken: list[list[float]] = [[] for _ in checkouts]
    for _ in range(rounds):
        for times, checkout in zip(taken, checkouts):
            player = Player(checkout)  # each start is one of a new process
            times.append(player.turn("start", ""))
            player.end()
    row("start of Python to the end of the first step", 1.0, "s", taken)
    players = [Player(checkout) for checkout in checkouts]

    def turns(what: str, over: object) -> list[list[float]]:
        found = [[player.turn(what, over) for player in players] for _ in range(rounds)]
        return [list(one) for one in zip(*found)]

    for protocol in PROTOCOLS:
        row(f"own cost of a call, {protocol}", 1e-3, "ms", turns("call", protocol))
    costs = {n: row(f"a robot and step, {n} robots", 1e-6, "µs", turns("robots", n)) for n in robots}
    first, last = costs[robots[0]], costs[robots[-1]]
    grown = [f"{b / a:.2f}" for a, b in zip(first, last)]
    rows.append([f"the same, {robots[-1]} against {robots[0]}", *grown, *([""] if len(grown) > 1 else [])])
    for player in players:
        player.end()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure this and another, side by side")
    parser.add_argument("--rounds", type=int, default=3, help="turns each has (default 3)")
    parser.add_argument("--robots", default="4,16,64", help="sizes of teams (default 4,16,64)")
    args = parser.parse_args()
    checkouts = [Path(__file__).parents[1], *([args.against.resolve()] if args.against else [])]
    rows = measure(checkouts, args.rounds, [int(n) for n in args.robots.split(",")])
    heads = ["measure", "here", *(["there", "there / here"] if args.against else [])]
    print("\n".join(markdown(heads, [tuple(row) for row in rows])))


if __name__ == "__main__":
    main()
