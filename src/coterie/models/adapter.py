"""Merging a LoRA adapter into the base model, once, into the user's cache.

Applied at run time an adapter costs every call; merged it costs nothing. Weights become eight bits wide, which keeps
the answers of the adapter, where four bits would change some, or stay as wide as they come.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.models.chat import Progress
from coterie.models.store import cache_dir, locked, put_stamp, scratch, sha256_of, sound, stamp_of
from coterie.models.tensors import Gguf, Tensor, check_pairs, gguf_library

#: The trained adapters that come with the package: the usual one, and those for prompts of other levels of information.
PACKAGED = Path(__file__).with_name("adapter.gguf")
FOR_LEVEL = {"conversation": Path(__file__).with_name("conversation.gguf")}
UNTRAINED = Path("untrained")  # in place of an adapter: none, not even the one that comes with the package
#: How adapters are written; what they say of themselves stands in fields that begin with OWN.
FORMAT = "1"
OWN, HASH = "coterie.", "coterie.sha256"
MERGING = "Merging the adapter"
MOST_WEIGHT = float(np.finfo(np.float16).max)  # scales of merged weights, and adapters, keep numbers of 16 bits
_RECIPE = "1"  # another number for another way of merging, so that cached files are made anew


def merged(base: Path, adapter: Path, progress: Progress | None = None, wide: bool = False) -> Path:
    """The base model with the adapter in it, from the cache or made now; `wide`: with 32 bits a weight, not eight."""
    if not adapter.is_file():
        raise CoterieError(f"There is no adapter '{adapter}'.")
    stat = base.stat()
    key = hashlib.sha256(f"{_RECIPE} {base.name} {stat.st_size} {sha256_of(adapter)}".encode()).hexdigest()[:16]
    kind = "F32" if wide else "Q8_0"
    target = cache_dir() / "models" / f"{base.stem.partition('.')[0]}-{key}.{kind}.gguf"
    if not sound(target):
        with locked(target):
            if not sound(target):  # another process may have made it
                damaged = target.is_file() and stamp_of(target).is_file()
                what = "The merged model was damaged in the cache; merging it anew" if damaged else MERGING
                with scratch(target) as folder:
                    part = folder / target.name
                    merge(base, adapter, part, progress, what, kind)
                    digest = sha256_of(part)
                    os.replace(part, target)
                    put_stamp(target, digest)
    return target


def merge(
    base: Path, adapter: Path, out: Path, progress: Progress | None = None, what: str = MERGING, store: str = "Q8_0"
) -> None:
    """Write `base + alpha / rank * B A` with all of the base's metadata."""
    gguf = gguf_library()
    source, deltas = Gguf(base), Deltas(adapter)
    deltas.check({t.name: t.shape for t in source.tensors})
    writer = gguf.GGUFWriter(out, source.text("general.architecture"))
    for name, field in source.fields.items():
        if name not in ("general.architecture", "general.file_type"):
            kind = gguf.GGUFValueType
            inner = None if field.inner is None else kind(field.inner)
            writer.add_key_value(name, field.contents, kind(field.kind), inner)
    stored = gguf.GGMLQuantizationType[store]
    writer.add_file_type(gguf.LlamaFileType.ALL_F32 if store == "F32" else gguf.LlamaFileType.MOSTLY_Q8_0)
    for done, tensor in enumerate(source.tensors):
        if progress is not None:
            progress(what, done, len(source.tensors))
        if len(tensor.shape) < 2:  # norms
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.kind)
            continue
        weights = deltas.added_to(tensor.name, source.array(tensor))  # (out, in)
        writer.add_tensor(tensor.name, gguf.quants.quantize(weights, stored), raw_dtype=stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    if progress is not None:
        progress(what, len(source.tensors), len(source.tensors))


def is_packaged(adapter: Path) -> bool:
    return adapter in (PACKAGED, *FOR_LEVEL.values())


class Deltas:
    """The pairs of an adapter file: `NAME.lora_a` (rank, in) and `NAME.lora_b` (out, rank)."""

    def __init__(self, path: Path):
        self.file = Gguf(path)
        if (self.file.text("general.type"), self.file.text("adapter.type")) != ("adapter", "lora"):
            raise CoterieError(f"'{path}' is not a LoRA adapter.")
        self.path, self.about = path, _own(self.file)
        _check(self.file, self.about)
        self.alpha = self.file.number("adapter.lora.alpha") or 0.0  # zero: as high as the rank
        if self.alpha < 0:
            raise CoterieError(f"'{path}' is no adapter: its alpha is {self.alpha:g}.")
        self.tensors = {tensor.name: tensor for tensor in self.file.tensors}
        self.ranks = check_pairs(path, {name: tensor.shape for name, tensor in self.tensors.items()})

    def check(self, base: dict[str, tuple[int, ...]]) -> None:
        """Every pair must fit a weight of the base; shapes are (out, in)."""
        for name in self.ranks:
            if name not in base:
                raise CoterieError(f"The adapter '{self.path}' changes '{name}', which this base model does not have.")
            a, b = self._pair(name)
            if (b.shape[0], a.shape[1]) != base[name]:
                raise CoterieError(f"The adapter '{self.path}' has another shape than '{name}' of this base model.")

    def _pair(self, name: str) -> tuple[Tensor, Tensor]:
        return self.tensors[f"{name}.lora_a"], self.tensors[f"{name}.lora_b"]

    @property
    def rank(self) -> int:
        """The highest; of a sound adapter the only one."""
        return max(self.ranks.values())

    def arrays(self) -> dict[str, Any]:
        """`NAME.lora_a` and `NAME.lora_b` as they are trained."""
        return {name: self.file.array(tensor) for name, tensor in self.tensors.items()}

    def added_to(self, name: str, weights: Any) -> Any:
        if name not in self.ranks:
            return weights
        a, b = map(self.file.array, self._pair(name))
        rank = self.ranks[name]
        with np.errstate(all="ignore"):
            found = weights + (self.alpha or rank) / rank * (b @ a)
        if not (np.abs(found) <= MOST_WEIGHT).all():  # nor would the scales of eight bits be
            raise CoterieError(f"The adapter '{self.path}' is damaged: what it adds to '{name}' are no numbers.")
        return found


# -- what adapters say of themselves ----------------------------------------------------------------------------------
def about(adapter: Path) -> dict[str, str]:
    """Return its training data, version and content hash; empty for a foreign adapter."""
    return _own(Gguf(adapter))


def content_hash(adapter: Path) -> str:
    """Of all that an adapter holds, but for its hash itself."""
    return _content(Gguf(adapter))


def _content(file: Gguf) -> str:
    digest = hashlib.sha256()
    for name, field in sorted(file.fields.items()):
        if name != HASH:
            digest.update(repr((name, field.contents)).encode())
    for tensor in sorted(file.tensors, key=lambda t: t.name):
        digest.update(repr((tensor.name, tensor.kind.name, list(tensor.shape[::-1]))).encode())
        digest.update(np.ascontiguousarray(tensor.data).tobytes())
    return digest.hexdigest()


def _own(file: Gguf) -> dict[str, str]:
    """Texts alone: other kinds of values are none of ours."""
    own = (name for name in file.fields if name.startswith(OWN))
    return {name.removeprefix(OWN): file.text(name) for name in own}


def _check(file: Gguf, own: dict[str, str]) -> None:
    path = file.path
    if own.get("format", FORMAT) != FORMAT:
        raise CoterieError(f"The adapter '{path}' was written by a later Coterie (format {own['format']}).")
    if "sha256" in own and own["sha256"] != _content(file):
        raise CoterieError(
            f"The adapter '{path}' is damaged: its content is not what its hash says. "
            + ("Install Coterie anew." if is_packaged(path) else "Export it anew: coterie learn export.")
        )
