"""A drawing as SVG and pixels as PNG, with the standard library alone."""

from __future__ import annotations

import base64
import struct
import zlib
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from coterie.core.visible import visible
from coterie.render.shapes import Bitmap, Box, Disc, Drawing, Path, Shape, Text


def to_png(pixels: NDArray[np.uint8]) -> bytes:
    """(rows, columns, 4) bytes for red, green, blue and how opaque."""
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + 4 * columns), np.uint8)  # each line begins with a byte that says: not filtered
    lines[:, 1:] = pixels.reshape(rows, -1)
    head = struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"


def to_svg(drawing: Drawing) -> str:
    w, h = _n(drawing.width), _n(drawing.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        f'font-family={quoteattr(FONT)} role="img">',
        f"<title>{_words(drawing.title)}</title>",
        f'<rect width="{w}" height="{h}" fill={_value(drawing.ground)}/>',
        *(_shape(s) for s in drawing.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _words(text: str) -> str:
    """Text of models may hold characters that XML forbids even when escaped, and others that nobody sees."""
    return escape(visible(text))


def _value(text: str) -> str:
    """Of an attribute: colours may come from a stranger's log."""
    return quoteattr(visible(str(text)))


def _paint(fill: str, stroke: str, width: float) -> str:
    painted = f"fill={_value(fill or 'none')}"
    return f'{painted} stroke={_value(stroke)} stroke-width="{_n(width)}"' if stroke else painted


def _shape(s: Shape) -> str:
    if isinstance(s, Box):
        radius = f' rx="{_n(s.radius)}"' if s.radius else ""
        place = f'x="{_n(s.x)}" y="{_n(s.y)}" width="{_n(max(0.0, s.w))}" height="{_n(max(0.0, s.h))}"'
        return f"<rect {place}{radius} {_paint(s.fill, s.stroke, s.width)}/>"
    if isinstance(s, Disc):
        return f'<circle cx="{_n(s.x)}" cy="{_n(s.y)}" r="{_n(s.r)}" {_paint(s.fill, s.stroke, s.width)}/>'
    if isinstance(s, Path):
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in s.points)
        dash = f' stroke-dasharray="{_n(s.dash[0])} {_n(s.dash[1])}"' if s.dash else ""
        kind = "polygon" if s.closed else "polyline"
        ends = ' stroke-linecap="round" stroke-linejoin="round"'
        return f'<{kind} points="{points}" {_paint(s.fill, s.stroke, s.width)}{dash}{ends}/>'
    return _bitmap(s) if isinstance(s, Bitmap) else _text(s)


def _bitmap(s: Bitmap) -> str:
    place = f'x="{_n(s.x)}" y="{_n(s.y)}" width="{_n(s.w)}" height="{_n(s.h)}" preserveAspectRatio="none"'
    blend = "auto" if s.smooth else "pixelated"
    data = base64.b64encode(to_png(s.pixels)).decode("ascii")
    return f'<image {place} style="image-rendering: {blend}" href="data:image/png;base64,{data}"/>'


def _text(s: Text) -> str:
    anchor = f" text-anchor={_value(s.anchor)}" if s.anchor != "start" else ""
    weight = ' font-weight="bold"' if s.bold else ""
    halo = f' stroke={_value(s.halo)} stroke-width="3" paint-order="stroke" stroke-linejoin="round"' if s.halo else ""
    place = f'x="{_n(s.x)}" y="{_n(s.y)}" font-size="{_n(s.size)}"'
    if s.text != s.text.strip():  # or the words would stick to those before them
        place += ' xml:space="preserve"'
    return f"<text {place} fill={_value(s.fill)}{anchor}{weight}{halo}>{_words(s.text)}</text>"
