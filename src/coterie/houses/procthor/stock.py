"""Things for the furniture of a plan: what belongs there by the placement table, about as often as ProcTHOR does."""

from __future__ import annotations

import random
from functools import cache

from coterie.houses.model import FLOOR, Furniture
from coterie.houses.placement import Kind, Size, assets, kinds, surface_m, usual
from coterie.houses.procthor.fitting import Fitter, Placed
from coterie.houses.procthor.furnish import legs_of
from coterie.houses.procthor.layout import FIRST_ROOM

MORE = 0.14  # added to every chance but for seats, so that there is about as much as in real houses
SEATS = frozenset({"Chair", "ArmChair", "Stool"})
MOST_ALIKE = 3  # of one kind on one receptacle
SMALL_PLANT_M = 0.75
ON_FLOOR = {"Plunger": 0.8}  # how often in a room where it is usual; all else SELDOM
SELDOM = 0.12
TRIES = 8
Json = dict[str, object]
EDGE_M = 0.03


class Stocker:
    def __init__(self, rng: random.Random, fitter: Fitter):
        self.rng, self.fitter = rng, fitter
        self.bias = -0.3 + 0.4 * rng.betavariate(3.5, 1.9)  # some houses are full, some nearly empty
        self._count = 0

    def stock(self, placed: Placed) -> None:
        """Puts things onto a receptacle."""
        room = self.fitter.layout.kinds[placed.room]
        base = self.bias + (0.0 if placed.kind in SEATS else MORE)
        lying: list[tuple[int, float, float, float, float]] = []
        could = [k for k in _lie_on(placed.kind) if usual(k.name, room)]
        groups = [k for k in could if self.rng.random() < k.on[placed.kind] + base]
        self.rng.shuffle(groups)
        if placed.kind in ("TVStand", "Sink"):  # they are made for something
            made_for = kinds()["Television" if placed.kind == "TVStand" else "Faucet"]
            groups = [made_for, *(k for k in groups if k is not made_for)]
        for kind in groups:
            for i in range(MOST_ALIKE):
                if i and self.rng.random() > kind.on.get(placed.kind, 0.0):
                    break
                self._lay(placed, kind, lying)

    def _lay(self, placed: Placed, kind: Kind, lying: list[tuple[int, float, float, float, float]]) -> None:
        asset, size = self.rng.choice(_small(kind.name))
        yaw = placed.yaw_deg if not kind.thing else self.rng.choice((0, 90, 180, 270))
        piece = Furniture("", placed.kind, "", (placed.x, placed.y), placed.size, placed.yaw_deg)
        legs = legs_of(placed.asset, piece)
        turned = yaw % 180 != 0
        w, d = (size[1], size[0]) if turned else size[:2]
        for _ in range(TRIES):
            n = self.rng.randrange(len(legs))
            xs, ys = zip(*legs[n].corners, strict=True)
            x0, x1, y0, y1 = min(xs) + EDGE_M, max(xs) - EDGE_M, min(ys) + EDGE_M, max(ys) - EDGE_M
            if x1 - x0 < w or y1 - y0 < d:
                if kind.thing or len(legs) > 1:
                    continue
                x, y = placed.x, placed.y  # a television may be wider than its stand
            else:
                x, y = self.rng.uniform(x0 + w / 2, x1 - w / 2), self.rng.uniform(y0 + d / 2, y1 - d / 2)
            rect = (n, x - w / 2, y - d / 2, x + w / 2, y + d / 2)
            if any(n == m and rect[1] < c and a < rect[3] and rect[2] < e and b < rect[4] for m, a, b, c, e in lying):
                continue
            lying.append(rect)
            height = surface_m(placed.kind, placed.size[2]) + size[2] / 2
            placed.children.append(self.item(asset, kind.name, placed.room, x, y, height, yaw))
            return

    def on_floor(self, room: int) -> list[Json]:
        """Things that may stand on the floor, such as boots and a box."""
        found = []
        where = self.fitter.layout.kinds[room]
        for kind in (k for k in kinds().values() if k.thing and FLOOR in k.on and usual(k.name, where)):
            if self.rng.random() < ON_FLOOR.get(kind.name, SELDOM):
                asset, size = self.rng.choice(_small(kind.name))
                spot = self.fitter.spot(room, size)
                if spot is not None:
                    found.append(self.item(asset, kind.name, room, *spot, size[2] / 2, 0))
        return found

    def item(self, asset: str, kind: str, room: int, x: float, y: float, height: float, yaw: float) -> Json:
        """As ProcTHOR writes it: y up, clockwise."""
        self._count += 1
        return {
            "assetId": asset,
            "id": f"{kind}|{room + FIRST_ROOM}|{self._count}",
            "kinematic": not kinds()[kind].thing,
            "layer": f"Procedural{room % 4}",
            "position": {"x": round(x, 3), "y": round(height, 3), "z": round(y, 3)},
            "rotation": {"x": 0, "y": -yaw % 360, "z": 0},
        }


@cache
def _lie_on(receptacle: str) -> tuple[Kind, ...]:
    return tuple(k for k in kinds().values() if receptacle in k.on)


@cache
def _small(kind: str) -> tuple[tuple[str, Size], ...]:
    """Assets of a kind that go onto furniture."""
    many = tuple((name, size) for name, (k, size) in assets().items() if k == kind)
    return tuple(m for m in many if m[1][2] < SMALL_PLANT_M) if kind == "HousePlant" else many
