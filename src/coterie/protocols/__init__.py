"""Ways to decide together, by name. `NAME:variant` is an ablation of NAME.

Rule minds are there at once. All others are imported when one of them, or all, are asked for, and register
themselves, as a file that `--load` names does: `built_in` first, in the order of lists, then those that worlds bring,
then whatever else lies here.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from coterie.core.errors import CoterieError
from coterie.core.protocol import protocols
from coterie.core.registry import import_all
from coterie.models import models
from coterie.protocols.rules import Rules
from coterie.protocols.shared.templates import LEVELS
from coterie.worlds import worlds

protocols.put("rules", Rules, "no-model", "indoor", "hospital")
protocols.put("rules:silent", partial(Rules, silent=True), "no-model", "indoor", "ablation")
STYLED = ("dynahmrc", "coherent", "coela")  # protocols with prompts of several lengths


def for_endpoint(name: str) -> str:
    """A protocol as a large model is asked: with full prompts and room to think, unless a style was named."""
    base, _, rest = name.partition(":")
    if base not in STYLED or set(rest.split("-and-")) & {*LEVELS}:
        return name
    return f"{base}:full-and-{rest}" if rest else f"{base}:full"


def asked_as(name: str, model: str) -> str:
    """A protocol as a model is asked: an endpoint at length, unless a level of information was named."""
    return for_endpoint(name) if model.startswith("openai:") or ":openai:" in model else name


def level_of(name: str) -> str:
    """The level of information of a protocol's prompts, as in `mind.md`; empty where there is no such choice."""
    base, _, rest = name.partition(":")
    parts = rest.split("-and-")
    level = next((part for part in parts if part in LEVELS), "compact")
    level = "paper" if level == "conversation" and "no-history" in parts else level  # it remembers nothing
    return "" if base not in STYLED else "assisted" if level == "compact" else level


def with_interval(name: str, steps: int) -> str:
    """A protocol that stops for a discussion every so many steps."""
    base, _, rest = name.partition(":")
    if base != "dynahmrc":
        raise CoterieError(
            f"--interval is for dynahmrc, which stops for discussions; {name or 'the usual protocol'} has none."
        )
    return f"{base}:{rest}-and-interval-{steps}" if rest else f"{base}:interval-{steps}"


def _every() -> None:
    protocols.names()


def _of_worlds() -> None:
    """Worlds may bring minds of their own."""
    worlds.names()


protocols.later(lambda: import_module(f"{__name__}.built_in"))
protocols.later(_of_worlds)
protocols.later(lambda: import_all(__name__, __path__, first=("built_in",)))
models.later(lambda: import_module(f"{__name__}.dynahmrc.oracle"), first=True)  # the oracle
models.later(_every)  # some minds can be asked like models
