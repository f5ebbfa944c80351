"""One prompt that asks for an action, read: who is there, what lies where, what was said and tried."""

from __future__ import annotations

import re
from collections.abc import Collection

from coterie.protocols.shared import sentences
from coterie.protocols.shared.templates import Page, first
from coterie.protocols.shared.together import ALL, FEW, shared_out

RECENT = 15  # steps for which words count: who has not acted on a request by then may not have heard it
PATIENCE = 9  # steps that a robot that gives no sign may take for a thing it was asked for
SPARE = "what is left"  # the part of a robot for which there is no place to search, where there are many
FINAL = "the final placement"
#: A piece of furniture in a scene graph.
NODE = re.compile(
    r"^(?P<name>\w+): \w+, (?P<kind>box|high|surface)(?:, (?P<state>open|closed))?, [\d.]+ m high, "
    r"sides (?P<sides>(?:\d+=\([-\d.,]+\) ?)+)(?:, carries (?P<carries>[\w, ]+?))?(?:, things: (?P<things>.*))?$",
    re.M,
)
SHUT = re.compile(r"(\d+) [^;]*No path leads \w+ to [^:;]*: (\w+) is closed")  # the step, and a door in the way


class Scene:
    """The contents of one action prompt."""

    def __init__(self, page: Page):
        self.me, self.goal, self.itself, self.status = page["name"], page["goal"], page["self"], page["status"]
        self.homes = homes_of(page["goal"])
        self.team, self.past, self.places = team_of(page), past_of(page), places_of(page)
        self.about, self.able = self.team[self.me]
        plan = page["plan"].partition(" plan: ")[2].strip('"')
        share = next((p for p in plan.split(";") if p.strip().startswith(f"{self.me}:")), "")
        self.share = re.findall(r"\w+", share.partition(":")[2])
        table = re.match(r"(\w+)((?: \d+)+)", page["table_line"])
        self.table = table.group(1) if table else page["on_table"].partition(":")[0]  # where no line names it
        self.table_sides = len(table.group(2).split()) if table else 1
        self.searched, self.left, self.needed = searched_of(page), left_of(page), needed_of(page)
        listed = re.findall(r"(\S+) \((needed|not needed), ([^()]*)\)", page["on_table"])
        #: thing -> (needed, within the arm's reach)
        self.on_table = {t: (need == "needed", not reach.startswith("out of")) for t, need, reach in listed}
        #: robot -> places; my own under "you"
        self.closed = {n: p.split(", ") for n, p in re.findall(r"Closed to (\w+): ([^.]*)\.", page["closed"])}
        self.now = int(page["step"] or 0)
        own = re.findall(r'(\d+) communicate\("([^"]*)"', self.past)
        #: step and words of my messages, those of late
        self.told = [(int(step), words) for step, words in own if int(step) > self.now - RECENT]
        self.said = " ".join(words for _, words in self.told)
        #: step of the saying, who, what
        self.heard = [(int(s) - 1, n, w) for s, n, w in re.findall(r'(\d+) (\w+): "([^"]*)"', page["messages"])]
        self.wrong = list(filter(None, first(r"To be taken off: ([^.]*)\.", page["status"]).split(", ")))
        self.new = re.findall(r"(\w+) joined at step", page["joined"])  # teammates
        self.doors = doors_of(page)
        self.stopped = [door for _, door in SHUT.findall(self.past)]
        options = page["options"]  # to choose from; `mute`: they hold no message
        self.mute = bool(options) and re.search(r"^[A-Z]{1,2}\. communicate\(", options, re.M) is None
        named = between(self.itself, "Alive: ", ".")
        self.alive = [*self.team] if named == ALL else re.findall(r"\w+", named)
        signs = re.findall(r"(\w+) (\d+)", between(self.itself, "last sign of each: ", "."))  # without a heartbeat
        for name, sign in [(n, int(s)) for n, s in signs if n in self.alive]:
            asked = [step for thing in self.needed for step, helper in self._requests(thing) if helper == name]
            if asked and self.now - max(min(asked), sign) > PATIENCE:  # asked long ago, and no sign since
                self.alive.remove(name)

    @property
    def held(self) -> str | None:
        return first(r"You hold (\S+) \((?:needed|not needed)\)", self.itself) or None

    @property
    def at(self) -> str | None:
        return first(r"You are at (\w+)", self.itself) or None

    @property
    def shut_out(self) -> set[str]:
        """Places closed to me as a whole; a closed side leaves the others."""
        return {p for p in self.closed.get("you", ()) if not p.startswith("side ")}

    def has_said(self, word: str) -> bool:
        return names(word, self.said)

    def _carriers(self) -> list[str]:
        return [n for n, (_, able) in sorted(self.team.items()) if n in self.alive and {"navigate", "pick"} <= {*able}]

    def _helpers(self, thing: str) -> list[str]:
        """Teammates that could bring a thing: they get to its place, and have not said that they cannot take it."""
        refused = {n for _, n, words in self.heard for (row,) in sentences.CANNOT_TAKE.heard(words) if thing in row}
        return [n for n in self._bringers(thing) if n not in refused]

    def _bringers(self, thing: str) -> list[str]:
        """Teammates whose bodies get to the place of a thing and carry it away."""
        ends = {self._place_of(thing), self.homes.get(thing, "")}  # where it lies, and where it belongs
        able = [n for n in self._carriers() if not ends & {*self.closed.get(n, ())}]
        return [n for n in able if not self._high(ends) or can_search("high", *self.team[n])]

    def _high(self, places: Collection[str]) -> bool:
        return any(self.places.get(place, ("", 0))[0] == "high" for place in places)

    def _can_put(self, thing: str) -> bool:
        """My body gets to where a thing belongs, and I may go there."""
        home = self.homes.get(thing, "")
        return home not in self.shut_out and (not self._high([home]) or can_search("high", self.about, self.able))

    def _place_of(self, thing: str) -> str:
        return first(r"^at (\w+)", self.needed.get(thing, ""))

    def asked_for(self, thing: str) -> list[str]:
        """The robots that were asked to bring a thing, by anybody, the last one last."""
        return [name for _, name in self._requests(thing)]

    def _requests(self, thing: str) -> list[tuple[int, str]]:
        """The steps at which a robot was asked to bring a thing, each with its name."""
        late = [row for row in self.heard if row[0] > self.now - RECENT]
        late += [(step, self.me, words) for step, words in self.told]
        asked = [(step, *row) for step, _, words in sorted(late) for row in sentences.BRING.heard(words)]
        return [(step, name) for step, name, what in asked if what == thing]

    def _actions(self, last: int) -> list[str]:
        return re.split(r"; (?=\d+ )", self.past)[-last:]

    def _failed(self, action: str) -> bool:
        """Did this fail within the last few actions? A robot in the way may be gone in the next step."""
        failed = [f"{action} FAILED" in done for done in self._actions(4)]
        return failed[-1] or any(f and "stands there" not in done for f, done in zip(failed, self._actions(4)))

    def _moved_in_vain(self) -> bool:
        """Two shifts of late, and still I reach nothing: a third will not help."""
        return sum(re.match(r"\d+ move\(", done) is not None for done in self._actions(4)) >= 2

    def next_layer(self) -> str | None:
        """For a stack, the layer that comes next; None for other goals."""
        if "bottom to top: " not in self.goal:
            return None
        layers = self.goal.split("bottom to top: ")[1].rstrip(".").split(", ")
        there = self.status.split("bottom to top: ")[-1].split(".")[0].split(", ")
        good = 0
        while good < len(there) and good < len(layers) and there[good] == layers[good]:
            good += 1
        return layers[good] if good < len(layers) else ""

    def _home(self, thing: str) -> str | None:
        if match := re.search(rf"\b{re.escape(thing)} on (\w+_panel)", self.goal):
            return match.group(1)
        match = re.search(r"into the (\w+)|Stack on the (\w+)", self.goal)
        return (match.group(1) or match.group(2)) if match else None


