"""The methods that a bench compares: a protocol by name, with `@oracle` asking that model, with `+guard` behind guard
rails, with `+memo` beside a memo, with `+irot@50` helped by a stranger who comes at step 50 and decides by that
protocol.

A memo has variants: `roco+memo:no-splanner`. Each method with a memo fills one of its own, episode after episode.
Methods that belong together may have a name, which stands for all of them (`method_sets`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.protocol import asks_model
from coterie.episode.parties import parse_strangers
from coterie.episode.setup import sight
from coterie.protocols import protocols

GUARD, MEMO = "guard", "memo"


@dataclass(frozen=True)
class Method:
    name: str  # as it stands in tables: "rules", "dynahmrc:no-leader", "rules+guard"
    protocol: str
    guard: bool
    sees: str  # what its mind, or its memo, may use: "own" belief, "pooled" beliefs, the "truth"
    about: str
    needs_model: bool
    memo: str = ""  # "memo" or a variant of it
    stranger: str = ""  # who joins on the way, like "irot@50"
    model: str = ""  # that it asks, whatever others do; empty: the one of the bench

    def config(self, config: Config, model: str) -> Config:
        """An episode of a suite as this method plays it. A method without model calls is the same with any model."""
        hostile = config.model if config.model.endswith(":") else ""  # a suite that turns somebody's model
        model = hostile + (self.model or model) if self.needs_model else "none"
        found = replace(config, protocol=self.protocol, guard=self.guard, model=model, memo=self.memo)
        return replace(found, stranger=self.stranger) if self.stranger else found


#: Names that stand for several methods, as studies have them.
method_sets: dict[str, tuple[str, ...]] = {}


def parse_methods(names: str) -> list[Method]:
    """`"rules,expert"` to methods, each once."""
    found: dict[str, Method] = {}
    for given in filter(None, (n.strip() for n in names.split(","))):
        for name in method_sets.get(given, (given,)):
            found.setdefault(name, parse_method(name))
    if not found:
        raise CoterieError(f"Name a method. There are: {', '.join(protocols)}.")
    return list(found.values())


def parse_method(name: str) -> Method:
    protocol, *extras = name.split("+")
    protocol, _, model = protocol.partition("@")
    memo, strangers = "", []
    for extra in extras:
        if "@" in extra:
            strangers.append(extra)
        elif extra.partition(":")[0] == MEMO:
            from coterie.memo import parse_variant  # most methods do without

            parse_variant(extra)  # complains about a variant there is not
            memo = extra
        elif extra != GUARD:
            raise unknown_name("addition to a method", extra, [GUARD, MEMO, "irot@50"])
    if protocol not in protocols:
        raise unknown_name("method", protocol, protocols)
    mind = protocols.get(protocol)()
    sees = sight(protocol, bool(memo))
    helpers = [s.method for s in parse_strangers(",".join(strangers))]
    for helper in helpers:
        if helper not in protocols:
            raise unknown_name("method", helper, protocols)
    asks = any(asks_model(p) for p in (protocol, *helpers))
    if model and not asks:
        raise CoterieError(f"'{protocol}' asks no model: write {protocol} without @{model}.")
    return Method(name, protocol, GUARD in extras, sees, mind.about, asks, memo, ",".join(strangers), model)
