"""Does the embedded model on the processor say what the same training said elsewhere? Puts the requests that one was
asked to the other, with the same grammars, and counts how often both choose the same.

    coterie learn serve pupil.npz --socket S --record asked.jsonl &
    coterie bench dynahmrc-cto --methods dynahmrc --model shared:S
    python benchmarks/same_mind.py asked.jsonl --model embedded:adapter.gguf --states 2000 --jobs 2

A folder of logs will do as well; logs hold no grammars, so either must have been asked without.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from coterie.core.protocol import Ask
from coterie.models import make_model
from coterie.models.recorded import exchanges

State = tuple[str, Ask, str]  # what belongs together, the request and its reply


def recorded(path: Path) -> Iterator[State]:
    for _, ask, reply in exchanges(path):
        yield f"{ask.seed} {ask.robot}", ask, reply.text


def logged(folder: Path) -> Iterator[State]:
    for path in sorted(folder.rglob("*.jsonl")):
        asked = {}
        for line in path.open(encoding="utf-8"):
            number, _, _, kind, who, data, causes = json.loads(line)[:7]
            if kind == "ask":
                asked[number] = (f"{path.name} {who}", data["stage"], data["prompt"])
            elif kind == "reply" and not data.get("error") and causes and causes[0] in asked:
                key, stage, prompt = asked[causes[0]]
                yield key, Ask("R", stage, 0, 0, tuple((r, t) for r, t in prompt), None, 0), data["text"]


def chosen(text: str) -> str:
    """What counts of a reply: its last line, and of a vote the name."""
    return text.strip().rpartition("\n")[2].rpartition("Leader:")[2].strip()


def answered(model: str, some: list[State]) -> list[tuple[str, bool, bool, float]]:
    mind = make_model(model)
    found = []
    for _, ask, said in some:
        begun = time.perf_counter()
        (reply,) = mind.answer([ask])
        spent = time.perf_counter() - begun
        found.append((ask.stage, chosen(reply.text) == chosen(said), reply.text.strip() == said.strip(), spent))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("asked", type=Path, help="a file of `learn serve --record`, or a folder of logs")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    every = list(logged(args.asked) if args.asked.is_dir() else recorded(args.asked))
    some = random.Random(args.seed).sample(every, min(args.states, len(every)))
    some.sort(key=lambda s: s[0])  # those of one robot together: they begin alike
    size = -(-len(some) // (4 * args.jobs))
    parts = [some[i : i + size] for i in range(0, len(some), size)]
    found: list[tuple[str, bool, bool, float]] = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for part in pool.map(partial(answered, args.model), parts):
            found += part
            print(f"{len(found)} of {len(some)}: {sum(f[1] for f in found)} choose the same", flush=True)
    total, same, alike = Counter(f[0] for f in found), Counter(), Counter()
    for stage, a, b, _ in found:
        same[stage] += a
        alike[stage] += b
    for stage, count in total.most_common():
        shares = f"{same[stage] / count:.3f} the same choice, {alike[stage] / count:.3f} every word"
        print(f"{stage:5s} {count:5d} states: {shares}")
    times = sorted(f[3] for f in found)
    pace = f"median {times[len(times) // 2]:.2f} s, 95th percentile {times[int(len(times) * 0.95)]:.2f} s a reply"
    print(f"all   {len(found):5d} states: {sum(same.values()) / len(found):.4f} the same choice; {pace}")


if __name__ == "__main__":
    main()