# -- slots of a page --------------------------------------------------------------------------------------------------
def between(text: str, start: str, end: str) -> str:
    _, found, rest = text.partition(start)
    return rest.partition(end)[0] if found else ""


def names(word: str, text: str) -> bool:
    """True if a text names a thing: can_0 is not in toucan_0."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def homes_of(goal: str) -> dict[str, str]:
    """Where each thing belongs, if the goal is to bring things to places all over a house."""
    return dict(re.findall(r"\b(\w+) to (\w+)", goal)) if goal.startswith("Bring ") else {}


def places_of(page: Page) -> dict[str, tuple[str, int]]:
    """name -> (tag, number of sides), in either style of prompt."""
    found: dict[str, tuple[str, int]] = {}
    for item in page["places"].split(", "):
        if match := re.fullmatch(r"(\w+)( box| high)?((?: \d+)+)", item):
            found[match.group(1)] = ((match.group(2) or "").strip(), len(match.group(3).split()))
    for node in NODE.finditer(page["scene_graph"]):
        found[node["name"]] = (node["kind"].replace("surface", ""), len(node["sides"].split()))
    return found


def team_of(page: Page) -> dict[str, tuple[str, tuple[str, ...]]]:
    """name -> (about, skills) of everybody, the reader too."""
    own, about = tuple(re.findall(r"^(\w+)\(.*\):", page["skills"], re.M)), page["about"]
    able = own or tuple(
        s for s, w in (("navigate", "drive"), ("navigate", "fl"), ("open", "opens"), ("pick", "carr")) if w in about
    )
    out = {page["name"]: (about, able)}
    for match in re.finditer(r"(\w+): ([^()]+) \(([^()]*)\)\.", page["team"]):
        out[match.group(1)] = (match.group(2), tuple(match.group(3).split(", ")))
    return out


def needed_of(page: Page) -> dict[str, str]:
    """thing -> where it is, of what is still to be fetched."""
    needed: dict[str, str] = {}
    for item in re.split(r"; (?!asked: )", page["found"]):
        thing, _, state = item.partition(" ")
        if item.startswith("not found: "):
            needed |= dict.fromkeys(item[11:].split(", "), "not found")
        elif state:
            needed[thing] = state
    return needed


def reported(page: Page) -> set[str]:
    """Places that were searched, by what the leader knows and the others report."""
    if left := page["who_searches"]:
        return set(places_of(page)) - set(re.findall(r"\w+", re.sub(r"[^:;]*: ", "", left)))
    return set(re.findall(r"(\w+) \(", page["searched"] + page["reports"]))


def past_of(page: Page) -> str:
    """Actions and their outcomes as a compact prompt writes them; a full one lists them apart."""
    if lately := page["lately"] or page["history_line"]:
        return lately
    failed = dict(re.findall(r"^(\d+) (FAILED: .*)$", page["feedback"], re.M))
    acts = re.findall(r"^(\d+) (\w+\(.*)$", page["actions"], re.M)
    return "; ".join(f"{step} {action} {failed.get(step, '')}".strip() for step, action in acts)


def left_of(page: Page) -> list[tuple[str, str, str, str]] | None:
    """Places that a compact prompt lists as left: whose, place, the side if I can, who can if it is nobody's."""
    if not page["left"]:
        return None
    found = []
    for group in page["left"].removeprefix("nothing new; ").split("; "):
        whose, colon, places = group.partition(": ")
        for place, behind, side, who in re.findall(
            r"(\w+)(?: \((behind \w+)\))?(?: (\d+))?(?: \(([^()]*)\))?", places if colon else group
        ):
            found.append((whose if colon else "nobody's", place, side, who or behind))
    return found


