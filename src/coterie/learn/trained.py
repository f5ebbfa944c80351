"""What a training leaves: thin matrices by the names of those that they change, in a file of numpy's."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from coterie.core.errors import CoterieError


class Trained(NamedTuple):
    rank: int
    alpha: float
    pairs: dict[str, np.ndarray]


def save(path: Path, trained: Trained, recipe: str = "") -> None:
    about = {"rank": np.array(trained.rank), "alpha": np.array(trained.alpha), "recipe": np.array(recipe)}
    part = path.with_name(path.name + ".part.npz")
    np.savez(part, **about, **trained.pairs)  # type: ignore[arg-type]
    part.replace(path)


def load(path: Path) -> Trained:
    try:
        with np.load(path) as data:
            pairs = {name: data[name] for name in data.files if ".lora_" in name}
            return Trained(int(data["rank"]), float(data["alpha"]), pairs)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as err:
        why = (err.strerror or str(err)) if isinstance(err, OSError) else "it is damaged, or something else"
        raise CoterieError(f"'{path}' holds no training: {why}.") from None
