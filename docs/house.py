"""Writes docs/house.png, a generated house in MuJoCo after two seconds:  MUJOCO_GL=egl python docs/house.py"""

from __future__ import annotations

from pathlib import Path

import mujoco
from PIL import Image

from coterie.houses.mjcf import to_mjcf
from coterie.houses.procthor.generate import generated

WIDTH, HEIGHT, FINER, SECONDS = 960, 600, 2, 2.0


def main() -> None:
    house = generated(6, 17)
    model = mujoco.MjModel.from_xml_string(to_mjcf(house).xml)
    model.vis.global_.offwidth, model.vis.global_.offheight = FINER * WIDTH, FINER * HEIGHT
    data = mujoco.MjData(model)
    while data.time < SECONDS:
        mujoco.mj_step(model, data)
    camera = mujoco.MjvCamera()
    x0, y0, x1, y1 = house.box
    camera.lookat, camera.distance = ((x0 + x1) / 2, (y0 + y1) / 2, 0.0), 1.3 * max(x1 - x0, y1 - y0)
    camera.azimuth, camera.elevation = 80.0, -58.0
    with mujoco.Renderer(model, FINER * HEIGHT, FINER * WIDTH) as renderer:
        renderer.update_scene(data, camera)
        picture = Image.fromarray(renderer.render()).resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    picture.quantize(128, dither=Image.Dither.NONE).save(Path(__file__).with_suffix(".png"), optimize=True)


if __name__ == "__main__":
    main()
