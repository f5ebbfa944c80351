"""What a decision of the embedded mind takes on this machine, in play.

    python benchmarks/decisions.py                                     # the demo, robots asked one after another
    python benchmarks/decisions.py --suite dynahmrc-cto --episodes 4   # a balanced sample of a suite
    python benchmarks/decisions.py --together                          # as `coterie run` asks them: all at once
    taskset -c 0,1 env COTERIE_THREADS=2 python benchmarks/decisions.py

Robots decide at the same time and share the processor, so that the time of one call in play says how many there are.
Asked one after another each has all cores, and what it took is what a decision takes. Prompts begin like the ones
before them either way, and what is known of them is not read again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from coterie.bench.suites import make_suite, sample
from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.episode.play import play
from coterie.models import make_model
from coterie.models.chat import Model, ledger_of
from coterie.models.ledger import Call

DEMO = Config(task="pack-objects", team="Ma-MoMa-UAV", scene="flat", seed=4, changes=("cto@5",))


class OneByOne:
    """A model that is asked for one reply at a time."""

    def __init__(self, model: Model):
        self.model, self.name = model, model.name

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return [reply for ask in asks for reply in self.model.answer([ask])]


def at(share: float, of: Sequence[float]) -> str:
    return f"{sorted(of)[min(len(of) - 1, int(share * len(of)))]:.2f}"


def cells(name: str, calls: Sequence[Call]) -> list[str]:
    read = sum(c.tokens_in - c.tokens_cached for c in calls) / len(calls)
    said = sum(c.tokens_out for c in calls) / len(calls)
    seconds = [c.seconds for c in calls]
    mean = f"{sum(seconds) / len(calls):.2f}"
    return [name, str(len(calls)), f"{read:.0f}", f"{said:.0f}", mean, at(0.5, seconds), at(0.95, seconds)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", help="episodes of this one; without: the demo's")
    parser.add_argument("--episodes", type=int, default=4, help="of the suite")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--together", action="store_true", help="ask all robots at once")
    args = parser.parse_args()
    try:
        measure(args)
    except CoterieError as err:
        raise SystemExit(str(err)) from None


def measure(args: argparse.Namespace) -> None:
    played = [s.config for s in sample(make_suite(args.suite), args.episodes)] if args.suite else [DEMO]
    model = make_model(args.model)
    ledger = ledger_of(model)
    if ledger is None:
        raise CoterieError(f"--model {args.model} writes down no calls.")
    asked = model if args.together else OneByOne(model)
    won = 0
    for n, config in enumerate(played, 1):
        won += play(replace(config, protocol="dynahmrc", model=args.model), model=asked).result.success
        print(f"{n} of {len(played)} episodes, {won} won, {len(ledger.calls)} calls", flush=True)
    calls = [c for c in ledger.calls if not c.error]
    if not calls:
        raise CoterieError("No call was answered.")
    stages = Counter(c.stage for c in calls)
    rows = [cells(name, [c for c in calls if c.stage == name]) for name, _ in stages.most_common()]
    head = ["stage", "calls", "tokens read", "said", "mean s", "median s", "95th percentile s"]
    print("\n".join(markdown(head, [*rows, cells("all", calls)])))


if __name__ == "__main__":
    main()
