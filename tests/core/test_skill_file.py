from pathlib import Path

import pytest

from coterie.core.errors import CoterieError
from coterie.core.expr import all_of, any_of, eq, fl, ge, no, plus
from coterie.core.fluents import Declared
from coterie.core.kinds import Kind
from coterie.core.skill import Clause, Effect, Param, Skill, decrease
from coterie.core.skill_file import condition, effect, read_skills

NAMES = {n: f"?{n}" for n in ("robot", "thing", "place")}

FILE = """
judged = ["near"]
[initial]
number = 0
[fluents.own]
"at(robot)" = "place"
"water(robot)" = "number, seen"
"near(robot, thing)" = "bool, hoped"
"clean(thing)" = "bool"
[readings]
"clean(thing)" = "at(thing) == 'sink'"
[clauses]
wet = ["water(robot) > 0", "{robot} is dry."]
there = [["at(robot) == 'sink'", "{robot} is not at the sink."], ["near(robot, thing)", "{thing} is far.", "far"]]
[skills.wash]
params = ["thing: thing", { name = "times", kind = "number", shown = "", default = 1 }]
when = ["wet", "there"]
then = ["clean(thing) = True", "water(robot) -= 1"]
says = "{robot} washed {thing}."
"""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("near(robot, thing)", fl("near", "?robot", "?thing")),
        ("holding(robot) == None", eq(fl("holding", "?robot"), None)),
        ("not open(at(robot))", no(fl("open", fl("at", "?robot")))),
        ("a(robot) and b('x')", all_of(fl("a", "?robot"), fl("b", "x"))),
        ("not a(robot) or b(thing) >= 1", any_of(no(fl("a", "?robot")), ge(fl("b", "?thing"), 1))),
        ("a(robot) >= b(thing) + 2", ge(fl("a", "?robot"), plus(fl("b", "?thing"), 2))),
    ],
)
def test_a_condition_is_what_its_text_says(text, meant):
    assert condition(text, NAMES) == meant


def test_effects_set_and_count():
    assert effect("holding(robot) = thing", NAMES) == Effect(fl("holding", "?robot"), "?thing")
    assert effect("water(robot) -= 2", NAMES) == decrease(fl("water", "?robot"), 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("at(robot) == sink", "'sink' is no parameter (robot, thing, place); a name for itself is in quotes"),
        ("at(robot", "cannot be read; write it like"),
        ("robot", "neither true nor false"),
        ("robot.__class__ == 1", "is no parameter"),
        ("at(robot) is None", "is no parameter"),
        ("at(robot, name=1)", "is no parameter"),
    ],
)
def test_what_is_no_condition_is_refused_with_the_fix(text, complaint):
    with pytest.raises(CoterieError) as err:
        condition(text, NAMES)
    assert complaint in str(err.value)


def test_what_is_no_effect_is_refused():
    with pytest.raises(CoterieError, match="write it like"):
        effect("holding(robot) == thing", NAMES)


def test_a_file_declares_fluents_readings_and_skills(tmp_path: Path):
    path = tmp_path / "own.toml"
    path.write_text(FILE)
    declared = read_skills(path)
    assert declared.fluents["own"][1:3] == (
        Declared("water", ("robot",), "number", 0, seen=True),
        Declared("near", ("robot", "thing"), hoped=True),
    )
    assert declared.readings == {"near": None, "clean": eq(fl("at", "?0"), "sink")}
    skills = declared.of("own", [Kind("thing"), Kind("number")])
    assert skills["wash"] == Skill(
        "wash",
        (Param("thing", "thing"), Param("times", "number", "", 1)),
        when=(
            Clause(declared.skills[0].when[0].expr, "{robot} is dry."),
            Clause(eq(fl("at", "?robot"), "sink"), "{robot} is not at the sink."),
            Clause(fl("near", "?robot", "?thing"), "{thing} is far.", "far"),
        ),
        then=(Effect(fl("clean", "?thing"), True), decrease(fl("water", "?robot"))),
        says="{robot} washed {thing}.",
    )


@pytest.mark.parametrize(
    ("good", "bad", "complaint"),
    [
        ("clean(thing) = True", "clean(thnig) = True", r"Skill 'wash': 'thnig' is no parameter"),
        ('when = ["wet"', 'when = ["wett"', r"Skill 'wash': .*Did you mean 'wet'"),
    ],
)
def test_complaints_name_the_skill(tmp_path: Path, good: str, bad: str, complaint: str):
    path = tmp_path / "own.toml"
    path.write_text(FILE.replace(good, bad))
    with pytest.raises(CoterieError, match=complaint):
        read_skills(path)
