"""`coterie arm`: arms of others for the table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError

_EXAMPLES = """\
examples:
  coterie arm import lite6.xml                          writes lite6_arm.toml and lite6_arm.xml here
  coterie arm import robot.urdf --tool cup --name Mule  a suction cup on its flange
  coterie run sort-cubes --arms ur5e,lite6_arm.toml,ur5e-suction
"""


def add(commands: Any) -> None:
    p = commands.add_parser(
        "arm",
        description="Read an arm of MJCF or URDF with MuJoCo, and write a card with its model beside it, which plays "
        "the jobs at the table (docs/own_arm.md).",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("action", choices=("import",), help="what to do")
    p.add_argument("file", type=Path, metavar="FILE", help="a model of one arm: .xml (MJCF) or .urdf")
    p.add_argument("--out", type=Path, metavar="FILE", help="where the card goes (default NAME_arm.toml here)")
    p.add_argument("--name", default="", metavar="NAME", help="what the body is called (default the file's name)")
    p.add_argument("--hand", default="", metavar="BODY", help="the last body of the arm, where it is not found")
    p.add_argument(
        "--tool", default="", choices=("own", "cup", "fingers"),
        help="what it holds with: its maker's gripper (default where it has one), a suction cup, or two fingers",
    )  # fmt: skip
    p.add_argument("--picture", type=Path, metavar="FILE", help="draw the arm at home, to see what was understood")
    p.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    p.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.codes import DONE
    from coterie.cli.drawing import check_pictures
    from coterie.cli.out import say, say_json
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
