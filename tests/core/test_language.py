"""One declaration of a skill gives its line, its grammar, its parser, its words in memory and its candidates."""

import json
import random
from pathlib import Path

import pytest

from coterie.core.action import COMMUNICATE, Action, Outcome
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl, le
from coterie.core.facts import Belief
from coterie.core.fluents import fluent
from coterie.core.kinds import Kind, Misread, number
from coterie.core.language import language_of
from coterie.core.protocol import RobotView
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.core.skills import Skills
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.protocols.dynahmrc.stages import action_grammar
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.mind import out_of_reach
from coterie.protocols.shared.reading import Reading
from coterie.worlds import worlds
from coterie.worlds.indoor.declared import DECLARED, KINDS
from coterie.worlds.indoor.entry import INDOOR
from examples.yard import YARD

#: What the hand-written grammar, parser and memory said before there was one language.
BEFORE = json.loads((Path(__file__).parent / "said_before.json").read_text())


def view_of(world, robot, card=None, belief=None):
    card = card or world.robots()[robot]
    if belief is None:
        belief = Belief(world.map(), world.listings())
        belief.tell_all(world.observe(robot).facts)
    others = tuple(n for n in world.robots() if n != robot)
    skills = {s: world.skill(s) for s in card.skills}
    return RobotView(robot, card, belief, world.lookup(belief), skills=skills, heartbeat=others)


def wandered(task, team, scene, seed, steps):
    """A house after some robots have walked through it, and what they believe then."""
    world, _ = build(Config(task=task, team=team, scene=scene, seed=seed))
    beliefs = {r: Belief(world.map(), world.listings()) for r in world.robots()}
    rng = random.Random(seed)
    for step in range(steps + 1):
        for robot, belief in beliefs.items():
            belief.tell_all(world.observe(robot).facts)
        if step < steps:
            places = sorted(world.look("all_furniture"))
            joint = {}
            for robot in world.robots():
                if rng.random() < 0.6:
                    joint[robot] = Action("navigate", (rng.choice(places), f"stand_pose_{rng.randrange(4)}"))
                else:
                    joint[robot] = Action("open", (rng.choice(places),))
            world.start(joint)
            ended = 0
            while ended < len(joint):
                ended += len(world.advance(None))
    return world, beliefs


# -- nothing has changed for the built-in skills ----------------------------------------------------------------------
HOUSES = dict.fromkeys(tuple(key.split()[:5]) for key in BEFORE["grammars"])


@pytest.mark.parametrize("house", HOUSES, ids=" ".join)
def test_grammars_are_those_that_were_written_by_hand(house):
    task, team, scene, seed, steps = house
    world, beliefs = wandered(task, team, scene, int(seed), int(steps))
    for robot in world.robots():
        reading = Reading(view_of(world, robot, belief=beliefs[robot]))
        for style in ("compact", "full"):
            before = BEFORE["grammars"][" ".join((*house, robot, style))]
            assert action_grammar(reading, style)["gbnf"] == since(before, reading, style)


def since(before, reading, style):
    """Messages became longer, `move` is offered only where something is out of reach, and sides are those there are."""
    lines = before.replace("{1,100}", "{1,200}").splitlines() if style == "compact" else before.splitlines()
    if out_of_reach(reading) is None:
        lines = [line.replace(" | a-move", "") for line in lines if not line.startswith("a-move ")]
    return "\n".join(f"a-navigate ::= {navigating(reading)}" if x.startswith("a-navigate ") else x for x in lines)


def navigating(reading):
    """Pieces of the house by the sides that they have, in the order of the list of places."""
    groups = {}
    for place in reading.me.language.kind("furniture").rule_text(reading.me).replace('"', "").split(" | "):
        sides = tuple(s.removeprefix("stand_pose_") for s in reading.look("all_stands", place))
        groups.setdefault(sides, []).append(f'"{place}"')
    ways = (f'({" | ".join(p)}) ", " ({" | ".join(chr(34) + s + chr(34) for s in k)})' for k, p in groups.items())
    return f'"navigate(" ({" | ".join(ways)}) ")"'


def test_replies_are_read_as_they_were():
    assert len(BEFORE["reads"]) > 150
    for text, (first, *rest) in BEFORE["reads"]:
        got = INDOOR.language.read(text, ["Bob", "Lucy"])
        if first == "misread":
            assert got == Misread(rest[0]), text
        else:
            assert isinstance(got, Action), text
            assert [got.skill, json.loads(json.dumps(got.args)), got.why] == [first, *rest], text


