"""Robots and people in other processes: a mind that sits elsewhere, and hears and says everything as lines of JSON; a
robot that is driven elsewhere, and can be stopped by anybody."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` itself takes long to load
if TYPE_CHECKING:
    from typing import Any

    from coterie.link.fleet import Fleet
    from coterie.link.remote import Remote
    from coterie.link.robot import Job, Report, Robot, done, failed

__all__ = ["Fleet", "Job", "Remote", "Report", "Robot", "done", "failed"]
_WHERE = {"Fleet": "fleet", "Remote": "remote"}


def __getattr__(name: str) -> Any:
    """Load names when they are first used: a stop must not wait for the rest."""
    if name not in __all__:
        raise AttributeError(f"module 'coterie.link' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(f"coterie.link.{_WHERE.get(name, 'robot')}"), name)
