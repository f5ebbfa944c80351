"""`coterie arm`: arms of others for the table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from coterie.cli.options import add_command
from coterie.core.errors import CoterieError


def add(commands: Any) -> None:
    add_command(commands, "arm", run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.drawing import check_pictures
    from coterie.cli.out import DONE, say, say_json
    from coterie.motion.makers.imported import import_arm

    out = args.out or Path(f"{args.file.stem}_arm.toml")
    if out.suffix != ".toml" or out.with_suffix(".xml").absolute() == args.file.absolute():
        raise CoterieError(f"--out {out}: a card ends in .toml, and its model (.xml) must not replace what it is from.")
    check_pictures(args.picture, None)
    if args.picture is not None and args.picture.suffix != ".png":
        raise CoterieError(f"--picture {args.picture}: pictures of arms are .png files.")
    told = import_arm(args.file, out, args.hand, args.tool, args.name)
    picture = _picture(out, args.picture) if args.picture is not None else None
    if args.json:
        say_json({"card": str(out), "told": list(told), "picture": picture and str(picture)})
        return DONE
    for words in told:
        say(words)
    if picture is not None:
        say(f"picture  {picture}")
    say(f"{out}: play a job with it: coterie run sort-cubes --arms {out}")
    return DONE


def _picture(card: Path, path: Path) -> Path:
    """The arm alone, at home; a red ball marks the point of aim of its hand."""
    from coterie.motion.arm import arms_of, home_all
    from coterie.motion.bodies import Mount, add_arm
    from coterie.motion.needs import mujoco
    from coterie.render.files import save_image
    from coterie.render.raster import need_pillow
    from coterie.render.solids.solids import Solids, fit

    need_pillow()
    from PIL import Image

    mj = mujoco()
    spec, mount = mj.MjSpec(), Mount("Arm", str(card), (0.0, 0.0, 0.0))
    add_arm(spec, mount)
    aim = spec.site("Arm/ee")
    aim.parent.add_geom(type=mj.mjtGeom.mjGEOM_SPHERE, pos=aim.pos, size=[0.01, 0, 0], rgba=[0.9, 0.1, 0.1, 1])
    model = spec.compile()
    data = mj.MjData(model)
    home_all(model, data, arms_of(model, [mount]).values())
    return save_image(Image.fromarray(Solids(model, camera=fit(model, data, 60.0, -20.0)).frame(data, "", None)), path)