def _action(skill, args):
    return Action(skill, tuple(tuple(a) if isinstance(a, list) else a for a in args))


def test_memories_and_options_have_the_words_they_had():
    for (skill, args), words in BEFORE["memory"]:
        memory = Memory()
        memory.note_outcome(Outcome("Bob", _action(skill, args), "failed", "no"), 3, INDOOR.language)
        assert memory.deeds[0].action == words
    for (skill, args), words in BEFORE["shown"]:
        assert INDOOR.language.written(_action(skill, args)) == words


# -- a skill of a user's own ------------------------------------------------------------------------------------------
WIPE = Skill(
    "wipe",
    (Param("furniture", "furniture", shown="place"), Param("strokes", "strokes", default=2.0)),
    when=(Clause(le(fl("gap_to", "?robot", "?furniture"), fl("reach", "?robot")), "{furniture} is too far."),),
    then=(Effect(fl("clean", "?furniture"), True),),
    says="{robot} wiped {furniture}.",
    help="wipe what you stand at",
)
LABEL = Skill(
    "label", (Param("object", "thing"), Param("words", "text", shown='"words"')), help="write something on an object"
)


@pytest.fixture
def indoor():
    skills = Skills("indoor", KINDS, DECLARED.all_fluents)
    for name in ("navigate", "open", "pick", "place", "wait"):
        skills.put(name, INDOOR.skills.get(name))
    skills.declare(fluent("clean", "furniture"), number("strokes", 1, 5))
    for skill in (WIPE, LABEL):
        skills.put(skill.name, skill)
    return skills


def test_a_language_from_before_its_skills_changed_knows_the_new_ones(indoor):
    world, _ = build(Config(seed=1))
    me = view_of(world, "Alice")
    me.skills = {"wipe": indoor.get("wipe")}
    language = me.language
    assert "a-polish" not in language.grammar(me, ["wipe", "polish"])["gbnf"]
    indoor.put("polish", Skill("polish", (Param("place", "furniture"),)))
    assert "a-polish" in language.grammar(me, ["wipe", "polish"])["gbnf"]


def test_a_new_skill_is_in_line_grammar_parser_memory_and_candidates(indoor):
    world, _ = build(Config(seed=1))
    card = Card("Maid", "Molly", "ground", ("navigate", "wipe", "label", "wait"), "", reach_m=0.9)
    world.add_robot("Molly", card)
    me = view_of(world, "Molly", Card("Maid", "Molly", "ground", ("navigate", "wait"), ""))
    me.skills = {s: indoor.get(s) for s in card.skills}
    language = me.language
    assert language.skills is indoor
    assert indoor["wipe"].line == "wipe(place, strokes): wipe what you stand at"
    rules = dict(line.split(" ::= ", 1) for line in language.grammar(me, card.skills)["gbnf"].splitlines())
    assert rules["action"] == "a-navigate | a-wipe | a-label | a-wait"
    assert rules["a-wipe"] == '"wipe(" place ", " strokes ")"'
    assert rules["a-label"] == r'"label(" thing ", \"" words "\")"'
    assert set(rules["place"].split(" | ")) == {f'"{f}"' for f in world.look("all_furniture")}
    assert rules["strokes"].startswith('"-"?')
    assert language.read("Action: wipe(sofa, 3)") == Action("wipe", ("sofa", 3.0))
    assert language.read("Action: wipe(sofa)") == Action("wipe", ("sofa", 2.0))
    assert language.read("Action: wipe(sofa, hard)") == Misread("'hard' is not a number")
    assert language.read('Action: label(cup_0, "not clean, yet")') == Action("label", ("cup_0", "not clean, yet"))
    assert language.read("Action: label(cup_0)") == Misread("label(object, words) needs its words between quotes")
    assert language.remembered(Action("wipe", ("sofa", 3.0))) == "wipe(sofa, 3.0)"
    assert language.remembered(Action("label", ("cup_0", "x" * 200))) == f'label(cup_0, "{"x" * 160}")'
    assert language.written(Action("label", ("cup_0", "new"))) == 'label(cup_0, "new")'
    assert set(language.kind("furniture").names(me)) == set(world.look("all_furniture"))
    assert [s.name for s in language.deeds(card.skills)] == ["navigate", "wipe"]


