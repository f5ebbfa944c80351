"""Makes the weights of learnt teammates: `python benchmarks/learning.py [--episodes 18] [--out FILE]`.

Heuristic teams play in training houses (even seeds below 10,000), and what each of their robots chose is cloned. What
is misplaced and where things belong is learnt from the things in such houses, mislaid ones among them, with the
placement table as the teacher. The same arguments give the same file, byte for byte, on the same machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from coterie.core.config import Config
from coterie.core.protocol import Decision, RobotView, protocols
from coterie.core.seeds import rng_of
from coterie.episode.play import play
from coterie.houses.floor import floor_of
from coterie.houses.model import FLOOR, ROOM_KINDS, House
from coterie.houses.names import house
from coterie.houses.placement import belongs, homes
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.learning import features as placing
from coterie.protocols.learning.features import SKILLS, Array, Weights, fused, mate_rows, own_row, softmax
from coterie.worlds.household.knowledge.graph import Survey, Thing, survey_of
from coterie.worlds.household.options import DropInRoom, PickupObject, PutObject, StopHere
from coterie.worlds.household.tasks.draw import mislaid

ROOMS = (1, 2, 3, 4, 5, 6)  # of training houses; larger ones are more of the same, and slow
EVERY = 10  # steps between two rows of a sub-skill that goes on
HOUSES, ROUNDS, SEED = 36, 40, 0
RATE, FIRST, SECOND, TINY = 3e-3, 0.9, 0.999, 1e-8  # of Adam
OWN, MATE, FUSED = 32, 16, 32  # numbers by which a robot, a teammate and all of them together are described
CAUTION = 2.0  # how much worse it is to take away what lies in order than to leave what does not

Row = tuple[Array, Array, Array, int]


class Demonstrator(Heuristic):
    """A heuristic teammate whose choices are kept."""

    kept: list[Row] = []

    def _choose(self, me: RobotView, survey: Survey) -> Decision:
        before = self._numbers(me, survey)
        decision = super()._choose(me, survey)
        self.kept.append((*before, self._label()))
        return decision

    def _watch(self, me: RobotView) -> str | None:
        why = super()._watch(me)
        if why is None and me.step % EVERY == 0:
            self.kept.append((*self._numbers(me, survey_of(me)), self._label()))
        return why

    def _numbers(self, me: RobotView, survey: Survey) -> tuple[Array, Array, Array]:
        avoid = [thing for thing in self.failed if self._gave_up(me, thing)]
        held = me.belief.value("holding", me.name)
        home = None
        if isinstance(held, str):
            home = self.home or self._home(me, survey, Thing(held, str(me.belief.value("kind", held)), me.name, None))
        return (own_row(me, survey, avoid, home), *mate_rows(me, survey, avoid))

    def _label(self) -> int:
        option = self.option
        if isinstance(option, PickupObject):
            return SKILLS.index("PickupObject")
        if isinstance(option, (PutObject, DropInRoom)):
            return SKILLS.index("PutObject")
        return SKILLS.index("Stop" if isinstance(option, StopHere) else "Explore")


def demonstrations(episodes: int) -> list[Row]:
    if "demonstrator" not in protocols.names():
        protocols.put("demonstrator", Demonstrator, "no-model", "household", "hidden")
    Demonstrator.kept.clear()
    for i in range(episodes):
        config = Config(
            task="tidy", scene=f"rooms:{ROOMS[i % len(ROOMS)]}", level=str(1 + i % 5), team=f"drawn:{3 + i % 3}",
            protocol="demonstrator", seed=2 * i,
        )  # fmt: skip
        play(config)
    return list(Demonstrator.kept)


def placements(houses: int) -> Iterator[tuple[str, str, str]]:
    """Kind of thing, of what it lies on, and of the room, in training houses with things astray."""
    for i in range(houses):
        where = house(f"rooms:{ROOMS[i % len(ROOMS)]}", 2 * i)
        found, _ = mislaid(where, 5 if len(where.things) > 12 else 2, rng_of("train", i))
        yield from _lying(found)


def _lying(where: House) -> Iterator[tuple[str, str, str]]:
    floor = floor_of(where)
    for thing in where.things:
        piece = where.piece.get(thing.on)
        room = where.room.get(piece.room if piece else floor.room_at(thing.spot[:2]))
        if room is not None:
            yield thing.kind, piece.kind if piece else FLOOR, room.kind


# -- training ---------------------------------------------------------------------------------------------------------
def drawn(rng: np.random.Generator, shapes: Mapping[str, tuple[int, ...]]) -> Weights:
    """Weights to begin with: matrices by He's rule, rows of zeros for what is added."""
    return {
        name: (rng.standard_normal(shape) * np.sqrt(2.0 / shape[0])).astype(np.float32)
        if len(shape) == 2
        else np.zeros(shape, np.float32)
        for name, shape in shapes.items()
    }


class Adam:
    def __init__(self, weights: Weights, rate: float = RATE):
        self.weights, self.rate, self.step = weights, rate, 0
        self.first = {k: np.zeros_like(v) for k, v in weights.items()}
        self.second = {k: np.zeros_like(v) for k, v in weights.items()}

    def apply(self, slopes: Weights) -> None:
        self.step += 1
        for name, slope in slopes.items():
            self.first[name] = FIRST * self.first[name] + (1 - FIRST) * slope
            self.second[name] = SECOND * self.second[name] + (1 - SECOND) * slope**2
            mean = self.first[name] / (1 - FIRST**self.step)
            spread = self.second[name] / (1 - SECOND**self.step)
            self.weights[name] -= self.rate * mean / (np.sqrt(spread) + TINY)


