"""Coterie makes a team out of unlike robots.

    from coterie import Config, play
    print(play(Config(seed=4)).result.success)

What others build on is imported from here; docs/api.md lists it. A name brings its module when it is first used.
"""

from __future__ import annotations

__version__ = "0.2.0"

#: The public names by what they are about and by module; `there:NAME` is `there` in its module.
#: `__init__.pyi` says the same to type checkers.
_MODULES = {
    "Playing": {
        "coterie.api": "play play_suite rows load",
        "coterie.core.config": "Config",
        "coterie.episode.play": "Played",
        "coterie.bench.results": "Bench",
        "coterie.core.event": "Event",
        "coterie.log.file": "read_log",
        "coterie.page": "save_page",
    },
    "What robots do and know": {
        "coterie.core.action": "Action Outcome Cause Message",
        "coterie.core.facts": "Fact Belief UNKNOWN",
    },
    "Skills and robots": {"coterie.core.skill": "Skill Param Clause Effect Rule", "coterie.core.card": "Card"},
    "Tasks": {"coterie.core.task": "Task Goal Progress Change Trigger"},
    "Worlds": {
        "coterie.core.world": "World",
        "coterie.core.entry": "WorldEntry",
        "coterie.core.fact_world": "FactWorld",
        "coterie.worlds": "worlds:WORLDS",
    },
    "Protocols": {
        "coterie.core.protocol": "SoloProtocol TeamProtocol RobotView TeamView Option Party Ask Reply",
        "coterie.protocols": "protocols:PROTOCOLS",
    },
    "Models": {"coterie.models": "Model make_model models:MODELS"},
    "Benches of one's own": {
        "coterie.bench.spec": "EpisodeSpec suites:SUITES",
        "coterie.bench.study": "Study studies:STUDIES",
    },
    "Registries and errors": {"coterie.core.registry": "Registry", "coterie.core.errors": "CoterieError"},
}
#: Each name with its module, and its name there if that is another.
SURFACE: dict[str, dict[str, str]] = {
    title: {
        there.rpartition(":")[2]: f"{module}:{there.partition(':')[0]}" if ":" in there else module
        for module, names in modules.items()
        for there in names.split()
    }
    for title, modules in _MODULES.items()
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
