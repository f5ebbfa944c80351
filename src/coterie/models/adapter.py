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
from coterie.models.stamp import put_stamp, sha256_of, sound, stamp_of
from coterie.models.store import cache_dir, locked, scratch

#: The trained adapter that comes with the package, if it does.
PACKAGED = Path(__file__).with_name("adapter.gguf")
UNTRAINED = Path("untrained")  # in place of an adapter: none, not even the one that comes with the package
#: How adapters are written; what they say of themselves stands in fields that begin with OWN.
FORMAT = "1"
OWN, HASH = "coterie.", "coterie.sha256"
MERGING = "Merging the adapter"
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
    gguf = _gguf()
    source, deltas = _reader(base), Deltas(adapter)
    deltas.check({t.name: tuple(t.shape) for t in source.tensors})
    writer = gguf.GGUFWriter(out, source.get_field("general.architecture").contents())
    for name, field in source.fields.items():
        if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
            kind = field.types[0]
            inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), kind, inner)
    stored = gguf.GGMLQuantizationType[store]
    writer.add_file_type(gguf.LlamaFileType.ALL_F32 if store == "F32" else gguf.LlamaFileType.MOSTLY_Q8_0)
    for done, tensor in enumerate(source.tensors):
        if progress is not None:
            progress(what, done, len(source.tensors))
        if len(tensor.shape) < 2:  # norms
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
            continue
        weights = gguf.quants.dequantize(tensor.data, tensor.tensor_type)  # (out, in)
        weights = deltas.added_to(tensor.name, weights)
        writer.add_tensor(tensor.name, gguf.quants.quantize(weights, stored), raw_dtype=stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    if progress is not None:
        progress(what, len(source.tensors), len(source.tensors))


class Deltas:
    """The pairs of an adapter file: `NAME.lora_a` (rank, in) and `NAME.lora_b` (out, rank)."""

    def __init__(self, path: Path):
        reader = _reader(path)
        kind = [_text(reader, "general.type"), _text(reader, "adapter.type")]
        if kind != ["adapter", "lora"]:
            raise CoterieError(f"'{path}' is not a LoRA adapter.")
        self.path, self.about = path, _own(reader)
        _check(reader, path, self.about)
        alpha = reader.get_field("adapter.lora.alpha")
        self.alpha = float(alpha.contents()) if alpha is not None else 0.0  # zero: as high as the rank
        self.pairs: dict[str, dict[str, Any]] = {}
        for tensor in reader.tensors:
            name, _, part = tensor.name.rpartition(".")
            self.pairs.setdefault(name, {})[part] = tensor

    def check(self, base: dict[str, tuple[int, ...]]) -> None:
        """Every pair must fit a weight of the base; shapes are (in, out), as the file format has them."""
        for name, pair in self.pairs.items():
            if name not in base or set(pair) != {"lora_a", "lora_b"}:
                raise CoterieError(f"The adapter '{self.path}' changes '{name}', which this base model does not have.")
            a, b = pair["lora_a"].shape, pair["lora_b"].shape
            if (a[0], b[1]) != base[name] or a[1] != b[0]:
                raise CoterieError(f"The adapter '{self.path}' has another shape than '{name}' of this base model.")

    @property
    def rank(self) -> int:
        """The highest; of a sound adapter the only one."""
        return max((int(pair["lora_a"].shape[1]) for pair in self.pairs.values() if "lora_a" in pair), default=0)

    def arrays(self) -> dict[str, Any]:
        """`NAME.lora_a` and `NAME.lora_b` as they are trained."""
        dequantize = _gguf().quants.dequantize
        return {
            f"{name}.{part}": np.asarray(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
            for name, pair in self.pairs.items()
            for part, tensor in pair.items()
        }

    def added_to(self, name: str, weights: Any) -> Any:
        pair = self.pairs.get(name)
        if pair is None:
            return weights
        dequantize = _gguf().quants.dequantize
        a, b = (dequantize(pair[part].data, pair[part].tensor_type) for part in ("lora_a", "lora_b"))
        rank = a.shape[0]
        with np.errstate(all="ignore"):
            found = weights + (self.alpha or rank) / rank * (b @ a)
        if not np.isfinite(found).all():
            raise CoterieError(f"The adapter '{self.path}' is damaged: what it adds to '{name}' are no numbers.")
        return found


# -- what adapters say of themselves ----------------------------------------------------------------------------------
def about(adapter: Path) -> dict[str, str]:
    """What it was trained on, with which version, and the hash of its content; empty of a foreign one."""
    return _own(_reader(adapter))


def content_hash(adapter: Path) -> str:
    """Of all that an adapter holds, but for its hash itself."""
    return _content(_reader(adapter))


def _content(reader: Any) -> str:
    digest = hashlib.sha256()
    for name, field in sorted(reader.fields.items()):
        if not name.startswith("GGUF.") and name != HASH:
            digest.update(repr((name, field.contents())).encode())
    for tensor in sorted(reader.tensors, key=lambda t: str(t.name)):
        digest.update(repr((tensor.name, tensor.tensor_type.name, [int(n) for n in tensor.shape])).encode())
        digest.update(np.ascontiguousarray(tensor.data).tobytes())
    return digest.hexdigest()


def _own(reader: Any) -> dict[str, str]:
    own = {name: field for name, field in reader.fields.items() if name.startswith(OWN)}
    return {name.removeprefix(OWN): str(field.contents()) for name, field in own.items()}


def _check(reader: Any, path: Path, own: dict[str, str]) -> None:
    if own.get("format", FORMAT) != FORMAT:
        raise CoterieError(f"The adapter '{path}' was written by a later Coterie (format {own['format']}).")
    if "sha256" in own and own["sha256"] != _content(reader):
        raise CoterieError(
            f"The adapter '{path}' is damaged: its content is not what its hash says. "
            + ("Install Coterie anew." if path == PACKAGED else "Export it anew: coterie learn export.")
        )


def _text(reader: Any, name: str) -> str:
    field = reader.get_field(name)
    return str(field.contents()) if field is not None else ""


def _reader(path: Path) -> Any:
    try:
        return _gguf().GGUFReader(path)
    except (ValueError, OSError, IndexError, KeyError, TypeError, OverflowError, MemoryError) as err:
        raise CoterieError(f"'{path}' is not a GGUF file.") from err


def _gguf() -> Any:
    try:
        import gguf
    except ImportError:
        raise CoterieError("Merging an adapter needs the package gguf: pip install 'coterie[embedded]'.") from None
    return gguf
