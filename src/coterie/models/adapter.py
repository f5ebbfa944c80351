"""Merging a LoRA adapter into the base model, once, into the user's cache.

Applied at run time an adapter costs every call; merged it costs nothing. Weights become eight bits wide, which keeps
the answers of the adapter, where four bits would change some.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.models.chat import Progress
from coterie.models.store import cache_dir, locked, scratch, sha256_of

#: The trained adapter that comes with the package, if it does.
PACKAGED = Path(__file__).with_name("adapter.gguf")
_RECIPE = "1"  # another number for another way of merging, so that cached files are made anew


def merged(base: Path, adapter: Path, progress: Progress | None = None) -> Path:
    """The base model with the adapter in it, from the cache or made now."""
    if not adapter.is_file():
        raise CoterieError(f"There is no adapter '{adapter}'.")
    stat = base.stat()
    key = hashlib.sha256(f"{_RECIPE} {base.name} {stat.st_size} {sha256_of(adapter)}".encode()).hexdigest()[:16]
    target = cache_dir() / "models" / f"{base.stem.partition('.')[0]}-{key}.Q8_0.gguf"
    if not target.is_file():
        with locked(target):
            if not target.is_file():
                with scratch(target) as folder:
                    part = folder / target.name
                    merge(base, adapter, part, progress)
                    os.replace(part, target)
    return target


def merge(base: Path, adapter: Path, out: Path, progress: Progress | None = None) -> None:
    """Write `base + alpha / rank * B A` with all of the base's metadata."""
    gguf = _gguf()
    source, deltas = _reader(base), _Deltas(adapter)
    deltas.check({t.name: tuple(t.shape) for t in source.tensors})
    writer = gguf.GGUFWriter(out, source.get_field("general.architecture").contents())
    for name, field in source.fields.items():
        if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
            kind = field.types[0]
            inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), kind, inner)
    eight_bits = gguf.GGMLQuantizationType.Q8_0
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    for done, tensor in enumerate(source.tensors):
        if progress is not None:
            progress("Merging the adapter", done, len(source.tensors))
        if len(tensor.shape) < 2:  # norms
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
            continue
        weights = gguf.quants.dequantize(tensor.data, tensor.tensor_type)  # (out, in)
        weights = deltas.added_to(tensor.name, weights)
        writer.add_tensor(tensor.name, gguf.quants.quantize(weights, eight_bits), raw_dtype=eight_bits)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    if progress is not None:
        progress("Merging the adapter", len(source.tensors), len(source.tensors))


class _Deltas:
    """The pairs of an adapter file: `NAME.lora_a` (rank, in) and `NAME.lora_b` (out, rank)."""

    def __init__(self, path: Path):
        reader = _reader(path)
        kind = [_text(reader, "general.type"), _text(reader, "adapter.type")]
        if kind != ["adapter", "lora"]:
            raise CoterieError(f"'{path}' is not a LoRA adapter.")
        self.path = path
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

    def added_to(self, name: str, weights: Any) -> Any:
        pair = self.pairs.get(name)
        if pair is None:
            return weights
        dequantize = _gguf().quants.dequantize
        a, b = (dequantize(pair[part].data, pair[part].tensor_type) for part in ("lora_a", "lora_b"))
        rank = a.shape[0]
        return weights + (self.alpha or rank) / rank * (b @ a)


def _text(reader: Any, name: str) -> str:
    field = reader.get_field(name)
    return str(field.contents()) if field is not None else ""


def _reader(path: Path) -> Any:
    try:
        return _gguf().GGUFReader(path)
    except (ValueError, OSError, IndexError) as err:
        raise CoterieError(f"'{path}' is not a GGUF file.") from err


def _gguf() -> Any:
    try:
        import gguf
    except ImportError:
        raise CoterieError("Merging an adapter needs the package gguf: pip install 'coterie[embedded]'.") from None
    return gguf
