"""Draws sentences with their meanings in brief, from files of ways to say things (`talk/ways/`, docs/reader.md).

    rng = random.Random(1)
    sampler = Sampler.packaged()
    sampler.sample(rng)     # Drawn sentence: prompt and reply

A sample names a scene anew, says one family's meaning in one of its ways, and puts around it what people put around
what they mean: courtesies, reasons, small talk, self-corrections, typos, a second meaning in the same breath.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError
from coterie.learn import scenes
from coterie.learn.scenes import Drawn, around
from coterie.talk.brief import parse
from coterie.talk.prompt import prompt
from coterie.talk.vocabulary import plural

TEAM, BEFORE = " << team:", " << before:"
MOST_BYTES = 10_000_000  # of a file of ways
HELD_OUT = 16  # one way in so many is kept for a test of ways that were not learnt
SHARE_OF_REMARKS = 0.2  # sentences after which nothing is to be done
LEAST_STOP = 0.05
ACTS = ("order", "cancel", "pause", "close", "prioritise", "alter", "reopen", "permit", "forbid", "policy", "resume",
        "retry", "teach", "help", "keep", "maybe")  # fmt: skip
ANSWERS = ("approve", "refuse", "things", "nothing", "somewhere", "number", "show")
POOLS = {"kit": "kit", "place": "room", "t": "item", "table": "table", "robot": "robot", "person": "person"}
SLOT = re.compile(r"\{(\w+)\}")


class Way(NamedTuple):
    text: str
    team: str = ""  # what the team said last; empty: anything
    before: str = ""


class Family(NamedTuple):
    meaning: str
    ways: tuple[Way, ...]


class Sentence(NamedTuple):
    heard: str
    prompt: str
    reply: str
    scene: Drawn


@dataclass
class Filled:
    """One way with names: the sentence, its meaning, its context, and other names for contexts that are drawn."""

    text: str
    meaning: str
    team: str
    before: str
    others: dict[str, str]


def read_ways(texts: Iterable[str]) -> list[Family]:
    """Families of all files; a family may stand in several."""
    found: dict[str, dict[Way, None]] = {}
    ways: dict[Way, None] | None = None
    for text in texts:
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("= "):
                ways = found.setdefault(line[2:].strip(), {})
            elif line.strip() and not line.startswith("#"):
                if ways is None:
                    raise CoterieError(f"Line {number} is a way to say something before any '= meaning'.")
                ways[_way(line)] = None
    return [Family(meaning, tuple(ways)) for meaning, ways in found.items() if ways]


def _way(line: str) -> Way:
    rest, _, before = line.partition(BEFORE)
    text, _, team = rest.partition(TEAM)
    return Way(text.strip(), team.strip(), before.strip())


def packaged() -> list[str]:
    """The texts of the files that come with the package."""
    folder = resources.files("coterie.talk").joinpath("ways")
    return [f.read_text("utf-8") for f in sorted(folder.iterdir(), key=lambda f: f.name) if f.name.endswith(".txt")]


def ways_in(path: Path) -> str:
    return read_bounded(path, "file of ways", MOST_BYTES).decode("utf-8")


class Sampler:
    def __init__(self, families: Sequence[Family]):
        self.learnt, self.held = _split(families)
        self.weights = _weights(self.learnt)

    @classmethod
    def packaged(cls, *more: Path) -> Sampler:
        """The package's ways, and those of further files."""
        return cls(read_ways([*packaged(), *map(ways_in, more)]))

    def sample(self, rng: random.Random, held: bool = False) -> Sentence:
        """One sentence; of ways that are not learnt, without anything around it, if `held`."""
        if held:
            family = rng.choices(self.held, [len(f.ways) for f in self.held])[0]
        else:
            family = rng.choices(self.learnt, self.weights)[0]
        scene = scenes.draw(rng)
        said = fill(rng, family.meaning, rng.choice(family.ways), scene, 0.0 if held else 0.06)
        if not held:
            self._more(rng, said, scene)
            _surround(rng, said)
            _distort(rng, said)
        _typography(rng, said)
        _context(rng, said)
        return Sentence(said.text, prompt(scene.scene(), said.text, said.team, said.before), said.meaning, scene)

    def _more(self, rng: random.Random, said: Filled, scene: Drawn) -> None:
        """Sometimes a second meaning in the same breath, or small talk."""
        draw, head = rng.random(), _head(said.meaning)
        small = around()["around"]["small_talk"]
        if draw < 0.08 and head in ("order", "tell", "cancel", "close") and _joinable(said):
            kinds = {"order": ("order", "order", "ask", "tell"), "tell": ("tell", "order", "ask"), "cancel": ("order",)}
            second = self._plain(rng, kinds.get(head, ("order", "tell")))
            other = fill(rng, second.meaning, rng.choice(second.ways), scene, 0.0)
            if _joinable(other) and not other.team and not other.before:
                joint = rng.choice(around()["around"]["joints"])
                said.text = re.sub(r"[.!]$", "", said.text) + joint + other.text
                said.text, said.meaning = said.text.replace("?. ", "? "), _merged(said.meaning, other.meaning)
        elif draw < 0.14 and head not in ("none", "greet", *ANSWERS):
            remark = rng.choice(small)
            if rng.random() < 0.75:
                said.text = remark + rng.choice([". ", ". ", ", ", "! ", "... "]) + said.text
            else:
                said.text = re.sub(r"[.]$", "", said.text) + rng.choice([". ", ", ", " - "]) + remark
            said.text = said.text.replace("?. ", "? ")
        elif draw < 0.18 and head == "none":
            other = fill(rng, "none", rng.choice(self._family("none").ways), scene, 0.0)
            if not other.team and not said.team:
                said.text = re.sub(r"[.]$", "", said.text) + rng.choice([". ", ", ", "... ", " and "]) + other.text

    def _family(self, meaning: str) -> Family:
        return next(f for f in self.learnt if f.meaning == meaning)

    def _plain(self, rng: random.Random, heads: Sequence[str]) -> Family:
        """A family whose sentences stand by themselves, of one of these heads."""
        head = rng.choice(list(heads))
        while True:
            family = rng.choices(self.learnt, self.weights)[0]
            if _head(family.meaning) == head and ";" not in family.meaning and "@" not in family.meaning:
                return family