def test_what_a_language_writes_it_reads():
    language = INDOOR.language
    for action in (
        Action("navigate", ("sofa", "stand_pose_3")),
        Action("place", ("cup_0", "tray")),
        Action("move", (0.5, -0.25)),
        Action(COMMUNICATE, ("the cup is here, at the sofa", ("Bob", "Lucy"))),
        Action("wait"),
    ):
        assert language.read(f"Action: {language.written(action)}", ["Bob", "Lucy"]) == action


def test_a_skill_of_the_yard_may_name_cells():
    skills = Skills("yard", YARD.skills.kinds.values(), list(YARD.skills.fluents.values()))
    throw = Skill(
        "throw",
        (Param("thing", "thing"), Param("cell", "cell")),
        when=(Clause(eq(fl("holding", "?robot"), "?thing"), "{robot} does not hold {thing}."),),
        then=(Effect(fl("where", "?thing"), "?cell"), Effect(fl("holding", "?robot"), None)),
        help="throw what you hold",
    )
    skills.put("throw", throw)
    world = build(Config(task="yard-tidy"))[0]
    me = view_of(world, "Ada")
    me.skills = {"throw": skills["throw"]}
    language = me.language
    assert language.read("Action: throw(ball, 3,0)") == Action("throw", ("ball", "3,0"))
    assert language.read("throw(ball, '3, 0')") == Action("throw", ("ball", "3,0"))
    assert language.read("throw(ball, there)") == Misread("'there' is not a cell")
    assert language.read("throw(ball)") == Misread("the cell is missing")
    assert language.read(language.written(Action("throw", ("ball", "3,0")))) == Action("throw", ("ball", "3,0"))
    grammar = language.grammar(me, ["throw"])["gbnf"]
    assert '"throw(" thing ", " cell ")"' in grammar and '"5,1"' in grammar
    assert list(language.kind("cell").names(me))[:2] == ["0,0", "1,0"]
    assert language.remembered(Action("throw", ("ball", "3,0"))) == "throw(ball, 3,0)"


# -- every world ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("task", "protocol"),
    [
        ("pack-objects", "random"),
        ("pack-objects", "random-legal"),
        ("yard-tidy", "random"),
        ("sandwich", "random-legal"),
    ],
)
def test_chance_plays_in_every_world(task, protocol):
    played = play(Config(task=task, protocol=protocol, seed=3))
    acts = [e.data for e in played.log.events if e.kind == "act"]
    assert len({a["skill"] for a in acts}) > 1
    assert any(a["args"] and "nothing" not in a["args"] for a in acts if a["skill"] != COMMUNICATE)
    assert any(e.kind == "outcome" and e.data["status"] == "done" for e in played.log.events)


@pytest.mark.parametrize("name", list(worlds))
def test_every_world_has_a_language_with_a_line_for_every_skill(name):
    language = worlds.get(name).language
    assert len(language.skills) >= 8
    for _, skill in language.skills.items():
        assert skill.help and skill.line.startswith(f"{skill.name}(")


def test_skills_of_a_world_that_declares_nothing_still_have_a_language():
    skill = Skill("poke", (Param("whom", "creature"),), help="poke somebody")
    language = language_of({"poke": skill})
    assert language.read("Action: poke(cat)") == Action("poke", ("cat",))
    assert language.read("poke()") == Action("poke", ())
    assert language.read("nothing to do") == Misread("it has no action like poke(whom)")
    world = build(Config(task="yard-tidy"))[0]
    assert "ball" not in language.kind("creature").names(view_of(world, "Ada"))  # it has not been seen
    assert "Bo" not in language.kind("creature").names(view_of(world, "Ada"))
    assert "0,0" in language.kind("creature").names(view_of(world, "Ada"))


def test_what_a_world_has_keeps_its_meaning(indoor):
    with pytest.raises(CoterieError, match="take another name"):
        indoor.declare(fluent("holding", "thing"))
    with pytest.raises(CoterieError, match="take another name"):
        indoor.declare(Kind("thing"))
    with pytest.raises(CoterieError, match="one name"):
        indoor.put("scrub", WIPE)


def test_a_kind_that_nobody_declared_is_refused():
    skills = Skills("den", (Kind("furniture"),), ())
    with pytest.raises(CoterieError) as said:
        skills.put("wipe", Skill("wipe", (Param("furniture", "furnitur"),)))
    assert "Skill wipe: No kind of parameter 'furnitur'. Did you mean 'furniture'?" in str(said.value)
    assert "declare it beside the skill" in str(said.value)
    skills.declare(Kind("furnitur"))
    assert skills.put("wipe", Skill("wipe", (Param("furniture", "furnitur"),))).name == "wipe"
