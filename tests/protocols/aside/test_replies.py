"""Whole replies in the manner of real models: each is read as meant, and what settles on nothing is not read at all."""

import json
from pathlib import Path

import pytest

from coterie.core.action import Action
from coterie.core.kinds import Misread
from coterie.protocols.coela import LETTERS, _read_choice
from coterie.protocols.coherent import Coherent
from coterie.protocols.rounds.parse import Plan, read_plan
from coterie.protocols.shared.replies import PlanReader, one_of
from coterie.worlds import entry_of
from tests.protocols.rounds.helpers import scene

LANGUAGE = entry_of("pack-objects").language
REPLIES = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))
TEAM = ["Alice", "Bob", "Lucy"]
OPTIONS = [Action("pick", ("cup_0",)), Action("open", ("fridge",)), Action("wait")]


def plain(found: object) -> object:
    """An action as it stands in the table."""
    if not isinstance(found, Action):
        return None
    return [found.skill, *(list(a) if isinstance(a, tuple) else a for a in found.args)]


def of(stage: str):
    return pytest.mark.parametrize("case", REPLIES[stage].values(), ids=REPLIES[stage].keys())


@of("actions")
def test_an_action(case):
    assert plain(LANGUAGE.read(case["reply"], ["Bob", "Lucy"])) == case["meant"]


@of("votes")
def test_a_vote(case):
    assert one_of(case["reply"], "leader", TEAM) == case["meant"]


@of("plans")
def test_a_plan(case):
    found = PlanReader(TEAM)(case["reply"])
    if case["has"] is None:
        assert isinstance(found, Misread)
    else:
        assert isinstance(found, str)
        assert [w for w in case["has"] if w not in found] + [w for w in case["lacks"] if w in found] == []


@of("teams")
def test_one_action_for_every_robot(case):
    actions, unread = Coherent()._read(case["reply"], ["Alice", "Bob"], LANGUAGE)
    assert {n: plain(actions.get(n)) for n in ("Alice", "Bob")} == case["meant"]
    assert unread == [n for n, meant in case["meant"].items() if meant is None]


@of("options")
def test_an_option(case):
    found = _read_choice(case["reply"], OPTIONS, LANGUAGE)
    letter = None if isinstance(found, Misread) else LETTERS[[o[:2] for o in OPTIONS].index(found[:2])]
    assert letter == case["meant"]


@of("rounds")
def test_a_plan_of_a_round(case):
    found = read_plan(case["reply"], scene())
    joint = {n: plain(a) for n, a in found.joint.items()} if isinstance(found, Plan) else None
    assert joint == case["meant"]
