"""What strangers say they have done is so; what a model has not said, nobody knows for it; and rivals of IRoT go on
whatever others say, too."""

import re
from dataclasses import replace

import pytest

from coterie.core.action import Message
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.protocols.adhoc.irot import Irot, Options
from coterie.protocols.adhoc.knowledge import Knowing
from coterie.protocols.adhoc.rivals.prompted import Cot, Gpl, Naive
from coterie.protocols.adhoc.rivals.type_inference import Typed
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.worlds.household.setting import Start
from tests.protocols.adhoc.test_stranger import ODD_TEAMS, Silent, did, joined, said
from tests.worlds.household.made import arm, eye, furnished, piece

ALONE = {"Eve": Start(1.0, 1.0, 0.0)}


class Model(Oracle):
    """The oracle, of whose replies at some stages others are made."""

    def __init__(self, **replies):
        super().__init__()
        self.replies = replies

    def answer(self, asks):
        found = super().answer(asks)
        return [r._replace(text=self.replies.get(a.stage, r.text)) for a, r in zip(asks, found)]


# -- without sub-tasks, and without sub-skills that could be read -----------------------------------------------------
@pytest.mark.parametrize("reply", [None, "no idea"], ids=["rule", "unreadable"])
def test_who_plans_no_sub_tasks_puts_things_away_and_goes_on(reply):
    mind, more = lambda: Irot(Options(subtasks=False)), {"astray": ("mug_0",), "starts": ALONE, "limit": 90}
    model = Oracle() if reply is None else Model(SKILL=reply)
    result, _, log, _ = joined((eye(battery=1),), arm("Zoe"), mind, model=model, **more)
    words = "\n".join(e.data["text"] for e in said(log, "Zoe"))
    assert "Direct" not in re.findall(r"^done: (.*)$", words, re.M)
    if reply is None:
        assert result.success and "done: mug_0 on=counter_top_0" in words
    assert max(e.step for e in log.events if e.kind == "did" and e.who == "Zoe") > 20


def test_sub_tasks_in_free_words_survive_sub_skills_that_cannot_be_read():
    model = Model(GEN="[result]\n1. Look around a bit", SKILL="no idea", JUDGE="[judgement] yes")
    _, _, log, _ = joined((eye(battery=1),), arm("Zoe"), lambda: Irot(Options(free=True)), model=model, limit=40)
    assert len([e for e in log.events if e.kind == "did" and e.who == "Zoe"]) > 10


# -- what belongs where -----------------------------------------------------------------------------------------------
def with_shelves():
    """A shelf and a counter in the kitchen: mugs belong on the counter and not on the chair."""
    made = furnished()
    return replace(made, furniture=(*made.furniture, piece("chair_0", "Chair", (0.6, 0.6), (0.5, 0.5, 0.5))))


@pytest.mark.long
def test_a_model_carries_things_where_it_says_they_belong_and_nowhere_else():
    chair = "Re-place <mug_0> <Chair> <Kitchen>"
    model = Model(GEN=f"[result]\n1. {chair}", JUDGE="[judgement] yes", SEE="[misplaced] mug_0")
    model.replies["SKILL"] = "I would rather not say"
    more = {"astray": ("mug_0",), "starts": ALONE, "limit": 90, "house": with_shelves()}
    _, _, log, _ = joined((eye(battery=1),), arm("Zoe"), model=model, **more)
    assert {tuple(e.data["args"]) for e in log.events if e.kind == "did" and e.data["skill"] == "PutDown"} == {
        ("chair_0",)
    }


