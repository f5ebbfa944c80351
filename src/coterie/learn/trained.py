"""What a training leaves: thin matrices by the names of those that they change, in a file of numpy's, or in an adapter
that was made of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from coterie.core.errors import CoterieError
from coterie.models.adapter import MOST_WEIGHT, Deltas
from coterie.models.tensors import check_pairs, is_gguf, read_npz


class Bound(NamedTuple):
    """The prompts that something was trained on: whose they are, and their fingerprints. Empty: it does not say."""

    protocol: str = ""
    prompts: str = ""  # of states that come often
    seldom: str = ""  # of those that come seldom


class Trained(NamedTuple):
    rank: int
    alpha: float
    pairs: dict[str, np.ndarray]
    bound: Bound = Bound()


def save(path: Path, trained: Trained, recipe: str = "") -> None:
    about = {"rank": np.array(trained.rank), "alpha": np.array(trained.alpha), "recipe": np.array(recipe)}
    about |= {name: np.array(words) for name, words in trained.bound._asdict().items()}
    part = path.with_name(path.name + ".part.npz")
    np.savez(part, **about, **trained.pairs)  # type: ignore[arg-type]
    part.replace(path)


def load(path: Path) -> Trained:
    """What a training left, if it is one: pairs of one rank, with numbers to work with."""
    if is_gguf(path):
        found = Deltas(path)
        bound = Bound(*(found.about.get(name, "") for name in Bound._fields))
        trained = Trained(found.rank, found.alpha or found.rank, found.arrays(), bound)
    else:
        trained = _archived(path)
    check(trained, path)
    return trained


def _archived(path: Path) -> Trained:
    arrays = read_npz(path)
    one = {name: array.item() for name, array in arrays.items() if ".lora_" not in name and array.size == 1}
    rank, alpha = one.get("rank"), one.get("alpha")
    if type(rank) is not int or not isinstance(alpha, (int, float)):
        raise CoterieError(f"'{path}' holds no training: it names no rank, or no alpha.")
    bound = Bound(*(str(one.get(name, "")) for name in Bound._fields))
    return Trained(rank, float(alpha), {name: a for name, a in arrays.items() if ".lora_" in name}, bound)


def check(trained: Trained, path: Path) -> None:
    """Complains about what cannot have come out of a training, and would spoil the model that it is merged into."""
    ranks = check_pairs(path, {name: array.shape for name, array in trained.pairs.items()})
    if trained.rank < 1 or set(ranks.values()) != {trained.rank}:
        found = ", ".join(map(str, sorted(set(ranks.values()))))
        raise CoterieError(f"'{path}' holds no training: it says rank {trained.rank}, and its pairs have {found}.")
    with np.errstate(over="ignore"):
        alpha = np.float32(trained.alpha)  # as an adapter keeps it
    if not (np.isfinite(alpha) and alpha > 0):
        raise CoterieError(f"'{path}' holds no training: its alpha is {trained.alpha:g}, not a number above zero.")
    for name, array in trained.pairs.items():
        if array.dtype.kind != "f" or not (np.abs(array) <= MOST_WEIGHT).all():
            raise CoterieError(f"'{path}' holds no training: '{name}' has values that are no weights.")
