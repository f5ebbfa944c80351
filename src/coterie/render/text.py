"""How wide words are, without a font: enough to wrap lines and to keep labels apart."""

from __future__ import annotations

# Widths of DejaVu Sans in hundredths of the font size; fonts that stand in for it are narrower.
_GROUPS = {
    28: "'Iijl", 33: " ,.", 35: "/:;\\|f-", 40: "!()[]tr", 46: '"', 51: "*_`szc?", 57: "FLk", 60: "PTYaovxye",
    64: "$0123456789{}ESbdghnpqu", 69: "AVBRXZCK", 76: "DGHNUO&Q", 84: "#+<=>^~w", 87: "M", 97: "m%", 100: "@W",
}  # fmt: skip
_WIDTH = {c: w / 100 for w, chars in _GROUPS.items() for c in chars}
_BOLD = 1.13


def width(text: str, size: float, bold: bool = False) -> float:
    em = sum(_WIDTH.get(c, 0.64 if ord(c) < 0x2E80 else 1.0) for c in text)
    return em * size * (_BOLD if bold else 1.0)


def shorten(text: str, size: float, room: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis."""
    text = " ".join(text.split())
    if width(text, size, bold) <= room:
        return text
    while text and width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, size: float, room: float, lines: int, bold: bool = False) -> list[str]:
    """At most so many lines; what does not fit ends in an ellipsis."""
    words = text.split()
    out: list[str] = []
    while words and len(out) < lines - 1:
        row = words.pop(0)
        while words and width(f"{row} {words[0]}", size, bold) <= room:
            row = f"{row} {words.pop(0)}"
        out.append(shorten(row, size, room, bold))
    if words:
        out.append(shorten(" ".join(words), size, room, bold))
    return out