@pytest.mark.parametrize("mind", [Irot, Naive, Cot, Gpl], ids=lambda m: m.__name__)
def test_nobody_reads_the_table_for_a_model(mind, monkeypatch):
    """Sub-tasks without a place, and sub-skills that cannot be read: by rule it would go to the counter."""
    ruled = []
    monkeypatch.setattr(Knowing, "fitting", lambda self, me, kind: ruled.append(kind) or ([], []))
    vague = "[result]\n1. Re-place <mug_0> <Table> <Kitchen> | 9"
    model = Model(GEN=vague, NEXT=vague, SCORE=vague, JUDGE="[judgement] yes", SEE="[misplaced] mug_0", SKILL="hm")
    more = {"astray": ("mug_0",), "starts": ALONE, "limit": 25, "model": model}
    joined((eye(battery=1),), arm("Zoe"), mind, **more)
    assert ruled == []
    by_rule = type("ByRule", (mind,), {"ruled": True})
    joined((eye(battery=1),), arm("Zoe"), by_rule, **more)
    assert "Mug" in ruled


def test_rule_minds_are_told_that_they_are_such():
    seen = []

    def watch(e):
        seen.extend(a.side.protocol.mind(a.name).ruled for a in e.roster if a.name == "Zoe")

    for model in ("oracle", "garbled:0.2"):
        config = resolve(Config(task="tidy", scene="rooms:1", level="1", stranger="irot@0", model=model, seed=3))
        play(config, watch=watch, task=replace(task_of(config), step_limit=3))
        assert set(seen) == {model == "oracle"}
        seen.clear()


# -- what is told -----------------------------------------------------------------------------------------------------
def test_what_is_said_to_be_done_names_where_the_thing_lies():
    """It means to bring the mug to a shelf, and its sub-skill takes it to the counter."""
    meant = "Re-place <mug_0> <Shelf> <Kitchen>"
    model = Model(GEN=f"[result]\n1. {meant}", JUDGE="[judgement] yes")
    more = {"astray": ("mug_0",), "starts": ALONE, "limit": 70}
    _, _, log, _ = joined((eye(battery=1),), arm("Zoe"), model=model, **more)
    put = next(e for e in log.events if e.kind == "did" and e.data["skill"] == "PutDown")
    assert tuple(put.data["args"]) == ("counter_top_0",)
    words = "\n".join(e.data["text"] for e in said(log, "Zoe"))
    assert f"task: {meant}" in words
    assert re.findall(r"^done: (.*)$", words, re.M)[:2] == [
        "Re-place <mug_0> <CounterTop> <Kitchen>",
        "mug_0 on=counter_top_0 room=room_1",
    ]


@pytest.mark.parametrize("mate", [arm("Ann", payload=0.1), eye("Ann", tall=True)], ids=["arm", "no arm"])
def test_teammates_do_not_call_misplaced_what_a_stranger_said_it_has_put_away(mate, monkeypatch):
    """Ann has seen the mug on the bed; Zoe says that she carried it off,."""
    *_, episode = joined((mate,), eye("Zoe"), Silent, at=7, limit=20, starts={"Ann": Start(6.0, 1.0, 0.0)})
    view, mind = next((a.view, a.side.protocol.mind("Ann")) for a in episode.roster if a.name == "Ann")
    heard = []
    monkeypatch.setattr(view, "say", lambda text, **_: heard.append("misplaced: mug_0" in text))
    for words in ("", "done: mug_0 on=counter_top_0 room=room_1\n"):
        text = f"robot: Zoe\n{words}intention: Explore <room_1>"
        mind.hear(view, [Message("Zoe", ("all",), text, (), 50.0)])
    assert heard == [True, False]


# -- people one would not wish for ------------------------------------------------------------------------------------
@pytest.mark.long
@pytest.mark.parametrize("mind", [Naive, Cot, Gpl, Typed], ids=lambda m: m.__name__)
@pytest.mark.parametrize("team", ["silent", "100 kB", "alphabets"])
def test_rivals_go_on_whatever_others_say(team, mind):
    starts = {"Ann": Start(1.0, 2.0, 180.0)}
    _, _, log, _ = joined((arm(),), arm("Zoe"), mind, team=ODD_TEAMS[team], limit=70, starts=starts)
    assert {who for _, who in did(log, "PickUp")} == {"Zoe"}
    assert max((len(e.data["prompt"][1][1]) for e in log.events if e.kind == "ask"), default=0) < 12_000
