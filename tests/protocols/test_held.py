"""Small models are held to what can be read and done: rivals like DynaHMRC, and none more than its teacher."""

import re

import pytest

from coterie.bench.studies.dynahmrc.lessons import draw
from coterie.core.config import Config
from coterie.core.protocol import Reply
from coterie.learn.demos import brief, played
from coterie.protocols.dynahmrc.oracle import Oracle, answer
from tests.gbnf import as_regex

PIECE = "sofa"


class Heard(Oracle):
    """The teacher, whose requests are kept."""

    def __init__(self):
        self.asks = []

    def answer(self, asks):
        self.asks += asks
        return super().answer(asks)


class Stubborn(Heard):
    """Everybody drives to and fro between two sides of the same piece, for ever."""

    def answer(self, asks):
        self.asks += asks
        return [Reply(self.stubborn(ask)) for ask in asks]

    def stubborn(self, ask):
        right, text = answer(ask.prompt), ask.prompt[-1][1]
        side = ask.step % 2
        if ask.stage == "CENTRAL":
            return f"Thought: so.\nBob: wait()\nAlice: navigate({PIECE}, {side})"
        if ask.stage == "PLAN":
            letter = re.search(rf"^([A-Z]+)\. navigate\({PIECE}, {side}\)$", text, re.M)
            return f"Thought: so.\nOption: {letter.group(1)}" if letter else right
        return right


def asked(protocol, model, count):
    list(played(draw(3, count, protocol), model, count, rename=0.0))
    return [a for a in model.asks if isinstance(a.choices, dict) and a.prompt[-1][0] == "user" and not a.attempt]


@pytest.mark.parametrize(
    "protocol, stages", [("dynahmrc", {"HMRC"}), ("coela", {"COMM", "PLAN"}), ("coherent", {"CENTRAL"})]
)
def test_what_the_teacher_says_is_allowed_and_other_names_are_not(protocol, stages):
    asks = asked(protocol, Heard(), 3)
    assert {a.stage for a in asks} >= stages
    changed = 0
    for ask in asks:
        allowed, reply = as_regex(ask.choices["gbnf"]), brief(answer(ask.prompt))
        assert allowed.fullmatch(reply), (reply, ask.choices["gbnf"])
        other = reply.replace("navigate(", "navigate(no").replace("Option: ", "Option: Z")
        changed += other != reply
        assert other == reply or not allowed.fullmatch(other)
    assert changed > 5 or protocol == "coela"


@pytest.mark.parametrize("protocol, stage", [("coherent", "CENTRAL"), ("coela", "PLAN")])
def test_what_is_done_and_undone_cannot_be_said_for_ever(protocol, stage):
    model = Stubborn()
    config = Config(
        task="pack-objects", team="Ma-MoMa", level="medium-search", seed=20_000, protocol=protocol, model="oracle"
    )
    list(played([config], model, rename=0.0))
    asks = [a for a in model.asks if a.stage == stage and a.robot != "Bob"]
    allowed = [bool(as_regex(a.choices["gbnf"]).fullmatch(model.stubborn(a))) for a in asks]
    assert len(asks) > 12 and all(allowed[:4]) and not any(allowed[8:]), "three times, and then no more"
