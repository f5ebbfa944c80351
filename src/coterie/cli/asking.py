"""How a model is asked, from the command line: the same options for one episode and for a bench."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ASKING = ("deadline", "temperature", "max-tokens", "stream")  # the log names the protocol with its interval


def asking_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options as arguments of `make_model`."""
    said = {"deadline_s": args.deadline, "temperature": args.temperature, "max_tokens": args.max_tokens}
    return {**{name: value for name, value in said.items() if value is not None}, "stream": args.stream}


def unlearnt(model: str, protocols: Sequence[str]) -> str:
    """A sentence where the adapter of a model such as `embedded` or `embedded:mine.gguf` was trained on other prompts;
    the model may stand in another, as in `reworded:embedded`."""
    _, embedded, file = f":{model}".partition(":embedded")
    if not embedded or file == ":untrained":
        return ""
    from coterie.core.protocol import asks_model
    from coterie.learn.binding import mismatch
    from coterie.models.adapter import FOR_LEVEL, PACKAGED
    from coterie.protocols import level_of

    asking: dict[Path, list[str]] = {}
    for name in filter(asks_model, protocols):
        own = Path(file.removeprefix(":")) if file.endswith(".gguf") else FOR_LEVEL.get(level_of(name), PACKAGED)
        asking.setdefault(own, []).append(name)
    return " ".join(filter(None, (mismatch(path, names) for path, names in asking.items() if path.is_file())))