def dressed(rng: random.Random, family: Family, scene: Drawn) -> str:
    """A sentence of a family, with all that people put around it."""
    said = fill(rng, family.meaning, rng.choice(family.ways), scene, 0.06)
    _surround(rng, said)
    _distort(rng, said)
    _typography(rng, said)
    return said.text


# -- one way with names -----------------------------------------------------------------------------------------------
def fill(rng: random.Random, meaning: str, way: Way, scene: Drawn, corrected: float) -> Filled:
    """Say a meaning in one way with names of the scene; `corrected`: how often the speaker corrects a name."""
    data = around()
    kits, rooms, things, tables, robots, doors = (
        _two(rng, pool) for pool in (scene.kit, scene.room, scene.item, scene.table, scene.robot, scene.door)
    )
    person, new = rng.choice(scene.person), rng.choice(scenes.dictionary()) + rng.choice(["", "kit", "set", "pack"])
    small = list(scenes.NUMBERS)[:11] if rng.random() < 0.9 else list(scenes.NUMBERS)
    n, n2 = rng.sample(small, 2)
    if meaning in ("approve {n}", "approve {nth}"):
        n = rng.choice([1, 2, 3])
    nth = n if n in scenes.ORDINALS else rng.choice([1, 2, 3])
    skill, right = rng.choice(list(data["skills"])), rng.choice(list(data["rights"]))
    minutes = rng.choice([5, 10, 15, 20, 30, 45, 60, 2, 3, 8, 12])
    time, time_said = scenes.clock(rng)
    names = dict(kit=kits[0], kit2=kits[1], place=rooms[0], place2=rooms[1], t=things[0], t2=things[1],
                 table=tables[0], table2=tables[1], robot=robots[0], robot2=robots[1], door=doors[0], door2=doors[1],
                 person=person, n=str(n), n2=str(n2), nth=str(nth), skill=skill, right=right, mins=str(minutes),
                 clock=time, new=new)  # fmt: skip
    kit, thing, other = scenes.say_kit(rng, kits[0]), *(scenes.say_thing(rng, t, scene.item) for t in things)
    say = dict(kit=kit, kits=plural(kit), kit2=scenes.say_kit(rng, kits[1]), place=scenes.say_room(rng, rooms[0]),
               place2=scenes.say_room(rng, rooms[1]), t=thing, ts=plural(thing), t2=other, t2s=plural(other),
               robot=scenes.say_robot(rng, robots[0]), robot2=robots[1], person=scenes.say_person(rng, person),
               door=scenes.say_door(rng, doors[0]), door2=scenes.say_door(rng, doors[1]),
               table=scenes.say_table(rng, tables[0]), table2=scenes.say_table(rng, tables[1]),
               n=_number(rng, n), n2=_number(rng, n2), nth=scenes.ORDINALS[nth], new=new, mins=str(minutes),
               msay=scenes.say_minutes(rng, minutes), clock=time, csay=time_said)  # fmt: skip
    for slot, choices in (("skillv", data["skills"][skill]), ("rightv", data["rights"][right])):
        say[slot] = SLOT.sub(lambda s: say.get(s[1], s[0]), rng.choice(choices))
    text = _expand(rng, way.text)
    text = re.sub(r"\{n\} (?=\{(?:ts|t2s|kits)\}|\{kit\}s)", lambda _: f"{_amount(rng, n)} ", text)
    if rng.random() < corrected and _head(meaning) in (*ACTS, "things"):
        text = _self_corrected(rng, text, meaning, scene, names)
    text = _articles(rng, SLOT.sub(lambda s: say.get(s[1], s[0]), text), (thing, other))
    team, before = (SLOT.sub(lambda s: names.get(s[1], say.get(s[1], s[0])), _expand(rng, t)) for t in way[1:])
    brief = SLOT.sub(lambda s: names[s[1]], meaning)
    others = dict(kit=kits[1], place=rooms[1], t=things[1], table=tables[1], robot=robots[1], person=person,
                  door=doors[1], n=str(n2), ts=plural(things[1]))  # fmt: skip
    return Filled(text, brief, team, before, others)


