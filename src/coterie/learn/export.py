"""What was trained, as the adapter file that the embedded model merges into itself on first use."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from coterie.learn.needs import needed

Bits = Literal[8, 16]


def export(
    pairs: dict[str, np.ndarray], alpha: float, out: Path, bits: Bits = 16, about: dict[str, str] | None = None
) -> int:
    """Write an adapter; how many bytes it has. `about` says what it was trained on, for those who load it."""
    gguf = needed("gguf")
    part = out.with_name(out.name + ".part")
    writer = gguf.GGUFWriter(part, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for name, words in (about or {}).items():
        writer.add_string(f"coterie.{name}", words)
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
    part.replace(out)
    return out.stat().st_size
