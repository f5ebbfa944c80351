"""The skills of a world by name, with the kinds and the fluents they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as changed
from typing import Any

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.fluents import Declared, check_skill
from coterie.core.kinds import ROBOT, ROBOTS, TEXT, Kind
from coterie.core.lazy import lazy
from coterie.core.registry import Registry
from coterie.core.skill import Skill


class Skills(Registry[Skill]):
    """The skills of a world. A skill is checked when it is registered, and knows its world from then on."""

    def __init__(
        self,
        world: str,
        kinds: Iterable[Kind] = (),
        fluents: Sequence[Declared] | None = None,
        readings: Mapping[str, Any] | None = None,
        example: str = "",
    ):
        """Without `fluents` nothing is checked. `readings` say how a plan reads what the world computes."""
        super().__init__("skill")
        self.world, self.example = world, example
        self.language: Any = None  # how they are said and read (`language_of`), until something is added
        self.kinds: dict[str, Kind] = {k.name: k for k in kinds}
        for kind in (ROBOT, TEXT, ROBOTS):
            self.kinds.setdefault(kind.name, kind)
        self.fluents: dict[str, Declared] | None = None if fluents is None else {f.name: f for f in fluents}
        self.readings: dict[str, Any] = dict(readings or {})
        #: Values of fluents before anything was said about them, where that is not "none".
        self.initials: dict[str, Any] = {f.name: f.initial for f in fluents or () if f.initial is not None}
        #: The fluents that robots see, among those that were declared so.
        self.seen: list[Declared] = [f for f in fluents or () if f.seen]

    def put(self, name: str, item: Skill, *tags: str, replace: bool = False) -> Skill:
        if name != item.name:
            raise CoterieError(f"The skill '{item.name}' is put in under the name '{name}'; give it one name.")
        if self.fluents is not None:
            for param in item.params:
                if param.kind not in self.kinds:
                    complaint = unknown_name("kind of parameter", param.kind, self.kinds)
                    raise CoterieError(f"Skill {name}: {complaint} If it is new, declare it beside the skill.")
            check_skill(item, self.fluents, self.parents)
        self._changed()
        return super().put(name, changed(item, home=self), *tags, replace=replace)

    def _changed(self) -> None:
        self.language = None
        self.__dict__.pop("by_word", None)

    @lazy
    def by_word(self) -> dict[str, Skill]:
        """Each by its name in small letters."""
        return {name.lower(): skill for name, skill in self.items()}

    def find(self, name: str) -> Skill | None:
        return self._items.get(name)

    def __getitem__(self, name: str) -> Skill:
        return self.get(name)

    def declare(self, *what: Declared | Kind) -> None:
        """Add fluents and kinds of your own. Those that are there keep their meaning."""
        self._changed()
        for item in what:
            if isinstance(item, Kind):
                _add(self.kinds, item, self.world)
            else:
                self.fluents = {} if self.fluents is None else self.fluents
                _add(self.fluents, item, self.world)
                if item.initial is not None:
                    self.initials[item.name] = item.initial
                if item.seen and item not in self.seen:
                    self.seen.append(item)

    def kind(self, name: str) -> Kind:
        """Return a kind; one that is not declared accepts any name."""
        return self.kinds.get(name) or Kind(name)

    @property
    def parents(self) -> dict[str, str]:
        return {k.name: k.parent for k in self.kinds.values()}


def _add(there: dict[str, Any], item: Any, world: str) -> None:
    if there.get(item.name, item) != item:
        raise CoterieError(f"The world '{world}' has its own '{item.name}' ({there[item.name]}); take another name.")
    there[item.name] = item