def _two(rng: random.Random, pool: Sequence[str]) -> tuple[str, str]:
    first, second = rng.sample(pool, 2) if len(pool) > 1 else (pool[0], pool[0])
    return first, second


def _number(rng: random.Random, n: int) -> str:
    return rng.choice([str(n), scenes.ONE[n]])


def _amount(rng: random.Random, n: int) -> str:
    return rng.choice(scenes.AMOUNTS[n]) if n in scenes.AMOUNTS and rng.random() < 0.3 else _number(rng, n)


def _expand(rng: random.Random, text: str) -> str:
    """One of each `[a|b|]`."""
    while found := re.search(r"\[([^\[\]]*)\]", text):
        text = text[: found.start()] + rng.choice(found[1].split("|")) + text[found.end() :]
    return re.sub(r"\s+", " ", text).strip().replace("⟦", "[").replace("⟧", "]")


def _self_corrected(rng: random.Random, text: str, meaning: str, scene: Drawn, names: dict[str, str]) -> str:
    """ "To beta, no, alpha": another name, and then the right one."""
    slots = [s for s in (*POOLS, "n") if text.count(f"{{{s}}}") == 1 and f"{{{s}}}" in meaning]
    if not slots or "{new}" in text:
        return text
    slot = rng.choice(slots)
    if slot == "n":
        wrong = rng.choice([w for n, w in scenes.ONE.items() if str(n) != names["n"]][:9])
    else:
        pool = [x for x in getattr(scene, POOLS[slot]) if x not in names.values()]
        if not pool:
            return text
        wrong = rng.choice(pool)
        wrong = f"the {wrong}" if slot == "person" else wrong
    frame = rng.choice(around()["around"]["self_corrections"])
    return text.replace(f"{{{slot}}}", wrong + frame.replace("{x}", f"{{{slot}}}"))


