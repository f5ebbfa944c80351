"""Coterie makes a team out of unlike robots.

    from coterie import Config, play
    print(play(Config(seed=4)).result.success)

What others build on is imported from here; docs/api.md lists it. A name brings its module when it is first used.
"""

from __future__ import annotations

__version__ = "0.2.0"

#: The public names by what they are about, each with its module, and its name there if that is another.
#: `__init__.pyi` says the same to type checkers.
SURFACE: dict[str, dict[str, str]] = {
    "Playing": {
        "play": "coterie.api",
        "play_suite": "coterie.api",
        "rows": "coterie.api",
        "Config": "coterie.core.config",
        "Played": "coterie.episode.play",
        "Bench": "coterie.bench.results",
        "Event": "coterie.core.event",
        "read_log": "coterie.log.file",
        "load": "coterie.api",
        "save_page": "coterie.page",
    },
    "What robots do and know": {
        "Action": "coterie.core.action",
        "Outcome": "coterie.core.action",
        "Cause": "coterie.core.action",
        "Message": "coterie.core.action",
        "Fact": "coterie.core.facts",
        "Belief": "coterie.core.facts",
        "UNKNOWN": "coterie.core.facts",
    },
    "Skills and robots": {
        "Skill": "coterie.core.skill",
        "Param": "coterie.core.skill",
        "Clause": "coterie.core.skill",
        "Effect": "coterie.core.skill",
        "Rule": "coterie.core.skill",
        "Card": "coterie.core.card",
    },
    "Tasks": {
        "Task": "coterie.core.task",
        "Goal": "coterie.core.task",
        "Progress": "coterie.core.task",
        "Change": "coterie.core.task",
        "Trigger": "coterie.core.task",
    },
    "Worlds": {
        "World": "coterie.core.world",
        "WorldEntry": "coterie.core.entry",
        "FactWorld": "coterie.core.fact_world",
        "WORLDS": "coterie.worlds:worlds",
    },
    "Protocols": {
        "SoloProtocol": "coterie.core.protocol",
        "TeamProtocol": "coterie.core.protocol",
        "RobotView": "coterie.core.protocol",
        "TeamView": "coterie.core.protocol",
        "Option": "coterie.core.protocol",
        "Party": "coterie.core.protocol",
        "Ask": "coterie.core.protocol",
        "Reply": "coterie.core.protocol",
        "PROTOCOLS": "coterie.protocols:protocols",
    },
    "Models": {"Model": "coterie.models", "make_model": "coterie.models", "MODELS": "coterie.models:models"},
    "Benches of one's own": {
        "EpisodeSpec": "coterie.bench.spec",
        "SUITES": "coterie.bench.spec:suites",
        "Study": "coterie.bench.study",
        "STUDIES": "coterie.bench.study:studies",
    },
    "Registries and errors": {"Registry": "coterie.core.registry", "CoterieError": "coterie.core.errors"},
}
_WHERE = {name: module for names in SURFACE.values() for name, module in names.items()}
__all__ = [*_WHERE, "__version__"]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'coterie' has no attribute '{name}'")
    module, _, there = _WHERE[name].partition(":")
    import importlib  # not before something is asked for: `coterie stop` has no time for it

    found: object = getattr(importlib.import_module(module), there or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
