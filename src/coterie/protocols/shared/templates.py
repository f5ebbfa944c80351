"""Prompts as composed text files.

A template is plain text with `${name}` slots; a slot nobody fills is an error. A line that begins with `full|` or
`compact,full|` belongs to these styles only, `include: shared/skills` takes in another file, and `---` on a line of
its own parts the system message from the user's. What never changes in an episode stands first,
so that it can be cached.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from coterie.core.errors import CoterieError
from coterie.core.protocol import Prompt

STYLES = ("compact", "full", "paper")
_FOLDER = Path(__file__).parents[1]  # of all protocols; each has its templates in `prompts`
_SLOT = re.compile(r"\$\{([a-z_]+)\}")


@lru_cache(maxsize=256)
def source(name: str) -> str:
    """The text of a template with everything it includes."""
    folder, _, file = name.partition("/")
    path = _FOLDER / folder / "prompts" / f"{file}.txt"
    if not path.is_file():
        raise CoterieError(f"There is no prompt template '{name}'.")
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("include: "):
            lines.append(source(line[9:].strip()))
        else:
            lines.append(line)
    return "\n".join(lines)


@lru_cache(maxsize=256)
def _styled(name: str, style: str) -> str:
    if style not in STYLES:
        raise CoterieError(f"No prompt style '{style}'. There are: {', '.join(STYLES)}.")
    kept = []
    for line in source(name).splitlines():
        tag, bar, rest = line.partition("|")
        if bar and set(tag.split(",")) <= set(STYLES):
            if style in tag.split(","):
                kept.append(rest.removeprefix(" "))
        else:
            kept.append(line)
    return "\n".join(kept)


def render(name: str, style: str, values: Mapping[str, str]) -> Prompt:
    """Fill a template; lines whose only slot is empty are left out."""

    def slot(match: re.Match[str]) -> str:
        key = match.group(1)
        if key not in values:
            raise CoterieError(f"The prompt template '{name}' asks for '{key}', which nobody gave.")
        return values[key]

    messages = []
    for role, part in zip(("system", "user"), re.split(r"^---$", _styled(name, style), flags=re.M)):
        lines = []
        for line in part.strip().splitlines():
            slots = _SLOT.findall(line)
            if slots and all(values.get(s, "?") == "" for s in slots):
                continue
            lines.append(_SLOT.sub(slot, line))
        messages.append((role, "\n".join(lines)))
    return tuple(messages)


def template_hash(folder: str) -> str:
    """A fingerprint of all templates of a protocol, for logs and tables."""
    digest = hashlib.blake2b(digest_size=6)
    for path in [p for f in (folder, "shared") for p in sorted((_FOLDER / f / "prompts").glob("*.txt"))]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
