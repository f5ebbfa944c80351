"""Writes docs/looks.png: what learners get of a camera, `rgb`, `depth` and `segmentation`:  python docs/looks.py"""

from __future__ import annotations

import colorsys
from pathlib import Path

import numpy as np
from PIL import Image

from coterie.core.config import Config
from coterie.gym import parallel_env

PIXELS, GAP, FAR_M = 320, 8, 6.0
LOOKS = ((4, "Bob"), (2, "Bob"), (5, "Alice"))  # seeds and robots, after a turn to the left


def main() -> None:
    env = parallel_env(Config("tidy", scene="rooms:3:51"), pixels=PIXELS)
    colours = [colorsys.hsv_to_rgb(i * 0.381966 % 1, 0.55, 0.9) for i in range(len(env.entry.segments()))]
    table = (255 * np.array([(0.15, 0.15, 0.15), *colours[1:]])).astype(np.uint8)
    rows = []
    for seed, robot in LOOKS:
        env.reset(seed=seed)
        observed, *_ = env.step(dict.fromkeys(env.agents, env.actions.spans["RotateLeft"][0]))
        look = observed[robot]
        near = np.clip(1 - look["depth"] / FAR_M, 0, 1) * (look["depth"] > 0)
        three = [look["rgb"], np.repeat((255 * near).astype(np.uint8)[..., None], 3, 2), table[look["segmentation"]]]
        rows.append(np.concatenate([np.pad(x, ((0, GAP), (0, GAP), (0, 0)), constant_values=255) for x in three], 1))
    picture = Image.fromarray(np.concatenate(rows)[:-GAP, :-GAP])
    picture.quantize(200, dither=Image.Dither.NONE).save(Path(__file__).with_suffix(".png"), optimize=True)


if __name__ == "__main__":
    main()