def _articles(rng: random.Random, text: str, things: Sequence[str]) -> str:
    for thing in things:
        if thing.endswith("s") and not thing.endswith("ss"):
            some = rng.choice([thing, f"some {thing}", f"a pair of {thing}", f"a few {thing}"])
            text = re.sub(rf"\b(?:a|an|one|another) {re.escape(thing)}\b", some, text)
            if rng.random() < 0.8:
                text = re.sub(rf"\b{re.escape(thing)} is\b", f"{thing} are", text)
    return re.sub(r"\b([Aa]) (?=[aeiouAEIOU])", lambda a: a[1] + ("n " if rng.random() < 0.85 else " "), text)


# -- around it --------------------------------------------------------------------------------------------------------
def _surround(rng: random.Random, said: Filled) -> None:
    words, head = around()["around"], _head(said.meaning)
    answer = head in ANSWERS
    quiet = answer or head in ("stop", "none", "greet", "unknown")
    if (rng.random() < 0.3 and not quiet) or (head == "none" and rng.random() < 0.12):
        said.text = rng.choice(words["before"]) + said.text
    if rng.random() < 0.3 and head in ACTS and ";" not in said.meaning:
        said.text = re.sub(r"[?.!]$", "", said.text)
        if rng.random() < 0.5:
            said.text += rng.choice(words["behind"])
        else:
            said.text += rng.choice(words["reason_frames"]).format(why=rng.choice(words["reasons"]))
    elif rng.random() < 0.1 and not quiet:
        said.text = rng.choice(words["before_questions" if head == "ask" else "before_orders"]) + said.text


def _distort(rng: random.Random, said: Filled) -> None:
    """Articles that are left out, fillers, words said twice, typos."""
    if said.meaning.startswith(("unknown", "teach")):
        return
    text, draw = said.text, rng.random()
    if draw < 0.04:
        text = re.sub(r"\b(a|the|an|some) ", lambda a: "" if rng.random() < 0.7 else a[0], text)
    elif draw < 0.08:
        words = text.split(" ")
        for _ in range(rng.choice([1, 1, 2])):
            filler = rng.choice(["um", "uh", "er", "like", "you know", "uhm", "ah", "erm,", "well,"])
            words.insert(rng.randrange(len(words) + 1), filler)
        text = " ".join(words)
    elif draw < 0.1:
        words = text.split(" ")
        at = rng.randrange(len(words))
        words.insert(at, words[at])
        text = " ".join(words)
    said.text = _typos(rng, text) if rng.random() < 0.2 else text


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEXT_KEY = {a: b for row in _ROWS for a, b in zip(row, row[1:] + row[-2])}


def _typos(rng: random.Random, text: str) -> str:
    words, short = text.split(" "), around()["short"]
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
        at = rng.randrange(len(words))
        word = words[at]
        if word.lower() in short and rng.random() < 0.5:
            words[at] = short[word.lower()]
        elif len(word) > 3:
            i, draw = rng.randrange(1, len(word) - 1), rng.random()
            kinds = ((0.3, word[i + 1] + word[i] + word[i + 2 :]), (0.6, word[i + 1 :]), (0.75, word[i] + word[i:]),
                     (1.0, _NEXT_KEY.get(word[i], word[i]) + word[i + 1 :]))  # fmt: skip
            words[at] = word[:i] + next(rest for limit, rest in kinds if draw < limit)
    return " ".join(words)


def _typography(rng: random.Random, said: Filled) -> None:
    text, draw = said.text, rng.random()
    if draw < 0.45:
        text = text[:1].upper() + text[1:]
    elif draw < 0.57:
        text = re.sub(r"[^\w' :-]", "", text).lower() or text
    if rng.random() < 0.45 and text[-1] not in "?!.":
        text += rng.choice([".", ".", "!"])
    if rng.random() < 0.2:
        text = text.rstrip("?.!") or text
    if rng.random() < 0.1:
        text = text.replace("'", "")
    said.text = text.upper() if rng.random() < 0.04 else text


