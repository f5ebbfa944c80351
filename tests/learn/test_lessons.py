"""Lessons at the table: names drawn anew, a teacher that says why, one mind for rooms and table."""

import re

import pytest

from coterie.bench.spec import lessons
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.learn.binding import check_teachable
from coterie.learn.chosen import SILENT, chosen, kind_of
from coterie.learn.demos import played
from coterie.learn.splits import draw, held_out, spared
from coterie.models import make_model
from coterie.protocols.noisy_oracle import Straying


def test_lessons_draw_the_planners_that_are_named_and_mix_with_rooms():
    found = list(lessons.get("table")(1, 40, "roco,react", "train"))
    assert {c.protocol for c in found} == {"roco", "react"} and {c.seed % 2 for c in found} == {0}
    assert found[:5] == list(lessons.get("table")(1, 5, "roco,react", "train"))
    both = list(draw("dynahmrc-levels=2,table,strangers", 1, 160, "dynahmrc:paper,roco,irot", "train"))
    assert {c.protocol for c in both} == {"dynahmrc:paper", "dynahmrc", "roco", "heuristic"}
    assert {c.stranger.partition("@")[0] for c in both} == {"", "irot"}
    with pytest.raises(CoterieError, match="--protocol roco"):
        next(lessons.get("table")(1, 1, "dynahmrc", "train"))


def test_several_protocols_may_be_taught_at_once():
    check_teachable("dynahmrc:paper,roco")
    with pytest.raises(CoterieError, match="No protocol 'rocco'"):
        check_teachable("dynahmrc,rocco")


@pytest.mark.parametrize(
    ("task", "why"),
    [("sort-cubes", r"from panel\d to panel\d"), pytest.param("sandwich", "On top is", marks=pytest.mark.long)],
)
def test_a_pupil_learns_plans_under_other_names_and_why(task, why):
    config = Config(task, protocol="central-plan", model="oracle", seed=4, level="mecobench")
    (one,) = played([config], make_model("oracle"), rename=1.0)
    assert one.success and one.samples
    for sample in one.samples:
        text = "\n".join(t for _, t in sample.prompt)
        plan = dict(re.findall(r"^NAME (\w+) ACTION (.*)$", sample.reply, re.M))
        assert re.search(why, sample.reply) and plan and "Alice" not in text and "Chad" not in text
        named = {w for what in plan.values() for w in re.findall(r"\b[a-z]\w+", what)}
        assert named and all(re.search(rf"\b{name}\b", text) for name in [*plan, *named])


def test_deeds_of_plans_compare_what_is_done():
    plan = "EXECUTE\nNAME Bob ACTION WAIT\nNAME Alice ACTION PICK mug"
    assert chosen((), f"Because.\n{plan}") == chosen((), f"Otherwise.\n{plan}") == "Alice: PICK mug; Bob: wait()"
    assert kind_of(chosen((), "EXECUTE\nNAME Bob ACTION WAIT")) == "wait" and chosen((), "I Agree") == SILENT


@pytest.mark.long
def test_a_player_that_strays_errs_at_the_table_too():
    config = Config("sandwich", protocol="central-plan", model="oracle", seed=4, level="mecobench")
    (one,) = played([config], Straying(0.5), rename=0.0)
    assert any(sample.astray for sample in one.samples)


def test_nothing_is_taught_of_where_kinds_belong_that_are_held_out():
    held, known = min(held_out()), "Mug"
    assert known not in held_out()
    rows = f"a_0 ({held}) on bed_0 (Bed) in room_1 (Bedroom)\nb_0 ({known}) on floor in room_1 (Bedroom)\n"
    asked = (("system", "Look."), ("user", f"Things:\n{rows}Which of them are misplaced?"))
    assert spared(asked) == (asked[0], ("user", asked[1][1].replace(rows.splitlines(True)[0], "")))
    assert spared((asked[0], ("user", f"Misplaced:\n{rows}What next?"))) is None
    assert spared(((asked[0]), ("user", "Nothing lies anywhere."))) is not None


def test_a_stranger_is_taught_by_the_rule_mind():
    config = Config("tidy", "drawn:3", "heuristic", "oracle", 4, "rooms:2:4", "3", stranger="irot@0")
    (one,) = played([config], make_model("oracle"), rename=1.0)
    assert {s.stage for s in one.samples} >= {"GEN", "RANK", "SKILL", "SEE"}


def test_more_rooms_draw_bring_goals_closed_doors_and_teams_of_six():
    found = list(draw("rooms-more", 1, 120, "dynahmrc:paper,roco", "train"))
    assert {c.protocol for c in found} == {"dynahmrc:paper"} and {c.seed % 2 for c in found} == {0}
    assert sum(c.task == "bring-things" for c in found) > 50 and len({c.task for c in found}) == 4
    assert {c.team.count("-") + 1 for c in found} >= {1, 2, 3, 5, 6}
    assert any(c.changes and c.changes[0].startswith("door@") for c in found)
    assert any(c.scene.count(":") == 2 for c in found)  # large houses, most of whose doors begin closed
    assert found[:7] == list(draw("rooms-more", 1, 7, "dynahmrc:paper", "train"))
    assert {c.seed % 2 for c in draw("rooms-more", 1, 30, "coela", "dev")} == {1}


@pytest.mark.parametrize("protocol", ["dynahmrc:paper", "dynahmrc", "coherent", "coela"])
def test_a_pupil_learns_to_bring_things_with_every_protocol_of_rooms(protocol):
    config = Config("bring-things", "MoMa-UAV", protocol, "oracle", 4, "house:4", level="medium")
    (one,) = played([config], make_model("oracle"), rename=0.5)
    assert one.success and any(sample.action for sample in one.samples)
