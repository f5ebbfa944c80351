"""What was trained, as the adapter file that the embedded model merges into itself on first use."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from coterie import __version__
from coterie.learn.needs import needed
from coterie.models.adapter import FORMAT, OWN, content_hash

Bits = Literal[8, 16]


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
    eight = gguf.GGMLQuantizationType.Q8_0
    for name, array in pairs.items():
        # The file's blocks are 32 numbers long: thin sides whose rows are shorter stay as they are.
        if bits == 8 and array.shape[-1] % 32 == 0:
            writer.add_tensor(name, gguf.quants.quantize(array.astype(np.float32), eight), raw_dtype=eight)
        else:
            writer.add_tensor(name, array.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