def _context(rng: random.Random, said: Filled) -> None:
    """What the team and the person said before, where the way leaves it open."""
    data, first = around(), said.meaning.split(";")[0]

    def drawn(lines: Sequence[str]) -> str:
        return rng.choice(lines).format(**said.others)

    kind = _asked_for(first)
    if not said.team:
        if kind:
            said.team = drawn(data["team"][kind]) if kind != "yesno" or rng.random() < 0.85 else ""
        elif rng.random() < 0.4:
            group = rng.choice([g for g in data["team"] if g != "said"]) if rng.random() < 0.5 else "said"
            said.team = drawn(data["team"][group])
    if not said.before:
        draw = rng.random()
        if "@" in said.meaning or (first.startswith("correct") and draw < 0.8) or 0.45 <= draw < 0.75:
            said.before = drawn(data["person"]["orders"])
        elif draw >= 0.75:
            said.before = drawn(data["person"]["facts" if draw < 0.88 else "other"])


def _asked_for(meaning: str) -> str:
    """The kind of question that a meaning answers."""
    if re.match(r"approve (\d|fastest|safest|best)", meaning) or meaning == "ask compare":
        return "option"
    kinds = {"approve": "yesno", "refuse": "yesno", "things": "thing", "nothing": "nothing", "somewhere": "somewhere",
             "number": "number", "show": "thing"}  # fmt: skip
    return kinds.get(_head(meaning), "")


# -- families ---------------------------------------------------------------------------------------------------------
def _head(meaning: str) -> str:
    return re.split(r"[ :;]", meaning)[0]


def _joinable(said: Filled) -> bool:
    mods = r" (urgent|when|without|with|within|by|after|every|later|daily|at \d)"
    return ";" not in said.meaning and "any of" not in said.meaning and not re.search(mods, said.meaning)


def _merged(first: str, second: str) -> str:
    for head in ("order: ", "tell: "):
        if first.startswith(head) and second.startswith(head):
            return f"{first}; {second[len(head) :]}"
    return f"{first}; {second}"


def _split(families: Sequence[Family]) -> tuple[list[Family], list[Family]]:
    """Ways to learn, and ways that are kept for a test, by a hash of their words."""
    learnt, held = [], []
    for family in families:
        apart = [w for w in family.ways if len(family.ways) >= 6 and _hash(family.meaning + w.text) % HELD_OUT == 0]
        rest = tuple(w for w in family.ways if w not in apart)
        learnt.append(Family(family.meaning, rest or family.ways))
        if apart and rest:
            held.append(Family(family.meaning, tuple(apart)))
    return learnt, held


def _hash(text: str) -> int:
    return zlib.crc32(text.encode())


def _weights(families: Sequence[Family]) -> list[float]:
    """Families with many ways more often, by the root of their number; remarks and stops have a share of their own."""
    plain = [0.0 if f.meaning == "none" else len(f.ways) ** 0.5 for f in families]
    total = sum(plain)
    share = SHARE_OF_REMARKS / (1 - SHARE_OF_REMARKS) * total
    least = {"none": share, "stop all": LEAST_STOP * total}
    return [max(w, least.get(f.meaning, 0.0)) for f, w in zip(families, plain)]


def check_ways(text: str, name: str) -> None:
    """CoterieError where a file of ways has a meaning that cannot be parsed, or a slot that nobody fills."""
    rng, scene = random.Random(0), scenes.draw(random.Random(5))
    for family in read_ways([text]):
        for way in family.ways:
            try:
                said = fill(rng, family.meaning, way, scene, 0.0)
            except (KeyError, IndexError) as err:
                raise CoterieError(f"'{name}': no slot {err} for '= {family.meaning}'.") from None
            left = SLOT.search(said.text + said.team + said.before)
            if left is not None:
                raise CoterieError(f"'{name}': '{way.text}' has a slot that nobody fills: {left[0]}.")
        try:
            parse(said.meaning, scene.scene())
        except CoterieError as err:
            raise CoterieError(f"'{name}', '= {family.meaning}': {err}") from None
