"""Prompts as composed text files.

A template is plain text with `${name}` slots; a slot nobody fills is an error. A line that begins with `full|` or
`compact,full|` belongs to these styles only, `include: shared/skills` takes in another file, and `---` on a line of
its own parts the system message from the user's. What never changes in an episode stands first,
so that it can be cached.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

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


@lru_cache(maxsize=256)
def _parsed(name: str, style: str) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """The messages of a template by role, each line as text and slots in turn."""
    parts = zip(("system", "user"), re.split(r"^---$", _styled(name, style), flags=re.M))
    return tuple((role, tuple(tuple(_SLOT.split(line)) for line in part.strip().splitlines())) for role, part in parts)


class Slots(Mapping[str, str]):
    """What templates may ask for, by name: what makes each text of what it is about, asked when a template does."""

    def __init__(self, makers: Mapping[str, Callable[[Any], str]], about: object, made: Mapping[str, str] = {}):
        self._makers, self._about, self._made = makers, about, dict(made)

    def __getitem__(self, key: str) -> str:
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._makers[key](self._about)
        return made

    def __contains__(self, key: object) -> bool:
        return key in self._made or key in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter({**self._makers, **self._made})

    def __len__(self) -> int:
        return len({**self._makers, **self._made})

    def but(self, others: Mapping[str, str]) -> Slots:
        """The same with others in some slots."""
        return Slots(self._makers, self._about, {**self._made, **others})


def render(name: str, style: str, values: Mapping[str, str]) -> Prompt:
    """Fill a template; lines all of whose slots are empty are left out."""
    parsed = _parsed(name, style)
    try:
        return tuple([(role, "\n".join(_filled(lines, values))) for role, lines in parsed])
    except KeyError:
        slots = (slot for _, lines in parsed for line in lines for slot in line[1::2])
        lacking = next((slot for slot in slots if slot not in values), None)
        if lacking is None:  # what makes one is at fault
            raise
        raise CoterieError(f"The prompt template '{name}' asks for '{lacking}', which nobody gave.") from None


def _filled(lines: Iterable[tuple[str, ...]], values: Mapping[str, str]) -> list[str]:
    found = []
    for line in lines:
        if len(line) == 1:
            found.append(line[0])
        elif len(line) == 3:  # most have one slot
            if text := values[line[1]]:
                found.append(f"{line[0]}{text}{line[2]}")
        else:
            filled = list(line)
            filled[1::2] = texts = [values[slot] for slot in line[1::2]]
            if any(texts):
                found.append("".join(filled))
    return found


@lru_cache(maxsize=256)
def template_hash(folder: str) -> str:
    """A fingerprint of all templates of a protocol, for logs and tables."""
    digest = hashlib.blake2b(digest_size=6)
    for path in [p for f in (folder, "shared") for p in sorted((_FOLDER / f / "prompts").glob("*.txt"))]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
