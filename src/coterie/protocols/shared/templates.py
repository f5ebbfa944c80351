"""Prompts as composed text files, which are filled with values and read back.

A template is plain text with `${name}` slots; a slot nobody fills is an error. A slot whose value may have several
lines is written `${name...}`. A line all of whose slots are empty is left out; `\\n` within a line keeps a heading
together with what stands below it. A line that begins with `full|` or `compact,full|` belongs to these styles only,
`include: shared/skills` takes in another file, and `---` on a line of its own parts the system message from the user's.
What never changes in an episode stands first, so that it can be cached.

`render` fills a template, `read` gives back the texts in the slots of a prompt: oracles, which answer prompts without a
model, read them with the templates that wrote them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.protocol import Prompt

STYLES = ("compact", "full", "paper")
#: Levels of what a model is told, by name in tables and on the command line, with the style of prompt: as the
#: paper's prompts do, with what follows from it, or with all bookkeeping done (`compact` is the old word for it).
LEVELS = {"paper": "paper", "conversation": "paper", "full": "full", "assisted": "compact", "compact": "compact"}
#: The most characters of a thought and of a message: a reply that is cut off before its action says nothing.
LENGTHS = {"compact": (48, 200), "full": (1500, 300), "paper": (1500, 300)}
_FOLDER = Path(__file__).parents[1]  # of all protocols; each has its templates in `prompts`
_SLOT = re.compile(r"\$\{([a-z_]+(?:\.\.\.)?)\}")
_MANY = "..."


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


def asked_at(folder: str, *stages: str) -> tuple[dict[str, int], dict[str, int], dict[str, str]]:
    """Of all or some stages at which a protocol asks a model, from `stages.toml` beside its prompts: the most tokens of
    a reply, the same with full prompts where that is said, and what each stage is for."""
    import tomllib  # most commands do without

    rows = tomllib.loads((_FOLDER / folder / "prompts" / "stages.toml").read_text(encoding="utf-8"))
    some = {name: rows[name] for name in stages or rows}
    reply, long, about = ({n: r[key] for n, r in some.items() if key in r} for key in ("reply", "long", "about"))
    return reply, long, about


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
def _parts(name: str, style: str) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """The messages of a template by role, each line as text and slots in turn; slots of several lines end in dots."""
    parts = zip(("system", "user"), re.split(r"^---$", _styled(name, style), flags=re.M))
    return tuple(
        (role, tuple(tuple(_SLOT.split(line.replace("\\n", "\n"))) for line in part.strip().splitlines()))
        for role, part in parts
    )


@lru_cache(maxsize=256)
def _parsed(name: str, style: str) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """The same with the names of the slots alone."""
    return tuple(
        (role, tuple(tuple(t.removesuffix(_MANY) if i % 2 else t for i, t in enumerate(line)) for line in lines))
        for role, lines in _parts(name, style)
    )


class Slots(dict[str, str]):
    """The values that templates may ask for, by name; each is made from its subject when a template asks for it."""

    def __init__(self, makers: Mapping[str, Callable[[Any], str]], about: object, made: Mapping[str, str] = {}):
        super().__init__(made)
        self._makers, self._about = makers, about

    def __missing__(self, key: str) -> str:
        text = self[key] = self._makers[key](self._about)
        return text

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self._makers

    def but(self, others: Mapping[str, str]) -> Slots:
        """The same with others in some slots."""
        return Slots(self._makers, self._about, {**self, **others})


# -- writing ----------------------------------------------------------------------------------------------------------
def render(name: str, style: str, values: Mapping[str, str]) -> Prompt:
    """Fill a template; lines all of whose slots are empty are left out."""
    parsed = _parsed(name, style)
    try:
        return tuple([(role, "\n".join(_filled(lines, values))) for role, lines in parsed])
    except KeyError:
        slots = (slot for _, lines in parsed for line in lines for slot in line[1::2])
        lacking = next((slot for slot in slots if slot not in values), None)
        if lacking is None:  # the error comes from within a maker
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


# -- reading ----------------------------------------------------------------------------------------------------------
class Page(dict[str, str]):
    """The slots of a prompt as they were filled; a slot that is empty or not there has an empty text."""

    def __init__(self, name: str, style: str, slots: Mapping[str, str]):
        super().__init__(slots)
        self.name, self.style = name, style

    def __missing__(self, slot: str) -> str:
        return ""

    def but(self, /, **slots: str) -> Page:
        """The same page with other texts in some slots."""
        return Page(self.name, self.style, {**self, **slots})


def first(pattern: str, text: str, otherwise: str = "") -> str:
    """The group of the first match in a text, in which `^` and `$` are the ends of a line."""
    found = re.search(pattern, text, re.M)
    return found.group(1) if found else otherwise


class _Form(NamedTuple):
    """A line of a template as it is recognised."""

    slots: tuple[str, ...]
    pattern: re.Pattern[str] | None  # None: nothing but a slot, so that any line may be it
    many: bool  # lines that follow belong to its last slot until another form fits

    @property
    def must(self) -> bool:
        """Without a slot that could be empty, it is never left out."""
        return not self.slots


def _form(line: tuple[str, ...]) -> _Form:
    words, named = line[::2], line[1::2]
    slots = tuple(slot.removesuffix(_MANY) for slot in named)
    many = bool(named) and named[-1].endswith(_MANY)
    if slots and not any(words):
        return _Form(slots[:1], None, many)
    heading, newline, _ = words[0].partition("\n")
    if newline:  # what the slot holds begins in the next line
        return _Form(slots, re.compile(re.escape(heading)), many)
    gaps = ["(.*?)"] * (len(slots) - 1) + ["(.*)"] * bool(slots)
    pattern = "".join(re.escape(text) + gap for text, gap in zip(words, [*gaps, ""]))
    return _Form(slots, re.compile(pattern), many)


@lru_cache(maxsize=256)
def _forms(name: str, style: str) -> tuple[tuple[str, tuple[_Form, ...], frozenset[str]], ...]:
    """The messages of a template by role: the forms of their lines, and those lines that are always there."""
    return tuple(
        (role, tuple(map(_form, lines)), frozenset(line[0] for line in lines if len(line) == 1))
        for role, lines in _parts(name, style)
    )


def read(names: Iterable[str], prompt: Sequence[tuple[str, str]]) -> Page | None:
    """The page of the template that wrote a prompt, of those named; None where none of them did. Messages behind those
    of the template are left out: they ask for another reply to the same page."""
    best: tuple[int, Page] | None = None
    lines = [(role, text.split("\n")) for role, text in prompt[:2]]
    for name in names:
        for style in STYLES:
            slots: dict[str, str] = {}
            fit = _fit(name, style, lines, slots)
            if fit and (best is None or fit > best[0]):
                best = fit, Page(name, style, slots)
    return best[1] if best is not None else None


def _fit(name: str, style: str, prompt: Sequence[tuple[str, list[str]]], slots: dict[str, str]) -> int:
    """Read the messages of a template into `slots`; the number of lines that fit it, 0 where it is not this one."""
    messages, count = _forms(name, style), 0
    if len(prompt) < len(messages):
        return 0
    for (role, forms, always), (who, lines) in zip(messages, prompt):
        fit = _aligned(forms, lines, slots) if role == who and always.issubset(lines) else None
        if fit is None:
            return 0
        count += fit
    return count


def _aligned(forms: Sequence[_Form], lines: Iterable[str], slots: dict[str, str]) -> int | None:
    """Read lines into `slots`; the number of those with words of the template, None where they are not written so."""
    at, count, last = 0, 0, ""  # `last`: a slot of several lines, to which lines without words of the template belong
    for line in lines:
        k, match = _next_form(forms, at, line)
        if match is not None:
            slots.update(zip(forms[k].slots, match.groups() or ("",)))
            count += 1
        elif last:
            slots[last] += f"\n{line}" if slots[last] else line
            continue
        else:
            k = next((k for k in range(at, len(forms)) if forms[k].must or forms[k].pattern is None), len(forms))
            if k == len(forms) or forms[k].must:
                return None
            slots[forms[k].slots[0]] = line
        at, last = k + 1, forms[k].slots[-1] if forms[k].many else ""
    return count if not any(form.must for form in forms[at:]) else None


def _next_form(forms: Sequence[_Form], at: int, line: str) -> tuple[int, re.Match[str] | None]:
    """The next form that a line fits by its words, without passing one that is never left out; the latter comes before
    those with slots."""
    found: tuple[int, re.Match[str] | None] = at, None
    for k in range(at, len(forms)):
        pattern, must = forms[k].pattern, forms[k].must
        match = pattern.fullmatch(line) if pattern is not None and (must or found[1] is None) else None
        found = (k, match) if match is not None else found
        if must:
            break
    return found


@lru_cache(maxsize=256)
def template_hash(folder: str) -> str:
    """A fingerprint of all templates of a protocol, for logs and tables."""
    digest = hashlib.blake2b(digest_size=6)
    for path in [p for f in (folder, "shared") for p in sorted((_FOLDER / f / "prompts").glob("*.txt"))]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
