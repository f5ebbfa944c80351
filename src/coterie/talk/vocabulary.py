"""The names that people use: phrases of each kind, with their plurals. What is taught enters at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: Number words, each at the place of its number.
NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
WHICH = "@which"  # before a phrase that several are called by: which of them is asked

#: Kinds of names that the grammar knows, each with the sign that stands for it in a sentence.
KINDS = {
    "robot": "r",
    "person": "p",
    "room": "o",
    "table": "t",
    "door": "d",
    "item": "i",
    "caddy": "c",
    "kit": "k",
    "task": "g",
}

COUNTED = ("item", "kit", "caddy")  # of which there may be several


@dataclass
class Vocabulary:
    """Phrases in lower case with the kind and the name that they stand for."""

    phrases: dict[str, tuple[str, str]] = field(default_factory=dict)
    shared: dict[str, list[str]] = field(default_factory=dict)  # phrases that several are called by

    def add(self, kind: str, name: str, phrases: Iterable[str] = ()) -> None:
        """Let a name be said, as itself and in these phrases; things also in their plural."""
        if kind not in KINDS:
            raise KeyError(kind)
        own = spaced(name)
        apart = (f"{own[:-3]} kit", f"{own[:-3]}-kit") if kind == "kit" and re.fullmatch(r"[a-z]{3,}kit", own) else ()
        for phrase in dict.fromkeys((*(p.lower() for p in phrases), name.lower(), own, *apart)):
            self.phrases.setdefault(phrase, (kind, name))
            if kind in COUNTED:
                self.phrases.setdefault(plural(phrase), (kind, name))

    def share(self, kind: str, phrase: str, name: str) -> None:
        """Let a phrase stand for a name, and for others of its kind as well: then it has to be asked which is meant."""
        known = self.phrases.setdefault(phrase, (kind, name))
        if known[0] == kind and known[1] != name:
            names = self.shared.setdefault(phrase, [known[1]])
            if name not in names:
                names.append(name)
            self.phrases[phrase] = known = (kind, f"{WHICH} {phrase}")
        if kind in COUNTED:
            self.phrases[plural(phrase)] = known

    def called(self, phrase: str, kind: str) -> list[str]:
        """Those that a phrase may mean."""
        return self.shared.get(phrase) or self.names(kind)

    def remove(self, name: str) -> None:
        self.phrases = {p: row for p, row in self.phrases.items() if row[1] != name}

    def names(self, *kinds: str) -> list[str]:
        found = dict.fromkeys(name for kind, name in self.phrases.values() if kind in kinds)
        return [name for name in found if not name.startswith(WHICH)]

    def kind_of(self, name: str) -> str:
        return next((kind for kind, n in self.phrases.values() if n == name), "")

    def phrase(self, name: str) -> str:
        """How a name is said: its first phrase."""
        return next((p for p, (_, n) in self.phrases.items() if n == name), name)


def spaced(name: str) -> str:
    """`tableE` as "table e", `caddy_1` as "caddy 1"."""
    return re.sub(r"[_\s]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", name)).lower().strip()


def plural(phrase: str) -> str:
    if phrase.endswith("s") and not phrase.endswith("ss"):
        return phrase
    if phrase.endswith(("x", "ch", "sh", "ss")):
        return phrase + "es"
    if phrase.endswith("y") and phrase[-2:-1] not in "aeiou":
        return phrase[:-1] + "ies"
    return phrase + "s"


def of_names(kinds: Mapping[str, str], labels: Mapping[str, str], kits: Iterable[str] = ()) -> Vocabulary:
    """A vocabulary of a world's names with their kinds; `labels` are how people call some of them."""
    found = Vocabulary()
    for name, kind in kinds.items():
        if kind not in KINDS:
            continue
        said = [labels[name].removeprefix("the ")] if name in labels else []
        if kind == "room":
            said += [name, f"room {spaced(name)}", f"{spaced(name)} room"]
        if kind == "door" and name.endswith("door"):
            room = spaced(name[: -len("door")])
            said += [f"{room} door", f"door to {room}", f"door of {room}", f"door at {room}", f"door into {room}"]
            said += [f"door of room {room}", f"door at room {room}", f"room {room}'s door", f"room {room} door"]
            said += [f"{room}'s door", f"door to room {room}", f"door to the {room}", f"door of the {room}"]
        if kind == "caddy":
            said += ["caddy", "medical caddy", "container", "basket"]
        found.add(kind, name, said)
    for kit in kits:
        found.add("kit", kit)
    return found
