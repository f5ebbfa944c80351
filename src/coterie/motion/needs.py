"""The two packages that only arms need: asked for where they are used, so that everything else runs without them."""

from __future__ import annotations

import logging
from typing import Any

from coterie.core.lazy import need

log = logging.getLogger(__name__)


def mujoco(who: str = "Arms need") -> Any:
    """The physics engine, or the sentence that says how to get it.

    It would write its warnings to a file in the current folder; whoever steps it reads them from the state instead.
    """
    module = _load("mujoco", who)
    module.set_mju_user_warning(_hush)
    return module


def _hush(words: str) -> None:
    log.debug("mujoco: %s", words)


def ompl() -> Any:
    """The planning library with its `base`, `geometric` and `util` loaded, or the sentence that says how to get it."""
    package = _load("ompl")
    for part in ("base", "geometric", "util"):
        _load(f"ompl.{part}")
    return package


def _load(name: str, who: str = "Arms need") -> Any:
    return need(name, "arms", who)
