"""Lessons drawn from a seed: the same teaching with other nouns, numbers and orders of answers."""

from __future__ import annotations

from typing import NamedTuple

from coterie.core.seeds import rng_of
from coterie.talk.vocabulary import plural

LABELS = (
    "firstaid",
    "burnkit",
    "coldkit",
    "legkit",
    "springkit",
    "travelkit",
    "zoo kit",
    "kit seven",
    "eyekit",
    "rescuebag",
)
ITEMS = {"painkiller": "painkiller", "bandagebox": "bandage box", "gloves": "gloves", "antiseptic": "antiseptic",
         "thermometer": "thermometer"}  # fmt: skip
NEW = ("splint", "plaster", "syringe", "blanket", "torch", "ice bag")
COUNTS = ("no", "one", "two", "three", "four")
ENDS = ("Nothing else.", "No, that is all.", "That is everything.", "No.", "No more.")
BEGINS = ("Define new kit '{}'.", "I want to teach you a new kit called '{}'.", "Learn a new kit named '{}'.",
          "Define a new kit '{}', please.")  # fmt: skip


class Lesson(NamedTuple):
    label: str
    lines: list[str]
    contents: dict[str, int]
    room: str


def some(count: int, words: str) -> str:
    return f"{COUNTS[count]} {words if count == 1 else plural(words)}"


def drawn(seed: int) -> Lesson:
    rng = rng_of("lesson", seed)
    label, contents, lines = rng.choice(LABELS), {}, []
    lines.append(rng.choice(BEGINS).format(label))
    chosen = rng.sample(sorted(ITEMS), rng.randint(1, 4))
    parts: list[list[str]] = []
    while chosen:  # one by one, or two at once
        pair = [chosen.pop() for _ in range(min(len(chosen), rng.choice((1, 1, 2))))]
        rows = []
        for name in pair:
            count = rng.randint(1, 4)
            contents[name] = count
            rows.append(some(count, ITEMS[name]))
        said = [f"{' and '.join(rows).capitalize()}."]
        if len(pair) == 1 and rng.random() < 0.3:  # put right at once
            wrong = rng.choice([c for c in (1, 2, 3, 4) if c != contents[pair[0]]])
            said = [f"{some(wrong, ITEMS[pair[0]]).capitalize()}.", f"No, {COUNTS[contents[pair[0]]]}."]
        parts.append(said)
    if rng.random() < 0.4:  # a thing that nobody knows: it is shown, and where there are some is said
        words, count = rng.choice(NEW), rng.randint(1, 3)
        contents["".join(words.split())] = count
        place = rng.choice(("table C", "table F", "table D"))
        shows = rng.choice(("This is one.", "It looks like this.", "Here is one."))
        where = rng.choice((f"On {place}.", f"There are three {plural(words)} on {place}."))
        parts.append([f"{some(count, words).capitalize()}.", shows, where])
    rng.shuffle(parts)
    caddy = rng.choice(("A medical caddy.", "The caddy.", "A caddy."))
    early = [p for p in parts if len(p) == 1][:1] if rng.random() < 0.4 else []
    rest = [p for p in parts if p not in early]
    lines += [line for p in early for line in p] + [caddy] + [line for p in rest for line in p]
    if rng.random() < 0.3:  # something else in the middle
        lines.insert(rng.randint(1, len(lines) - 1), rng.choice(("What is on table B?", "Hello.", "Who is here?")))
    lines.append(rng.choice(ENDS))
    return Lesson(label, lines, contents, rng.choice(("alpha", "beta", "gamma")))


def expected(lesson: Lesson, replies: list[list[str]]) -> bool:
    return bool(replies[-1]) and "I have learnt it" in replies[-1][-1]
