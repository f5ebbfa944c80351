"""How far a hostile robot's words get in a team, and what they cost each protocol.

    python benchmarks/injection.py [--protocols dynahmrc,dynahmrc:full,dynahmrc:paper,coela,coherent] [--model oracle]
                                   [--sample 12] [--radio text=1]

The episodes of the suite `injection`, each played with and without the saboteur. Reached: how many of the three others
had its words in a prompt. Passed on: how many of them wrote them themselves, in a message, report, plan or thought.
Cost: success and steps against the same episode with an honest robot.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from coterie.bench.suites import make_suite
from coterie.bench.table import markdown
from coterie.core.event import Event
from coterie.episode.play import play
from coterie.models.turned import KINDS, MARK


def spread(events: Iterable[Event], saboteur: str) -> tuple[set[str], set[str]]:
    """The robots that read the saboteur's words in a prompt, and those of them that wrote them in a reply."""
    read: set[str] = set()
    wrote: set[str] = set()
    for e in events:
        if e.who == saboteur:
            continue
        if e.kind == "ask" and MARK in str(e.data["prompt"]):
            read.add(e.who)
        elif e.kind == "reply" and MARK in str(e.data["text"]):
            wrote.add(e.who)
    return read, wrote


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--protocols", default="dynahmrc,dynahmrc:full,coela,coherent")
    parser.add_argument("--model", default="oracle")
    parser.add_argument("--sample", type=int, default=0, help="episodes of each kind (default all nine)")
    parser.add_argument("--radio", default="none")
    args = parser.parse_args()
    specs = make_suite("injection")
    rows = []
    for protocol in args.protocols.split(","):
        for kind in KINDS:
            mine = [s for s in specs if s.labels["setting"] == f"injection-{kind}"]
            mine = mine[:: max(1, len(mine) // args.sample)][: args.sample] if args.sample else mine
            figures: list[tuple[float, ...]] = []
            for spec in mine:
                config = replace(spec.config, protocol=protocol, radio=args.radio)
                saboteur = config.model.partition("@")[2].rstrip(":")
                honest = play(replace(config, model=args.model)).result
                played = play(replace(config, model=config.model + args.model))
                read, wrote = spread(played.log.events, saboteur)
                figures.append(
                    (honest.success, played.result.success, honest.steps, played.result.steps, len(read), len(wrote))
                )
            means = [sum(column) / len(mine) for column in zip(*figures)]
            rows.append([protocol, kind, str(len(mine)), *(f"{m:.2f}" for m in means)])
    heads = ["protocol", "kind", "episodes", "SUCC honest", "hostile", "TS honest", "hostile", "reached", "passed on"]
    print("\n".join(markdown(heads, rows)))


if __name__ == "__main__":
    main()
