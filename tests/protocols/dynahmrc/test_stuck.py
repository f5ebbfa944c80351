"""A model that is held to a grammar cannot do for ever what fails each time."""

import re
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.bench.playing import Job, Running, drawn
from coterie.core.config import Config
from coterie.core.language import Language, others_than
from coterie.core.protocol import Reply
from coterie.models.choices import read_choices
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.shared.memory import LATELY, STUCK, Deed, Memory
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


def long_way(deeds):
    """The same by the definition alone, of any number of deeds."""
    idle = ("communicate(", "wait(")
    late, vain = deeds[-LATELY:], []
    worked = [n for n, (action, ok) in enumerate(late) if ok and not action.startswith(idle)]
    failed = [action for action, ok in reversed(late[worked[-1] + 1 if worked else 0 :]) if not ok]
    vain += [a for a in dict.fromkeys(failed) if failed.count(a) >= STUCK]
    last = {action for action, _ in late[-STUCK:]} if len(late) >= STUCK else {"wait()"}
    if all(a.startswith("communicate(") for a in last):
        vain.append("communicate")
    elif len(last) == 1 and not last & {"wait()"}:
        vain += last
    pairs = [(late[a][0], late[b][0]) for a, b in pairwise(worked) if b == a + 1]
    vain += [p[0] for p in dict.fromkeys(pairs) if p[0] != p[1] and pairs.count(p) >= STUCK]
    return tuple(dict.fromkeys(vain))


@given(st.lists(st.sampled_from([PICK, TALK, GO, WAIT, ("pick(a)", True), ('communicate("y")', True)]), max_size=16))
def test_nothing_done_in_vain_is_overlooked(deeds):
    assert memory(*deeds).stuck() == long_way(deeds)


def grammars(said, count):
    """What Alice is held to, step by step, who says the same each time."""
    config = Config("pack-objects", "Ma-MoMa-UAV", protocol="dynahmrc", model="oracle", seed=3, scene="flat")
    job = Job("a", "b", config, {})
    running, held = Running(job, drawn(job)), []
    running.go_on()
    while len(held) < count and running.asks:
        replies = []
        for ask in running.asks:
            text = answer(ask.prompt)
            if ask.stage == "HMRC" and ask.robot == "Alice":
                text = f"Thought: Again.\nAction: {said[min(len(held), len(said) - 1)]}"
                rules = dict(line.split(" ::= ", 1) for line in read_choices(ask.choices).value.splitlines())
                held.append(rules)
            replies.append(Reply(text))
        running.go_on(replies)
    return held


def test_a_stubborn_robot_has_to_do_something_else():
    held = grammars(["open(sofa)"] * STUCK + ["navigate(sofa, 0)", "open(sofa)"], STUCK + 2)
    assert {h["a-open"] for h in held[:STUCK]} == {'"open(" place ")"'}
    left = held[STUCK]["a-open"]
    assert left.startswith('"open(" (') and '"sofa"' not in left
    assert set(re.findall(r'"(\w+)"', left)) == set(re.findall(r'"(\w+)"', held[0]["place"])) - {"sofa"}
    assert held[STUCK + 1]["a-open"] == held[0]["a-open"]  # it did something else, and may try again


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


def test_talk_for_ever_is_no_action_either():
    held = grammars(['communicate("Hello there.", all)', 'communicate("Is anybody there?", all)'], STUCK + 1)
    assert "a-communicate" in held[STUCK - 1]["action"] and "a-communicate" not in held[STUCK]["action"]


def test_move_is_offered_where_something_is_out_of_reach_and_the_teacher_can_always_say_what_it_means():
    """Elsewhere it would only wait, and a small model says the same for the rest of the episode."""
    offered, moved = [], 0
    for seed in (7, 8):
        config = Config("sort-solids", "Ma-MoMa-UAV", protocol="dynahmrc", model="oracle", seed=seed, scene="bungalow",
                        level="medium-search")  # fmt: skip
        job = Job("a", "b", config, {})
        running = Running(job, drawn(job))
        running.go_on()
        while running.asks:
            replies = [Reply(answer(ask.prompt)) for ask in running.asks]
            for ask, reply in zip(running.asks, replies):
                if ask.stage != "HMRC":
                    continue
                rules = dict(line.split(" ::= ", 1) for line in read_choices(ask.choices).value.splitlines())
                skill = re.search(r"^Action: (\w+)", reply.text, re.M)[1]
                assert f"a-{skill}" in rules["action"].split(" | "), reply.text
                offered.append("a-move" in rules)
                moved += skill == "move"
            running.go_on(replies)
    assert moved and 0 < sum(offered) < len(offered) / 2


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
