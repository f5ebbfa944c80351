"""Camera pictures of a house for those who read pixels: learners and vision models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from coterie.houses.model import House
from coterie.houses.placement import kinds
from coterie.worlds.household.perception import CELL_M, Camera, Eye, Scene
from coterie.worlds.household.perception.image import PIXELS, Image, Studio

_FIRST = ("nothing", "ground", "wall", "door", "robot", "other")


def classes() -> tuple[str, ...]:
    """The classes of a segmentation, the same for all houses: a pixel holds the index of one of them."""
    return (*_FIRST, *kinds())


class Photos:
    """Takes colour pictures of one house."""

    def __init__(self, house: House):
        from coterie.worlds.household.pictures.eyes import paint
        from coterie.worlds.household.pictures.plan import Plan

        self.house, self.plan, self._studio = house, Plan(house, CELL_M), Studio(house, paint(house, {}))

    def take(self, scene: Scene, eye: Eye, camera: Camera, robot: str, pixels: int = PIXELS) -> Image:
        return self._studio.take(scene, eye, camera, robot, pixels)

    def colours(self, image: Image, marked: bool = True) -> NDArray[np.uint8]:
        """Red, green, blue and opacity of each pixel; `marked`: with outlines, and pale beyond the range."""
        from coterie.worlds.household.pictures.eyes import shown

        return shown(image, self.plan, marked)

    def arrays(self, image: Image) -> Mapping[str, NDArray]:
        """A picture as arrays: `rgb` (rows, columns, 3), `depth` [m] and `segmentation` (indices of `classes()`)."""
        robots = len(image.names) - len(self._studio.names)
        table = np.concatenate((self._classes, np.full(robots, _FIRST.index("robot"), np.int16)))
        near = np.isfinite(image.depth)
        return {
            "rgb": self.colours(image, marked=False)[..., :3],
            "depth": np.where(near, image.depth, 0.0).astype(np.float32),
            "segmentation": np.where(near, table[image.owner], 0),
        }

    @cached_property
    def _classes(self) -> NDArray[np.int16]:
        """The class of each owner of pixels that stands in the house from the beginning."""
        number = {name: i for i, name in enumerate(classes())}
        there = [*(p.kind for p in self.house.furniture), *("door" for _ in self.house.doors)]
        there += [t.kind for t in self.house.things]
        return np.array([0, 1, 2, *(number.get(kind, number["other"]) for kind in there)], np.int16)
