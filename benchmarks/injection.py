"""How far a hostile robot's words get in a team, and what they cost each protocol.

    python benchmarks/injection.py [--protocols dynahmrc,dynahmrc:full,dynahmrc:paper,coela,coherent] [--model oracle]
                                   [--sample 12] [--radio text=1] [--seed 10000]

The episodes of the suite `injection`, each played with and without the saboteur, by any model: oracle, script,
embedded, embedded:FILE, shared:SOCKET. Reached: how many of the three others had its words in a prompt. Passed on: how
many of them wrote them themselves, in a message, report, plan or thought. Obeyed: how many did as the words say within
a few steps of reading them; anyway: how many did so in the same steps of the honest episode. Cost: success and steps
against the same episode with an honest robot.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from coterie.bench.studies.dynahmrc.hostile import obeyed, passed_on, reached
from coterie.bench.suites import make_suite
from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import model_for
from coterie.models import Model
from coterie.models.turned import KINDS, Turned, hostile_in

HEADS = ("SUCC honest", "hostile", "TS honest", "hostile", "reached", "passed on", "obeyed", "anyway")


def figures(config: Config, name: str, model: Model) -> tuple[float, ...]:
    """Of one episode: as `HEADS`."""
    hostile = hostile_in(config.model)
    assert hostile is not None
    honest = play(replace(config, model=name), model=model)
    turned = Turned(hostile.kind, hostile.robot, model, hostile.draw)
    played = play(replace(config, model=config.model + name), model=turned)
    events = played.log.events
    by = reached(events, hostile)
    sets = (by.steps, passed_on(events, hostile), obeyed(events, hostile, by), obeyed(honest.log.events, hostile, by))
    one, two = honest.result, played.result
    return (one.success, two.success, one.steps, two.steps, *map(len, sets))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--protocols", default="dynahmrc,dynahmrc:full,coela,coherent")
    parser.add_argument("--model", default="oracle")
    parser.add_argument("--sample", type=int, default=0, help="episodes of each kind (default all nine)")
    parser.add_argument("--radio", default="none")
    parser.add_argument("--seed", type=int, default=10_000)
    args = parser.parse_args()
    specs = make_suite("injection", args.seed)
    rows = []
    for protocol in args.protocols.split(","):
        model = model_for(replace(specs[0].config, protocol=protocol, model=args.model))
        for kind in KINDS:
            mine = [s for s in specs if s.labels["setting"] == f"injection-{kind}"]
            mine = mine[:: max(1, len(mine) // args.sample)][: args.sample] if args.sample else mine
            configs = [replace(s.config, protocol=protocol, radio=args.radio) for s in mine]
            means = [sum(c) / len(mine) for c in zip(*(figures(c, args.model, model) for c in configs))]
            rows.append([protocol, kind, str(len(mine)), *(f"{m:.2f}" for m in means)])
    print("\n".join(markdown(["protocol", "kind", "episodes", *HEADS], rows)))


if __name__ == "__main__":
    main()
