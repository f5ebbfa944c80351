"""Sentences of every rule of the grammar: each is read, or not understood, and none breaks the talk."""

import random

import pytest

from coterie.mission.language.reading import Reading
from coterie.mission.language.signs import signed
from coterie.mission.language.understand import _lark, _tree
from coterie.talk.meanings import Meaning
from tests.mission.talkers import Hospital

NAMES = {
    "ROBOT": "Spot", "PERSON": "nurse", "ROOM": "gamma", "TABLE": "table C", "DOOR": "side door", "ITEM": "gloves",
    "CADDY": "caddy", "KIT": "medkit", "TASK": "patrol", "NUM": "two", "LABEL": "'burn'", "WORD": "plaster",
}  # fmt: skip
DEEP = 12


class Sentences:
    """For every rule of the grammar a sentence that it has a part in, all else drawn and short."""

    def __init__(self, seed: int):
        parser = _lark()[0].parser
        self.rng = random.Random(seed)
        self.words = {t.name: getattr(t.pattern, "value", "") for t in parser.lexer_conf.terminals}
        self.rules = list(parser.parser_conf.rules)
        self.of: dict[str, list] = {}
        for rule in self.rules:
            self.of.setdefault(rule.origin.name, []).append(rule)
        self.least = dict.fromkeys(self.of, DEEP)
        for _ in range(DEEP):
            self.least = {name: min(map(self._depth, rows)) for name, rows in self.of.items()}
        self.above: dict[str, object] = {"start": None}  # by what rule one comes to a name
        names = ["start"]
        for name in names:
            for rule in self.of[name]:
                new = [s.name for s in rule.expansion if not s.is_term and s.name not in self.above]
                self.above.update(dict.fromkeys(new, rule))
                names += dict.fromkeys(new)

    def _depth(self, rule):
        return 1 + max((self.least[s.name] for s in rule.expansion if not s.is_term), default=0)

    def with_rule(self, rule) -> str:
        text = self._said(rule)
        while (above := self.above[rule.origin.name]) is not None:
            text, rule = self._said(above, rule.origin.name, text), above
        return " ".join(text.split())

    def _said(self, rule, name="", text="") -> str:
        parts = []
        for symbol in rule.expansion:
            if symbol.is_term:
                parts.append(NAMES.get(symbol.name) or self.words[symbol.name])
            elif symbol.name == name:
                parts.append(text)
                name = ""
            else:
                parts.append(self._short(symbol.name))
        return " ".join(parts)

    def _short(self, name: str) -> str:
        least = self.least[name]
        return self._said(self.rng.choice([r for r in self.of[name] if self._depth(r) <= least + 1]))


@pytest.fixture(scope="module")
def vocabulary():
    hospital = Hospital()
    hospital.mission.partner.vocabulary.add("task", "patrol", ["patrol"])
    return hospital.mission.partner.vocabulary


@pytest.mark.long
def test_every_rule_of_the_grammar_can_be_said_and_breaks_nothing(vocabulary):
    made = Sentences(7)
    named = [rule for rule in made.rules if rule.alias]  # which a method reads
    assert len(named) > 400
    read = [_read(made.with_rule(rule), vocabulary) for rule in named]
    assert sum(isinstance(x, Meaning) for x in read) > 0.8 * len(read)


def _read(text, vocabulary):
    words = signed(text, vocabulary)
    tree = _tree(words.text)
    return Reading(words, vocabulary).of(tree) if tree is not None else None
