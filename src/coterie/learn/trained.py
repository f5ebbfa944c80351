"""The file of a training: thin matrices by the names of those that they change, in a file of numpy's, or in an adapter
that was made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from coterie import __version__
from coterie.core.errors import CoterieError
from coterie.learn.weights import needed
from coterie.models.adapter import FORMAT, MOST_WEIGHT, OWN, Deltas, content_hash
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
    """Return the contents of a training; complain where they are not pairs of one rank with finite numbers."""
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


def widened(trained: Trained, rank: int, path: Path) -> Trained:
    """The same training with a higher rank, which says the same until it learns more."""
    more = rank - trained.rank
    if more < 0:
        raise CoterieError(f"'{path}' has rank {trained.rank}: say --rank {trained.rank}, or more.")
    rng, pairs = np.random.default_rng(0), dict[str, np.ndarray]()
    for name, array in trained.pairs.items():
        if name.endswith("_a"):
            new = rng.normal(scale=array.shape[1] ** -0.5, size=(more, array.shape[1])).astype(array.dtype)
            pairs[name] = np.concatenate([array, new])
        else:
            pairs[name] = np.concatenate([array, np.zeros((len(array), more), array.dtype)], axis=1)
    return trained._replace(rank=rank, alpha=trained.alpha * rank / trained.rank, pairs=pairs)


Bits = Literal[5, 8, 16]


def export(
    pairs: dict[str, np.ndarray], alpha: float, out: Path, bits: Bits = 16, about: dict[str, str] | None = None
) -> int:
    """Write an adapter; how many bytes it has. `about` says what it was trained on, for those who load it; the hash
    of its content, by which they notice damage, is added."""
    part = out.with_name(out.name + ".part")
    told = {"format": FORMAT, "version": __version__, **(about or {})}
    _write(part, pairs, alpha, bits, told)
    _write(part, pairs, alpha, bits, {**told, "sha256": content_hash(part)})
    part.replace(out)
    return out.stat().st_size


def _write(path: Path, pairs: dict[str, np.ndarray], alpha: float, bits: Bits, about: dict[str, str]) -> None:
    gguf = needed("gguf")
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for name, words in about.items():
        writer.add_string(OWN + name, words)
    kind = gguf.GGMLQuantizationType[f"Q{bits}_0"] if bits < 16 else None
    for name, array in pairs.items():
        # The file's blocks are 32 numbers long: thin sides whose rows are shorter stay as they are.
        if kind is not None and array.shape[-1] % 32 == 0:
            writer.add_tensor(name, gguf.quants.quantize(array.astype(np.float32), kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, array.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
