"""Goals as people type them: "medkit at alpha", "2 painkillers on table C", "open the door of alpha".

A small reader for the command line; it takes names as they are written in the scene and as people call them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from coterie.core.errors import CoterieError
from coterie.core.replies.fields import clean
from coterie.worlds.hospital.goals import DOOR, GIVE, KIT, LOOK, STOCK, TIDY, Wish
from coterie.worlds.hospital.scene import INSIDE, SKILL, Key, counted, kits_of, label
from coterie.worlds.hospital.skills import KIND

_NUMBERS = {"a": 1, "an": 1, "the": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_VERBS = r"(?:please\s+)?(?:deliver|bring|put|get|pack|assemble|make|have)?\s*"
_COUNT = r"(?:(?P<count>\d+|a|an|the|one|two|three|four|five)\s+)?"
_GOAL = re.compile(rf"{_VERBS}{_COUNT}(?P<what>.+?)(?:\s+(?:at|to|on|in|for)\s+(?P<where>.+))?", re.I)
_OPEN = re.compile(r"(?:please\s+)?open\s+(?P<what>.+)", re.I)
_PART = re.compile(r"\s*(?:(?P<count>\d+|a|an|one|two|three|four|five)\s+)?(?P<item>[\w ]+?)\s*", re.I)
MOST = 99  # of one thing, that can be asked for at once


class Names:
    """The names of a scene, found by what people write."""

    def __init__(self, chart: Mapping[Key, object]):
        self.kinds = {key[1]: str(kind) for key, kind in chart.items() if key[0] == KIND}
        self._by_text: dict[str, str] = {}
        for name, kind in self.kinds.items():
            for form in (name, label(name)) if kind != "pose" else ():  # nobody speaks of poses
                self._by_text[_plain(form)] = name

    def find(self, text: str, kinds: Collection[str]) -> str | None:
        """The name that a text means, also with an article or in the plural."""
        plain = _plain(text)
        for form in (plain, plain.removesuffix("s"), plain.removesuffix("es")):
            name = self._by_text.get(form)
            if name is not None and self.kinds[name] in kinds:
                return name
        return None

    def of(self, *kinds: str) -> list[str]:
        return [n for n, kind in self.kinds.items() if kind in kinds]


def _plain(text: str) -> str:
    words = re.sub(r"[^a-z0-9 ]", "", text.lower()).split()
    return "".join(w for w in words if w not in ("the", "a", "an", "room", "some"))


def read_goal(text: str, chart: Mapping[Key, object]) -> Wish:
    """The wish that a phrase means; a sentence that says what can be asked for where it means none."""
    text = clean(text, 200).strip(" .!?'").removesuffix(" please").rstrip(" ,")
    names, kits = Names(chart), kits_of(chart)
    opened = _OPEN.fullmatch(text)
    if opened is not None:
        door = names.find(opened["what"], ("door",))
        if door is None:
            raise _unread(text, names, kits, f"which door? There are {_list(names.of('door'))}")
        return Wish(DOOR, door)
    if chart.get((SKILL, "lookat")) and (found := _of_rooms(text, names)) is not None:
        return _in_furnished(found, chart, text, names, kits)
    match = _GOAL.fullmatch(text)
    if match is None:
        raise _unread(text, names, kits, "")
    where, count = match["where"], _number(match["count"])
    person = (names.find(where, ("person",)) if where else None) if chart.get((SKILL, "give")) else None
    place = person or (names.find(where, ("table", "room")) if where else "")
    kit = kits.get(_plain(match["what"])) or kits.get(_plain(match["what"]).removesuffix("s"))
    if kit is not None:
        if place is None or (place and names.kinds[place] != "room"):
            raise _unread(text, names, kits, f"kits are brought to rooms: {_list(names.of('room'))}")
        return Wish(KIT, kit.name, place, tuple(kit.contents.items()))
    thing = names.find(match["what"], ("item", "caddy"))
    if thing is None:
        known = _list([*kits, *names.of("item", "caddy")])
        raise _unread(text, names, kits, f"'{match['what']}' is neither a kit nor a thing; there are {known}")
    if not place:
        raise _unread(text, names, kits, f"where to? There are {_list(names.of('table', 'room'))}")
    return _in_furnished(Wish(GIVE if person else STOCK, thing, place, count=count), chart, text, names, kits)


def _in_furnished(wish: Wish, chart: Mapping[Key, object], text: str, names: Names, kits: Collection[str]) -> Wish:
    """A wish of things in a room, if there is something there that they can lie on."""
    of_room = wish.kind in (STOCK, TIDY) and names.kinds[wish.where] == "room" and chart.get((SKILL, "lookat"))
    if of_room and not any(key[0] == INSIDE and room == wish.where for key, room in chart.items()):
        raise _unread(text, names, kits, f"in {label(wish.where)} is no furniture on which things could lie")
    return wish


def _of_rooms(text: str, names: Names) -> Wish | None:
    """ "tidy the living room", "look in the bathroom"; None for other words."""
    verb, _, rest = text.lower().removeprefix("please ").partition(" ")
    if verb == "tidy":
        room = names.find(rest.removeprefix("up "), ("room",))
        return Wish(TIDY, "", room) if room else None
    how, _, rest = rest.partition(" ")
    place = names.find(rest, ("table", "room")) if verb == "look" and how in ("in", "at", "into", "around") else None
    return Wish(LOOK, "", place) if place else None


def read_contents(text: str, chart: Mapping[Key, object]) -> dict[str, int] | None:
    """ "1 painkiller and 2 gloves" as counts; None where that is not what the text says."""
    names, found = Names(chart), {}
    for part in re.split(r",|\band\b", text):
        match = _PART.fullmatch(part)
        item = names.find(match["item"], ("item",)) if match is not None else None
        if match is None or item is None:
            return None
        found[item] = _number(match["count"])
    return found


_NONE = re.compile(r"(?:there (?:is|are) )no (?P<what>.+?) (?:on|at|in) (?P<where>.+)", re.I)
_SOME = re.compile(
    r"there (?:is|are) (?P<count>\d{1,2}|a|an|one|two|three|four|five) (?P<what>.+?) (?:on|at|in) (?P<where>.+)", re.I
)
_IS = re.compile(r"(?:the )?(?P<what>.+?) is (?P<how>open|shut|closed|jammed|not jammed)", re.I)


def read_fact(text: str, names: Names) -> list[tuple[Key, object]] | None:
    """The facts that a sentence states: "there is no bandage box on table E", "there are 2 gloves on table D", "the
    door of alpha is shut"; None where it states nothing."""
    text = clean(text, 200).strip(" .!")
    for form in (_NONE, _SOME):
        match = form.fullmatch(text)
        if match is not None:
            thing, place = names.find(match["what"], ("item", "caddy")), names.find(match["where"], ("table", "room"))
            count = _number(match["count"]) if form is _SOME else 0
            return None if thing is None or place is None else [(("stock", thing, place), count)]
    match = _IS.fullmatch(text)
    door = names.find(match["what"], ("door",)) if match is not None else None
    if match is None or door is None:
        return None
    how = match["how"].lower()
    return [(("jammed", door), how == "jammed")] if "jammed" in how else [(("open", door), how == "open")]


def _number(text: str | None) -> int:
    if text is None:
        return 1
    if not text.isdigit():
        return _NUMBERS[text.lower()]
    count = int(text)  # texts are short by now
    if count > MOST:
        raise CoterieError(f"{count} are too many: ask for {MOST} at most.")
    return count


def _list(names: Collection[str]) -> str:
    return ", ".join(label(n) for n in names)


def _unread(text: str, names: Names, kits: Collection[str], why: str) -> CoterieError:
    because = f" ({why})" if why else ""
    rooms, tables, items, doors = (names.of(kind)[-1:] for kind in ("room", "table", "item", "door"))
    examples = [f"{kit} at {label(room)}" for kit, room in zip(kits, rooms)]
    examples += [f"{counted(2, item)} on {label(table)}" for item, table in zip(items, tables)]
    examples += [f"open the {label(door)}" for door in doors]
    shown = ", ".join(f'"{words}"' for words in examples)
    if not text:
        return CoterieError(f"Name a goal with --goal, for example {shown}.")
    whole = " Whole sentences are understood in a talk: coterie talk --scene PLACE." if " " in text else ""
    return CoterieError(f"'{text}' is no goal here{because}. Say for example {shown}.{whole}")
