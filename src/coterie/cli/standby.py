"""Runs with robots of flesh and steel: who drives them, and who goes on when the coordinator is gone."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.out import complain, say
from coterie.core.bounds import read_json
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.files import CannotWrite, InUse, Lock
from coterie.core.record import DAMAGE
from coterie.log.file import hold, read_log

if TYPE_CHECKING:
    from coterie.core.config import Config
    from coterie.core.event import Event

BY_USER = "by the user"


def stand_by(log: Path, silent: bool) -> Lock:
    """Wait until no process writes the log any more, and take its lock."""
    from coterie.episode import play  # so that taking over takes no time for it  # noqa: F401
    from coterie.link import fleet  # noqa: F401

    try:
        return hold(log)
    except InUse as err:
        if not silent:
            say(f"Standing by: {str(err).removesuffix(' Wait for it, or end it.').rstrip('.')}.")
    return hold(log, patient=True)


def nothing_to_do(log: Path, command: str = "run") -> str:
    """Say why a log needs no successor: it has its end, or the user has stopped it."""
    if read_log(log)[-1].kind == "end":
        return f"'{log}' has its end; there is nothing to take over."
    beside = log.with_suffix(log.suffix + ".wall")
    with contextlib.suppress(OSError, CoterieError, *DAMAGE):
        status = read_json(beside, "file").get("status", "")
        if status == f"stopped: {BY_USER}" and beside.stat().st_mtime_ns >= log.stat().st_mtime_ns:
            return f"'{log}' was stopped by its user. Go on with: coterie {command} --resume {log}"
    return ""


@contextlib.contextmanager
def driven(
    args: argparse.Namespace,
    log: Path,
    resume: bool,
    team: Sequence[str] | None = None,
    stoppable: bool = False,
) -> Iterator[dict[str, Any]]:
    """For `play`: drivers of the robots that are not simulated (those of --drive, or those that the log was made with),
    and a bell with which `coterie stop` reaches the others: where some are driven, or `stoppable`. `team`: who there
    is."""
    names = _names(read_log(log)) if resume else _named(args.drive)
    for name in names:
        if team is not None and name not in team:
            raise unknown_name("robot", name, team)
    if not names and not stoppable:
        yield {}
        return
    from coterie.link.bell import Bell
    from coterie.link.fleet import Fleet

    with contextlib.ExitStack() as stack:
        found: dict[str, Any] = {}
        if names:
            found["drivers"] = stack.enter_context(Fleet(names, args.folder))
            if not resume:
                found["drivers"].check()
        try:
            found["bell"] = stack.enter_context(Bell(args.folder))
        except (CannotWrite, OSError) as err:
            if names:
                raise
            complain(f"`coterie stop` does not reach this run. {err}")
        yield found


def stopped_directly(outside: Mapping[str, Any]) -> list[str]:
    """Names under which a page reaches drivers and bell of `driven`, past the coordinator."""
    return [*outside.get("drivers", ()), *([outside["bell"].name] if "bell" in outside else ())]


def driven_told(config: Config, events: Sequence[Event]) -> dict[str, Any]:
    """For the result as JSON: who is driven, and whether their reports are believed instead of a simulated world."""
    names = _names(events)
    return {"driven": names, "real": bool(config.real)} if names else {}


def _names(events: Sequence[Event]) -> list[str]:
    known = [e.data for e in events[:2] if e.kind == "input" and e.data.get("kind") == "driven"]
    return [str(n) for data in known for n in data.get("names", ())]


def _named(text: str | None) -> list[str]:
    if text is None:
        return []
    names = [n.strip() for n in text.split(",") if n.strip()]
    if not names or len(set(names)) < len(names):
        raise CoterieError("--drive takes names of robots with commas between them, each once, like Alice,Bob.")
    return names
