"""What a protocol of language models costs besides the model.

    python benchmarks/minds.py [--quick] [--episodes 20]

Everything but the model, per decision and robot, in processor time, so that a busy machine tells the same; how well
requests of one step are answered together by an endpoint that takes 200 ms a call; how busy the bench keeps a model
that answers 64 requests at once.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence

from coterie.bench.playing import Job, play_together
from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.core.protocol import Ask, Reply
from coterie.episode.play import play
from coterie.models import Kind, models
from coterie.models.choices import snap
from coterie.models.openai import OpenAI
from coterie.models.server import Messages, serve
from coterie.models.wire import Endpoint
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.dynahmrc.oracle import answer as oracle

FOUR = "Ma-MoMa-Mo-UAV"
CALL_S = 0.2
PLACES = 64


class Timed:
    """A model whose own time is kept apart."""

    name = "timed"

    def __init__(self) -> None:
        self.oracle, self.seconds, self.calls, self.decisions = Oracle(), 0.0, 0, 0

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        begun = time.process_time()
        replies = self.oracle.answer(asks)
        self.seconds += time.process_time() - begun
        self.calls += len(asks)
        self.decisions += sum(a.stage == "HMRC" for a in asks)
        return replies


class Counting:
    """A model in this process that notes how many requests came together."""

    name = "counting"

    def __init__(self) -> None:
        self.oracle = Oracle()
        self.batches: list[int] = []

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        self.batches.append(len(asks))
        return self.oracle.answer(asks)


class Batches:
    """Counts the calls of `answer`; the model behind it is asked as always."""

    def __init__(self, model: OpenAI) -> None:
        self.model, self.name, self.count = model, model.name, 0

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        self.count += 1
        return self.model.answer(asks)


def overhead(episodes: int) -> tuple[float, int]:
    """Milliseconds per decision and robot that are not the model's, once maps and templates have been read."""
    model = Timed()
    _play_all(min(3, episodes), model)
    model.seconds, model.decisions = 0.0, 0
    begun = time.process_time()
    _play_all(episodes, model)
    spent = time.process_time() - begun - model.seconds
    return 1000 * spent / model.decisions, model.decisions


def _play_all(episodes: int, model: Timed) -> None:
    for seed in range(episodes):
        play(Config(protocol="dynahmrc", team=FOUR, seed=10_000 + seed, changes=("cto@5",)), model=model)


def slowly(messages: Messages, options: dict[str, object]) -> str:
    """The text oracle, 200 ms later, held to choices where there are some."""
    time.sleep(CALL_S)
    text = oracle(tuple((m["role"], m["content"]) for m in messages))
    choices = options.get("guided_choice")
    return (snap(text, choices) if isinstance(choices, list) else None) or text


def together() -> float:
    """Seconds of a step over seconds of one call, with four robots that ask a real endpoint at the same time."""
    config = Config(protocol="dynahmrc", team=FOUR, seed=10_000, level="easy")
    play(config, model=Timed())
    with serve(slowly) as url:
        model = Batches(OpenAI("mind", Endpoint(url)))
        begun = time.perf_counter()
        play(config, model=model)
        spent = time.perf_counter() - begun
        model.model.endpoint.close()
    return spent / (model.count * CALL_S)


def many(episodes: int) -> tuple[float, int]:
    """Mean share of a model's places that the bench fills with 64 episodes side by side, and the number of calls."""
    model = Counting()
    models.put(model.name, Kind(model.name, "counts requests", lambda rest, options: model))
    configs = [Config(protocol="dynahmrc", seed=20_000 + n, model=model.name) for n in range(episodes)]
    jobs = [Job(str(n), "dynahmrc", config, {}) for n, config in enumerate(configs)]
    played = list(play_together(jobs, PLACES))
    assert len(played) == episodes
    filled, rounds = sum(model.batches), sum(math.ceil(n / PLACES) for n in model.batches)
    return filled / (rounds * PLACES), rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few episodes of everything")
    parser.add_argument("--episodes", type=int, default=20)
    args = parser.parse_args()
    ms, decisions = overhead(3 if args.quick else args.episodes)
    episodes = 80 if args.quick else 200
    share, rounds = many(episodes)
    rows = [
        (f"everything but the model, per decision and robot ({decisions} decisions)", f"{ms:.2f} ms"),
        (f"a step of four robots, over one call of {1000 * CALL_S:.0f} ms to an endpoint", f"{together():.2f}"),
        (f"{episodes} episodes on a model of {PLACES} places: places filled ({rounds} rounds)", f"{share:.0%}"),
    ]
    print("\n".join(markdown(["measure", "value"], rows)))


if __name__ == "__main__":
    main()
