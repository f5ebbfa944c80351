"""What the text of a prompt says, line by line: nothing here knows anything else."""

from __future__ import annotations

import re


def name_of(text: str) -> str:
    return after(text, "You are ").split(",")[0]


def after(text: str, heading: str) -> str:
    found = re.search(rf"^{heading}(.*)$", text, re.M)
    return found.group(1).strip() if found else ""


def between(text: str, start: str, end: str) -> str:
    _, found, rest = text.partition(start)
    return rest.partition(end)[0] if found else ""


def unquoted(text: str) -> str:
    """A prompt without what teammates said: nothing in quotes is a line of the system's."""
    return re.sub(r'"[^"\n]*"', '""', text)


def names(word: str, text: str) -> bool:
    """Whether a text names a thing: can_0 is not in toucan_0."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def places_of(text: str) -> dict[str, tuple[str, int]]:
    """name -> (tag, number of sides), in either style of prompt."""
    found: dict[str, tuple[str, int]] = {}
    for item in after(text, "Places with their sides: ").split(", "):
        if match := re.fullmatch(r"(\w+)( box| high)?((?: \d+)+)", item):
            found[match.group(1)] = ((match.group(2) or "").strip(), len(match.group(3).split()))
    for match in re.finditer(
        r"^(\w+): \w+, (box|high|surface)( open| closed)?, [\d.]+ m high, sides (.*)$", text, re.M
    ):
        found[match.group(1)] = (match.group(2).replace("surface", ""), len(match.group(4).split()))
    return found


def team_of(text: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """name -> (about, skills) of everybody, the reader too."""
    me = name_of(text)
    own = tuple(re.findall(r"^(\w+)\(.*\):", text, re.M))
    about = after(text, "You are [^,]+, ")
    able = own or tuple(
        s for s, w in (("navigate", "drive"), ("navigate", "fl"), ("open", "opens"), ("pick", "carr")) if w in about
    )
    out = {me: (about, able)}
    for match in re.finditer(r"(\w+): ([^()]+) \(([^()]*)\)\.", after(text, "Team: ")):
        out[match.group(1)] = (match.group(2), tuple(match.group(3).split(", ")))
    return out


def reported(text: str) -> set[str]:
    """Places that somebody has searched, by what the leader knows and the others report."""
    if (left := re.search(r"^Left to search: (.*)$", text, re.M)) is not None:
        return set(places_of(text)) - set(re.findall(r"\w+", re.sub(r"[^:;]*: ", "", left.group(1))))
    return set(re.findall(r"(\w+) \(", after(text, "Searched: ") + between(text, "\nReports:", "\nStatus: ")))


def past_of(text: str) -> str:
    """Actions and what came of them, which a full prompt lists apart, as a compact one writes them."""
    failed = dict(re.findall(r"^(\d+) (FAILED: .*)$", text, re.M))
    deeds = re.findall(r"^(\d+) (\w+\(.*)$", text, re.M)
    return "; ".join(f"{step} {action} {failed.get(step, '')}".strip() for step, action in deeds)


def left_of(text: str) -> list[tuple[str, str, str, str]] | None:
    """What a compact prompt says is left to search: whose, place, the side if I can, who can if it is nobody's."""
    line = re.search(r"^Left to search: (.*)$", text, re.M)
    if line is None:
        return None
    found = []
    for group in line.group(1).removeprefix("nothing new; ").split("; "):
        whose, colon, places = group.partition(": ")
        for place, behind, side, who in re.findall(
            r"(\w+)(?: \((behind \w+)\))?(?: (\d+))?(?: \(([^()]*)\))?", places if colon else group
        ):
            found.append((whose if colon else "nobody's", place, side, who or behind))
    return found


def searched_of(text: str) -> list[str]:
    """Places that somebody has searched: those named, or all that are not left."""
    if (named := after(text, "Searched: ")) or "\nLeft to search: " not in text:
        return re.findall(r"(\w+) \(", named) or [p for p in named.split(", ") if p]
    left = {place for _, place, _, _ in left_of(text) or ()}
    return [p for p in places_of(text) if p not in left] if "nothing new" not in text else [*places_of(text)]


def closed_to(text: str) -> dict[str, list[str]]:
    """robot -> what is closed to it."""
    line = re.search(r"^Closed to .*$", text, re.M)
    found = re.findall(r"Closed to (\w+): ([^.]*)\.", line.group(0)) if line else []
    return {name: places.split(", ") for name, places in found}


def signs_of(text: str) -> dict[str, int]:
    """teammate -> step of its last sign; nothing where a heartbeat tells who is there."""
    return {n: int(s) for n, s in re.findall(r"(\w+) (\d+)", between(text, "last sign of each: ", "."))}


def doors_of(text: str) -> dict[str, int]:
    """Closed doors, with the number of their sides (a full prompt does not say it: every door has two)."""
    short = re.search(r"Closed doors with their sides: ([^.;]*)", text)
    if short:
        return {name: len(sides.split()) for name, sides in re.findall(r"(\w+)((?: \d+)+)", short.group(1))}
    return dict.fromkeys(re.findall(r"\w+", between(text, "Closed doors: ", ".")), 2)
