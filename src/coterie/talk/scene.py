"""The names of a place as the reader's prompt lists them."""

from __future__ import annotations

from coterie.talk.brief import Scene
from coterie.talk.vocabulary import Vocabulary, spaced

_KINDS = {"caddy": "item", "task": "kit"}  # kinds that the prompt lists among others


def scene_of(vocabulary: Vocabulary) -> Scene:
    """Each name once, by the phrase that people use most: "table E", "alpha door", "bandage box"."""
    found: dict[str, dict[str, str]] = {}
    for kind in dict.fromkeys(kind for kind, _ in vocabulary.phrases.values()):
        for name in vocabulary.names(kind):
            listed = found.setdefault(_KINDS.get(kind, kind), {})
            listed.setdefault(_phrase(vocabulary, kind, name), name)
    return Scene(found)


def _phrase(vocabulary: Vocabulary, kind: str, name: str) -> str:
    if kind == "robot":
        return name
    phrase = spaced(name) if kind in ("table", "room") else vocabulary.phrase(name)
    if kind == "door" and name.endswith("door"):
        phrase = f"{spaced(name.removesuffix('door'))} door"
    return phrase[:-1] + phrase[-1].upper() if phrase[-2:-1] == " " else phrase
