"""What the prompts of DynaHMRC cost in tokens of the embedded model.

    python benchmarks/tokens.py [--episodes 12] [--protocol dynahmrc]

Three robots pack objects in three houses at the level medium-search; the text oracle answers, and the tokenizer of the
embedded model counts. Uncached: what follows the beginning that a prompt shares with the robot's last one of its stage.
"""

from __future__ import annotations

import argparse

from coterie.bench.table import NONE, markdown, number
from coterie.bench.tokens import BUDGET, Cost, costs, episodes
from coterie.core.protocol import Prompt
from coterie.episode.setup import reply_tokens
from coterie.models.embedded import Embedded, chatml


def line(stage: str, cost: Cost, most: int | None) -> list[str]:
    inside, uncached, out = cost.medians()
    budget = BUDGET.get(stage)
    limits = (budget.tokens_in, budget.uncached, budget.tokens_out) if budget else (None, None, None)
    cells = [
        number(value, 0) + (f" (of {limit})" if limit is not None else "")
        for value, limit in zip((inside, uncached, out), limits)
    ]
    return [stage, str(len(cost.tokens_in)), cells[0], number(cost.p95(), 0), cells[1], cells[2], str(most or NONE)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=12)
    parser.add_argument("--protocol", default="dynahmrc")
    args = parser.parse_args()
    engine = Embedded(threads=1).load()
    length = [0, 0]

    def count(prompt: Prompt) -> list[int]:
        text = chatml(prompt)
        tokens = engine.tokens(text)
        if prompt[0][0]:  # a prompt rather than a reply
            length[0], length[1] = length[0] + len(text), length[1] + len(tokens)
        return tokens

    found = costs(episodes(args.episodes, args.protocol), count)
    most = reply_tokens(args.protocol)
    heads = ["stage", "calls", "in, median", "p95", "uncached, median", "out, median", "out at most"]
    print("\n".join(markdown(heads, [line(s, c, most.get(s)) for s, c in found.items()])))
    print(f"{length[0] / length[1]:.2f} characters of a prompt in a token; in brackets the budget.")


if __name__ == "__main__":
    main()
