"""A mission of the hospital that writes down what it would do about a sentence, and whether that is what was meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from coterie.mission.dialogue import listening
from coterie.mission.dialogue.conversation import Deed
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.writing import brief
from tests.mission.talkers import Hospital

#: Five sentences for each of 60 meanings, which were given to the writer in brief, without sight of the grammar.
_PAGE = Path(__file__).parent / "data" / "paraphrases.jsonl"
ROWS = [json.loads(row) for row in _PAGE.read_text("utf-8").splitlines()]
MEANINGS = list(dict.fromkeys(r["meaning"] for r in ROWS))  # the numbers of the sheet follow this order
SPEAKER = "teacher"
#: What is said before, where a meaning answers something.
BEFORE = {
    "number 3": ("Put zero painkillers on table F.",),
    "things: 1 caddy1": ("Define a new kit 'firstaid'.",),
    "things: 1 bandagebox, 2 gloves": ("Define a new kit 'firstaid'.", "A medical caddy."),
    "things: 2 painkiller": ("Define a new kit 'firstaid'.", "A medical caddy."),
}
#: What was ordered before, where a meaning corrects it; and what the correction makes of it.
LAST = {
    "correct: somewhere tableC": m.Order((m.Want(m.STOCK, "bandagebox", "tableB"),)),
    "correct: things: 1 woundkit": m.Order((m.Want(m.KIT, "medkit", "alpha"),)),
}
#: Meanings that come to the same.
SAME = {
    "correct: somewhere tableC": ("order: stock bandagebox at tableC",
                                  "correct: order: stock @it at tableC", "correct: order: stock bandagebox at tableC"),
    "correct: things: 1 woundkit": ("order: kit woundkit at alpha",),
    "policy: jammed -> ask @me": (f"policy: jammed -> ask {SPEAKER}",),
    "ask is it so: empty at tableE": ("ask contents: tableE",),
    "number 3": ("order: stock 3 painkiller at tableF", "things: 3 painkiller", "things: 3 pieces ? pieces"),
    "forget": ("undo",),
}  # fmt: skip
PROPOSED = "I could do it in another way. Do you want me to do it?"  # where a meaning answers that


class Taken(NamedTuple):
    """What became of a sentence."""

    done: list[str]  # in brief: orders, facts, rules, rights, answers that counted
    answered: list[str]  # questions and small talk
    back: str  # what was read back, if anything
    offered: list[str]  # what was shown as things that could be said
    told: str


class Listener:
    """A mission of the hospital that writes down what it would do."""

    def __init__(self, reader: Any = None) -> None:
        """`reader` reads what the grammar does not know (`coterie.talk.reader.Reader`)."""
        self.talk = Hospital()
        self.front = listening.Listener(reader)
        self.done: list[str] = []
        self.answered: list[str] = []
        partner: Any = self.talk.mission.partner
        self.vocabulary = partner.vocabulary

        def act(thread: Any, meaning: Any) -> str:
            self.done.append(brief(meaning))
            return "Done."

        def teach(thread: Any, meaning: Any) -> Any:
            self.done.append(brief(meaning))
            return begin(thread, meaning)

        def answer(thread: Any, meaning: Any) -> str:
            self.answered.append(brief(meaning))
            return "An answer."

        begin = partner.teach
        partner.act, partner.teach, partner.answer = act, teach, answer
        partner.possible = lambda thread, meaning, deed: None

    def take(self, text: str, meant: str = "") -> Taken:
        threads = self.talk.mission.dialogue.threads
        threads._threads.clear()
        asked = PROPOSED if meant in ("approve", "refuse") else ""
        self.talk.mission.partner.proposed = lambda person: asked  # type: ignore[method-assign]
        for line in BEFORE.get(meant, ()):
            self.talk.say(SPEAKER, line)
        thread = threads.of(SPEAKER)
        if meant in LAST:
            thread.did(Deed(LAST[meant], undo=lambda deed: self.done.append("undo")))
            thread.mention("item", "bandagebox")
        asking = thread.asking
        before = list(asking.answers) if asking is not None else []
        self.done.clear()
        self.answered.clear()
        told = self.talk.say(SPEAKER, self.front.to(self.talk.mission.dialogue, SPEAKER, text))
        if asking is not None and len(asking.answers) > len(before):
            self.done += [brief(x) for x in asking.answers[len(before) :]]
        if asking is not None and thread.asking is None and not asking.over:
            self.done.append("left")
        passing = thread.asking.passing if thread.asking is not None else None
        small = [brief(x) for x in thread.meanings if isinstance(x, (m.Greet, m.Repeat)) and passing is not x]
        offered = [
            x for row in told.splitlines() if row.startswith("  ") for x in understand(row.strip(), self.vocabulary)
        ]
        names = [brief(x) for x in offered if isinstance(x, m.Meaning)]
        return Taken(list(self.done), self.answered + small, brief(passing) if passing is not None else "", names, told)


def alike(found: str, meant: str) -> bool:
    """Things may be named in any order."""
    if found.startswith("things:") and meant.startswith("things:"):
        return sorted(found[8:].split(", ")) == sorted(meant[8:].split(", "))
    return found == meant


def same(found: str, meant: str) -> bool:
    return alike(found, meant) or found in SAME.get(meant, ())


def judged(taken: Taken, meant: str) -> str:
    """right, useful, asked or wrong."""
    bad = [x for x in taken.done if not same(x, meant)]
    if meant in LAST:
        bad = [x for x in bad if x != "undo"]
    if bad:
        return "wrong"
    good = [x for x in taken.done + taken.answered if same(x, meant)]
    if good or (taken.back and same(taken.back, meant)):
        return "right"
    return "useful" if any(same(x, meant) for x in taken.offered) else "asked"
