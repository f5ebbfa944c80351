"""Ways to decide together, by name. `NAME:variant` is an ablation of NAME."""

from __future__ import annotations

from collections.abc import Callable

from coterie.core.protocol import TeamProtocol
from coterie.core.registry import Registry
from coterie.protocols.expert import Expert
from coterie.protocols.random import Random, RandomLegal
from coterie.protocols.rules import Rules

protocols: Registry[Callable[[], TeamProtocol]] = Registry("protocol")
protocols.put("rules", Rules, "no-model")
protocols.put("expert", Expert, "no-model")
protocols.put("random", Random, "no-model")
protocols.put("random-legal", RandomLegal, "no-model")