def searched_of(page: Page) -> list[str]:
    """Places that were searched: those named, or all that are not left."""
    if (named := page["searched"]) or not page["left"]:
        return re.findall(r"(\w+) \(", named) or [p for p in named.split(", ") if p]
    left = {place for _, place, _, _ in left_of(page) or ()}
    return [p for p in places_of(page) if p not in left or "nothing new" in page["left"]]


def doors_of(page: Page) -> dict[str, int]:
    """Closed doors, with the number of their sides (a full prompt does not say it: every door has two)."""
    text = f"{page['closed']}\n{page['doors']}"
    short = re.search(r"Closed doors with their sides: ([^.;]*)", text)
    if short:
        return {name: len(sides.split()) for name, sides in re.findall(r"(\w+)((?: \d+)+)", short.group(1))}
    return dict.fromkeys(re.findall(r"\w+", between(text, "Closed doors: ", ".")), 2)


# -- dividing the search, shifting a base -----------------------------------------------------------------------------
def can_search(tag: str, about: str, able: tuple[str, ...]) -> bool:
    if tag == "high":
        return bool(re.search(r"\b(fl(y|ies|ying)|drone)\b", about))
    return tag != "box" or "open" in able


def division(page: Page, done: Collection[str] = (), fixed: str = FINAL) -> str:
    """Shares of the search: what few can do first, each to the robot with the least to do. `fixed` is the part of an
    arm that goes nowhere."""
    everywhere, team = places_of(page), team_of(page)
    places = {p: how for p, how in everywhere.items() if p not in done} or everywhere
    movers = sorted(n for n, (_, able) in team.items() if "navigate" in able)
    able = {p: [n for n in movers if can_search(tag, *team[n])] for p, (tag, _) in places.items()}
    shares = shared_out(able, [p for p, (tag, _) in places.items() if tag == "box"], movers)
    spare = SPARE if len(team) > FEW else ""
    parts = [f"{n}: {', '.join(found) or spare}" for n, found in shares.items() if found or spare]
    return "; ".join(parts + [f"{n}: {fixed}" for n in team if n not in movers])


def best_shift(costmap: str) -> str:
    """The spot marked o that is nearest to R; the rows say their dy."""
    best = None
    for row, dy in re.findall(r"^([#.oRT]+)  dy=([-+][\d.]+)$", costmap, re.M):
        middle = len(row) // 2
        for i, sign in enumerate(row):
            if sign == "o":
                dx, y = (i - middle) * 0.2, float(dy)
                if best is None or dx * dx + y * y < best[0]:
                    best = (dx * dx + y * y, f"{dx:.1f}, {y:.1f}")
    return best[1] if best else first(r"free and close enough: (\S+, \S+)", costmap, "0.0, 0.0")
