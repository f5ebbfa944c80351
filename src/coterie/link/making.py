"""Robots from an engineer's file: Python code, which may do whatever the user may do, or a TOML file for ROS 2."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from coterie.core.bounds import can_take_part
from coterie.core.errors import CoterieError
from coterie.link.robot import Robot


def make_robots(file: str, names: Sequence[str], bridge: str = "") -> list[Robot]:
    path = Path(file).resolve()
    if not path.is_file() or path.suffix not in (".py", ".toml"):
        raise CoterieError(f"There is no Python file '{file}' with robots, and no TOML file of a robot with ROS 2.")
    for name in names:
        if not can_take_part(name):
            raise CoterieError(f"'{name[:80]}' cannot be the name of a robot: letters, digits and _, 60 at most.")
    if path.suffix == ".toml":
        from coterie.link.ros2 import Ros2Robot  # only these need it

        if len(names) > 1:
            raise CoterieError(f"'{file}' describes one robot; start a driver for each of {', '.join(names)}.")
        return [Ros2Robot(names[0], path, bridge)]
    if bridge:
        raise CoterieError(f"--bridge is for TOML files of robots with ROS; '{file}' is none.")
    spec = importlib.util.spec_from_file_location(f"coterie_robot_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise CoterieError(f"'{file}' is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        make = getattr(module, "make", None)
        if not callable(make):
            raise CoterieError(f"'{file}' has no make(name) that returns a robot; see docs/drivers.md.")
        robots = [make(name) for name in names]
    except CoterieError:
        raise
    except (Exception, SystemExit) as err:
        raise CoterieError(f"'{file}' could not be used: {type(err).__name__}: {err}.") from err
    for name, robot in zip(names, robots):
        if not isinstance(robot, Robot) or robot.name != name:
            raise CoterieError(f"make('{name}') in '{file}' returned {robot!r:.80}; it returns a Robot of that name.")
    return robots
