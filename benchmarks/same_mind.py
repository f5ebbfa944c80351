"""Does the embedded model on the processor say what the same training said elsewhere? Puts the requests that one was
asked to the other, with the same grammars, and counts how often both choose the same.

    coterie learn serve --socket S --record asked.jsonl &          # the packaged adapter; or one of your own
    coterie bench dynahmrc-cto --methods dynahmrc --model shared:S
    python benchmarks/same_mind.py asked.jsonl --model embedded --states 2000 --jobs 2
    python benchmarks/same_mind.py asked.jsonl --model oracle       # how often its teacher would have done the same

A folder of logs will do as well; logs hold no grammars, so either must have been asked without.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import coterie.protocols  # noqa: F401 (brings the oracle)
from coterie.core.errors import CoterieError
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
        for at, line in enumerate(path.open(encoding="utf-8", errors="replace"), 1):
            try:
                number, _, _, kind, who, data, causes = json.loads(line)[:7]
                if kind == "ask":
                    asked[number] = (f"{path.name} {who}", data["stage"], data["prompt"])
                elif kind == "reply" and not data.get("error") and causes and causes[0] in asked:
                    key, stage, prompt = asked[causes[0]]
                    yield key, Ask("R", stage, 0, 0, tuple((r, t) for r, t in prompt), None, 0), data["text"]
            except (ValueError, KeyError, TypeError):
                raise CoterieError(f"Line {at} of '{path}' is none of a log.") from None


def chosen(text: str) -> str:
    """What counts of a reply: its last line, and of a vote the name."""
    return text.strip().rpartition("\n")[2].rpartition("Leader:")[2].strip()


def skill(text: str) -> str:
    """The skill that is chosen, where a reply names one."""
    found = re.match(r"Action: (\w+)", chosen(text))
    return found[1] if found else ""


class Answered(NamedTuple):
    stage: str
    skill: str  # of the first mind
    same: bool  # in what is chosen
    alike: bool  # in every word
    seconds: float


def answered(model: str, some: list[State]) -> list[Answered]:
    mind = make_model(model)
    found = []
    for _, ask, said in some:
        begun = time.perf_counter()
        (reply,) = mind.answer([ask])
        spent = time.perf_counter() - begun
        same, alike = chosen(reply.text) == chosen(said), reply.text.strip() == said.strip()
        found.append(Answered(ask.stage, skill(said), same, alike, spent))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("asked", type=Path, help="a file of `learn serve --record`, or a folder of logs")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    try:
        compare(args)
    except CoterieError as err:
        raise SystemExit(str(err)) from None


def compare(args: argparse.Namespace) -> None:
    every = list(logged(args.asked) if args.asked.is_dir() else recorded(args.asked))
    if not every:
        raise CoterieError(f"'{args.asked}' holds no requests with replies.")
    some = random.Random(args.seed).sample(every, min(args.states, len(every)))
    some.sort(key=lambda s: s[0])  # those of one robot together: they begin alike
    size = -(-len(some) // (4 * args.jobs))
    parts = [some[i : i + size] for i in range(0, len(some), size)]
    found: list[Answered] = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for part in pool.map(partial(answered, args.model), parts):
            found += part
            print(f"{len(found)} of {len(some)}: {sum(f.same for f in found)} choose the same", flush=True)
    for title, groups in (("", "stage"), ("of them ", "skill")):
        total = Counter(getattr(f, groups) for f in found)
        for name, count in total.most_common():
            rows = [f for f in found if getattr(f, groups) == name]
            shares = f"{sum(f.same for f in rows)} the same choice, {sum(f.alike for f in rows)} every word"
            if name:
                print(f"{title}{name:12s} {count:5d} states: {shares}")
    times = sorted(f.seconds for f in found)
    pace = f"median {times[len(times) // 2]:.2f} s, 95th percentile {times[int(len(times) * 0.95)]:.2f} s a reply"
    print(f"all   {len(found):5d} states: {sum(f.same for f in found) / len(found):.4f} the same choice; {pace}")


if __name__ == "__main__":
    main()
