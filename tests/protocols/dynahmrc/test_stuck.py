"""A model that is held to a grammar cannot do for ever what fails each time."""

import re
from types import SimpleNamespace

import pytest

from coterie.bench.playing import Job, Running, drawn
from coterie.core.config import Config
from coterie.core.language import Language, others_than
from coterie.core.protocol import Reply
from coterie.models.choices import read_choices
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.shared.memory import STUCK, Deed, Memory
from coterie.worlds.indoor.entry import INDOOR
from tests.gbnf import as_regex


def memory(*deeds):
    found = Memory()
    found.deeds += [Deed(n, action, ok, "", frozenset(), "") for n, (action, ok) in enumerate(deeds)]
    return found


PICK, TALK, GO, WAIT = ("pick(a)", False), ('communicate("x")', True), ("navigate(b, 0)", True), ("wait()", True)


@pytest.mark.parametrize(
    "deeds, stuck",
    [
        ([PICK] * STUCK, ("pick(a)",)),
        ([PICK] * (STUCK - 1), ()),
        ([PICK, PICK, ("pick(b)", False), PICK], ("pick(a)",)),  # another failure does not make it new
        ([PICK, PICK, WAIT, TALK, PICK], ("pick(a)",)),  # nor do waiting and talk
        ([PICK, PICK, GO, PICK], ()),  # something worked: it may be otherwise now
        ([PICK, ("place(a, c)", False)] * STUCK, ("place(a, c)", "pick(a)")),
        ([GO] * STUCK, ("navigate(b, 0)",)),  # it is there
        ([GO, ("pick(a)", True), GO, ("pick(c)", True), GO], ()),  # a carrier comes again and again
        ([("pick(a)", True), ("place(a, c)", True)] * STUCK, ("pick(a)",)),  # and undoes what it did
        ([("pick(a)", True), ("place(a, c)", True)] * STUCK + [("pick(b)", False)], ("pick(a)",)),  # not only at once
        ([("pick(a)", True), ("place(a, c)", True)] * (STUCK - 1), ()),
        ([WAIT] * 9, ()),
        ([TALK, ('communicate("y")', True), TALK], ("communicate",)),
        ([], ()),
    ],
)
def test_what_is_done_in_vain_again_and_again(deeds, stuck):
    assert memory(*deeds).stuck() == stuck


def play(config, say):
    """An episode in which `say` answers every request, until it has nothing to say."""
    job = Job("a", "b", config, {})
    running = Running(job, drawn(job))
    running.go_on()
    while running.asks:
        said = [say(ask) for ask in running.asks]
        if None in said:
            return
        running.go_on([Reply(text) for text in said])


def rules_of(ask):
    return dict(line.split(" ::= ", 1) for line in read_choices(ask.choices).value.splitlines())


def grammars(said, count):
    """What Alice is held to, step by step, who says the same each time."""
    config = Config("pack-objects", "Ma-MoMa-UAV", protocol="dynahmrc", model="oracle", seed=3, scene="flat")
    held = []

    def say(ask):
        if len(held) == count:
            return None
        if ask.stage != "HMRC" or ask.robot != "Alice":
            return answer(ask.prompt)
        held.append(rules_of(ask))
        return f"Thought: Again.\nAction: {said[min(len(held), len(said)) - 1]}"

    play(config, say)
    return held


def test_a_stubborn_robot_has_to_do_something_else():
    held = grammars(["open(sofa)"] * STUCK + ["navigate(sofa, 0)", "open(sofa)"], STUCK + 2)
    assert {h["a-open"] for h in held[:STUCK]} == {'"open(" place ")"'}
    left = held[STUCK]["a-open"]
    assert left.startswith('"open(" (') and '"sofa"' not in left
    assert set(re.findall(r'"(\w+)"', left)) == set(re.findall(r'"(\w+)"', held[0]["place"])) - {"sofa"}
    assert held[STUCK + 1]["a-open"] == held[0]["a-open"]  # it did something else, and may try again
    talk = grammars(['communicate("Hello there.", all)', 'communicate("Is anybody there?", all)'], STUCK + 1)
    assert "a-communicate" in talk[STUCK - 1]["action"] and "a-communicate" not in talk[STUCK]["action"]


def test_of_two_names_one_may_be_the_same():
    """A side that is in the way is left out after a while, and sides that a piece has not are never named."""
    held = grammars(["navigate(sofa, 9)"] * STUCK + ["navigate(bed, 0)"] * (STUCK + 1), 2 * STUCK + 1)
    first, later = (as_regex("\n".join(f"{k} ::= {v}" for k, v in h.items())) for h in (held[0], held[-1]))
    said = "Thought: So.\nAction: navigate({})"
    assert first.fullmatch(said.format("sofa, 2")) and not first.fullmatch(said.format("sofa, 3"))
    assert first.fullmatch(said.format("bed, 0")) and not later.fullmatch(said.format("bed, 0"))
    assert later.fullmatch(said.format("bed, 1")) and later.fullmatch(said.format("sofa, 0"))
    place = " | ".join(f'"{p}"' for p in ("bed", "sofa"))
    assert others_than(["sofa"], place) == '"bed"' and others_than("2", "[0-3]") == '"0" | "1" | "3"'
    assert others_than("x", '"-"? [0-9]{1,3}') == ""


def test_move_is_offered_where_something_is_out_of_reach_and_the_teacher_can_always_say_what_it_means():
    """Elsewhere it would only wait, and a small model says the same for the rest of the episode."""
    offered, moved = [], []

    def say(ask):
        text = answer(ask.prompt)
        if ask.stage == "HMRC":
            rules, skill = rules_of(ask), re.search(r"^Action: (\w+)", text, re.M)[1]
            assert f"a-{skill}" in rules["action"].split(" | "), text
            offered.append("a-move" in rules)
            moved.append(skill == "move")
        return text

    for seed in (7, 8):
        config = Config("sort-solids", "Ma-MoMa-UAV", protocol="dynahmrc", model="oracle", seed=seed, scene="bungalow",
                        level="medium-search")  # fmt: skip
        play(config, say)
    assert any(moved) and 0 < sum(offered) < len(offered) / 2


def test_several_calls_are_left_out_at_once():
    """Alice stands before two places that she cannot open, and may still open all others; and go to other sides."""
    held = grammars(["open(sofa)", "open(bed)"] * STUCK + ["wait()"], 2 * STUCK + 1)
    left = set(re.findall(r'"(\w+)"', held[-1]["a-open"]))
    assert left == set(re.findall(r'"(\w+)"', held[0]["place"])) - {"sofa", "bed"}
    me = SimpleNamespace()
    kinds = [Fixed("place", ("bed", "sofa")), Fixed("side", ("0", "1"))]
    text = Language._others(INDOOR.language, kinds, [["bed", "0"], ["bed", "1"], ["sofa", "1"]], me)
    assert text == '"sofa, " ("0")' and len(INDOOR.language.skills.get("navigate").shown) == 2


class Fixed:
    """A kind with these values."""

    form = ""

    def __init__(self, name, values):
        self.call_form, self._values = name, values

    def rule_text(self, me):
        return " | ".join(f'"{v}"' for v in self._values)
