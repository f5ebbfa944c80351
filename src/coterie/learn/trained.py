"""What a training leaves: thin matrices by the names of those that they change, in a file of numpy's, or in an adapter
that was made of it."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from coterie.core.errors import CoterieError

GGUF = b"GGUF"  # the first letters of an adapter


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
    try:
        with path.open("rb") as file:
            if file.read(len(GGUF)) == GGUF:
                return _adapter(path)
        with np.load(path) as data:
            pairs = {name: data[name] for name in data.files if ".lora_" in name}
            bound = Bound(*(str(data[name]) if name in data.files else "" for name in Bound._fields))
            return Trained(int(data["rank"]), float(data["alpha"]), pairs, bound)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as err:
        why = (err.strerror or str(err)) if isinstance(err, OSError) else "it is damaged, or something else"
        raise CoterieError(f"'{path}' holds no training: {why}.") from None


def _adapter(path: Path) -> Trained:
    from coterie.models.adapter import Deltas

    found = Deltas(path)
    bound = Bound(*(found.about.get(name, "") for name in Bound._fields))
    return Trained(found.rank, found.alpha or found.rank, found.arrays(), bound)
