"""How wide words are, without a font: enough to wrap lines and to keep labels apart."""

from __future__ import annotations

from collections import deque

# Widths of DejaVu Sans in hundredths of the font size; fonts that stand in for it are narrower.
_GROUPS = {
    28: "'Iijl", 33: " ,.", 35: "/:;\\|f-", 40: "!()[]tr", 46: '"', 51: "*_`szc?", 57: "FLk", 60: "PTYaovxye",
    64: "$0123456789{}ESbdghnpqu", 69: "AVBRXZCK", 76: "DGHNUO&Q", 84: "#+<=>^~w", 87: "M", 97: "m%", 100: "@W",
}  # fmt: skip
_WIDTH = {c: w / 100 for w, chars in _GROUPS.items() for c in chars}
_BOLD = 1.13
_NARROWEST = min(_WIDTH.values())


def width(text: str, size: float, bold: bool = False) -> float:
    return sum(map(_em, text)) * size * (_BOLD if bold else 1.0)


def _em(c: str) -> float:
    return _WIDTH.get(c) or (0.64 if ord(c) < 0x2E80 else 1.0)


def shorten(text: str, size: float, room: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis."""
    text = " ".join(text.split())
    if len(text) * size * _NARROWEST <= room and width(text, size, bold) <= room:
        return text
    unit, em, end = size * (_BOLD if bold else 1.0), _em("…"), 0
    while end < len(text) and (em := em + _em(text[end])) * unit <= room:
        end += 1
    return text[:end].rstrip() + "…"


def wrap(text: str, size: float, room: float, lines: int, bold: bool = False) -> list[str]:
    """At most so many lines; what does not fit ends in an ellipsis."""
    words = deque(text.split())
    out: list[str] = []
    while words and len(out) < lines - 1:
        row = words.popleft()
        while words and width(f"{row} {words[0]}", size, bold) <= room:
            row = f"{row} {words.popleft()}"
        out.append(shorten(row, size, room, bold))
    if words:
        out.append(shorten(" ".join(words), size, room, bold))
    return out
