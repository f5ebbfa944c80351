"""Light on solids: how bright a surface is by its normal, and the colours of a material by brightness."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
Ints = NDArray[np.integer]

AMBIENT, SUN, SHINE = 0.4, 0.58, 0.2
LEVELS = 200  # of light, for the plain colour of a solid; the levels above it are highlights


@dataclass(frozen=True)
class Light:
    """Directions in the frame of the eye: to the sun, and the one that mirrors the sun into the eye."""

    sun: Array
    mirror: Array

    def level(self, normals: Array, shiny: bool = True) -> Ints:
        """How bright surfaces with the normals (..., 3) are, 0 to 255."""
        n = np.asarray(normals)
        return brightness(n @ self.sun, n @ self.mirror if shiny else np.zeros(n.shape[:-1]))


def brightness(sun: Array, mirror: Array) -> Ints:
    """From how far a normal points to the sun and to the mirrored sun.

    Light wraps around a solid and fades with the square, so there is no border of light and shade, and no side that is
    as flat as a side in the dark would be.
    """
    bright = sun + np.float32(1)
    bright *= bright
    bright *= np.float32(SUN * LEVELS / 4)
    glint = np.maximum(mirror, np.float32(0.1))  # smaller ones would become numbers that are slow to work with
    for _ in range(4):
        glint *= glint
    glint *= np.float32(SHINE * LEVELS)
    bright += glint
    bright += np.float32(AMBIENT * LEVELS)
    return np.clip(bright, 0, 255).astype(np.uint8)


@lru_cache(maxsize=1024)
def ramp(rgb: tuple[float, ...]) -> NDArray[np.uint32]:
    """The colours of a material from its darkest side to its highlight, packed as pixels."""
    base = np.asarray(rgb[:3], float)
    grey = base @ (0.3, 0.59, 0.11)
    base = 0.03 + 0.94 * (0.9 * base + 0.1 * grey)  # full colours are tiring to look at
    share = np.arange(256)[:, None] / LEVELS
    dark = base * 0.3 + np.array([0.015, 0.02, 0.05])  # shade is a little blue, as under a sky
    lit = dark + (base - dark) * np.minimum(share, 1)
    lit = lit + (1 - lit) * np.clip((share - 1) * 2.2, 0, 0.75)
    out = np.full((256, 4), 255, np.uint8)
    out[:, :3] = np.clip(np.rint(lit * 255), 0, 255)
    return out.view(np.uint32)[:, 0]


def scaled(pixels: NDArray[np.uint32], keep: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Pixels made darker: each keeps so many 256ths of its light. Two channels are multiplied at a time."""
    even, odd = np.uint32(0x00FF00FF), np.uint32(0xFF00FF00)
    return (((pixels & even) * keep >> np.uint32(8)) & even) | ((((pixels >> np.uint32(8)) & even) * keep) & odd)