def train_two(
    rng: np.random.Generator, inputs: Array, wanted: Array, share: Array, hidden: int, rounds: int, batch: int = 256
) -> Weights:
    """Weights for which scores come near to `wanted` (rows of probabilities); `share` says how much a row counts."""
    classes = wanted.shape[1]
    shapes = {"w1": (inputs.shape[1], hidden), "b1": (hidden,), "w2": (hidden, classes), "b2": (classes,)}
    adam = Adam(drawn(rng, shapes))
    for _ in range(rounds):
        for rows in np.array_split(rng.permutation(len(inputs)), max(1, len(inputs) // batch)):
            x, weights, part = inputs[rows], adam.weights, share[rows, None] / max(share[rows].sum(), 1e-9)
            middle = np.maximum(x @ weights["w1"] + weights["b1"], 0.0)
            error = (softmax(middle @ weights["w2"] + weights["b2"]) - wanted[rows]) * part
            back = (error @ weights["w2"].T) * (middle > 0)
            adam.apply({"w1": x.T @ back, "b1": back.sum(0), "w2": middle.T @ error, "b2": error.sum(0)})
    return adam.weights


def fused_shapes(own: int, mate: int, classes: int) -> dict[str, tuple[int, ...]]:
    return {
        "own_w": (own, OWN), "own_b": (OWN,), "mate_w": (mate, MATE), "mate_b": (MATE,),
        "fuse_w": (OWN + MATE, FUSED), "fuse_b": (FUSED,), "out_w": (FUSED, classes), "out_b": (classes,),
    }  # fmt: skip


def train_fused(
    rng: np.random.Generator, rows: Sequence[Array], labels: NDArray[np.int64], share: Array, classes: int, rounds: int
) -> Weights:
    """Clone choices: `rows` are own numbers, those of teammates, and which of these are there."""
    own, mates, there = rows
    weights = drawn(rng, fused_shapes(own.shape[1], mates.shape[2], classes))
    adam = Adam(weights)
    wanted = np.eye(classes, dtype=np.float32)[labels]
    for _ in range(rounds):
        for at in np.array_split(rng.permutation(len(own)), max(1, len(own) // 256)):
            scores, (mine, each, count, joined, middle) = fused(weights, own[at], mates[at], there[at])
            error = (softmax(scores) - wanted[at]) * (share[at, None] / max(share[at].sum(), 1e-9))
            to_middle = (error @ weights["out_w"].T) * (middle > 0)
            to_joined = to_middle @ weights["fuse_w"].T
            to_mine = to_joined[:, :OWN] * (mine > 0)
            to_each = (to_joined[:, None, OWN:] / count[..., None]) * (each > 0)
            flat = to_each.reshape(-1, MATE)
            adam.apply(
                {
                    "out_w": middle.T @ error, "out_b": error.sum(0), "fuse_w": joined.T @ to_middle,
                    "fuse_b": to_middle.sum(0), "own_w": own[at].T @ to_mine, "own_b": to_mine.sum(0),
                    "mate_w": mates[at].reshape(len(flat), -1).T @ flat, "mate_b": flat.sum(0),
                }
            )  # fmt: skip
    return weights


def train(episodes: int, houses: int) -> dict[str, Array]:
    rng = np.random.default_rng(SEED)
    seen = sorted(set(placements(houses)))
    pick = np.random.default_rng(SEED + 1)
    extra = [
        (str(pick.choice(placing.things())), str(pick.choice(placing.places())), str(pick.choice(ROOM_KINDS)))
        for _ in range(4 * len(seen))
    ]
    rows = [r for r in (*seen, *extra) if r[0] in placing.things() and r[1] in placing.places()]
    x = np.stack([placing.one_hot(*row) for row in rows])
    wrong = np.array([not belongs(*row) for row in rows])
    wanted = np.stack([~wrong, wrong], axis=1).astype(np.float32)
    share = np.where(wrong, 1.0, CAUTION * max(1.0, wrong.sum() / max(1, (~wrong).sum()))).astype(np.float32)
    misplaced = train_two(rng, x, wanted, share, 32, 4 * ROUNDS)

    pairs = [(on, room) for on in placing.places() for room in ROOM_KINDS]
    y = np.array([[pair in homes(thing) for pair in pairs] for thing in placing.things()], np.float32)
    y /= np.maximum(y.sum(axis=1, keepdims=True), 1.0)
    receptacle = train_two(
        rng, np.eye(len(placing.things()), dtype=np.float32), y, np.ones(len(y), np.float32), 32, 40 * ROUNDS, 31
    )

    kept = demonstrations(episodes)
    labels = np.array([row[3] for row in kept])
    counts = np.bincount(labels, minlength=len(SKILLS))
    weigh = (len(labels) / np.maximum(counts, 1)) ** 0.5  # seldom choices count more, but not by all that
    arrays = [np.stack([row[i] for row in kept]) for i in range(3)]
    skill = train_fused(rng, arrays, labels, weigh[labels].astype(np.float32), len(SKILLS), ROUNDS)
    named = {"misplaced": misplaced, "receptacle": receptacle, "skill": skill}
    return {f"{net}/{key}": value.astype(np.float16) for net, parts in named.items() for key, value in parts.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--episodes", type=int, default=18)
    parser.add_argument("--houses", type=int, default=HOUSES)
    parser.add_argument("--out", type=Path, default=placing.WEIGHTS)
    args = parser.parse_args()
    found = train(args.episodes, args.houses)
    with args.out.open("wb") as file:
        np.savez_compressed(file, **found)
    sys.stdout.write(f"{args.out}: {args.out.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
