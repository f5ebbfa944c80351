"""Tables of the small parts: what is usual where nothing is said, what lies at the edge, and what passes it."""

from pathlib import Path

import pytest

from coterie.core import causes
from coterie.core.action import UNREAD, Action, Cause, Message, Outcome, Verdict
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event, from_line, to_line
from coterie.core.expr import all_of, eq, fl, ge
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.files import cache_dir
from coterie.core.fluents import ANY, LISTING, NUMBER, TEXT, Declared, fluent, is_a
from coterie.core.judge import Flaw, first_failure, flaw_of
from coterie.core.kinds import (
    ROBOT,
    ROBOTS,
    Kind,
    Misread,
    alternatives,
    known_names,
    number,
    number_from,
    things_known,
)
from coterie.core.kinds import TEXT as WORDS
from coterie.core.language import Language
from coterie.core.reader import Reader
from coterie.core.replies import fields as said
from coterie.core.replies.sections import MOST_CHARS
from coterie.core.skill import Clause, Effect, Param, Rule, Skill, decrease, increase, outcome_of
from coterie.core.skills import Skills
from coterie.core.task import Change, Progress, Trigger


# -- what is usual ----------------------------------------------------------------------------------------------------
@pytest.mark.declarations
def test_records_where_nothing_is_said():
    assert Action("pick") == ("pick", (), "", (), (), None, "") and UNREAD == "unread"
    assert Message("A", ("B",), "hi") == ("A", ("B",), "hi", (), 0.0, "communicate")
    assert Cause("holding").to_json() == {"clause": "holding", "fact": None, "moment": "before"}
    assert Outcome("A", Action("pick"), "done", "ok")[4:] == (0.0, 0.0, (), None, None)
    assert Verdict(None) == (None, "", None)
    assert Fact("at", ("A",), "b") == ("at", ("A",), "b", -1.0, "world")
    assert Change(Trigger(), "goal", {}) == (Trigger(None, None), "goal", {}, (), "schedule", True)
    assert Progress(True, 1.0, "")[3] is False
    assert Event(0, 0, 0.0, "ask", "", {}).causes == ()
    assert Rule("r", "s", Clause(eq(1, 1), "no")).public is True
    assert Effect(fl("a"), 1).how == "set"
    assert increase(fl("a")) == (fl("a"), 1, "increase") and decrease(fl("a")) == (fl("a"), 1, "decrease")


@pytest.mark.declarations
def test_a_body_where_its_card_says_nothing():
    card = Card("box", "Box", "ground", ("wait",), "")
    assert card.to_json() == {
        "body": "box", "name": "Box", "mobility": "ground", "skills": ("wait",), "about": "", "footprint_m": 0.25,
        "height_m": 1.0, "speed_mps": 0.8, "reach_m": 0.0, "reach_low_m": 0.0, "reach_high_m": 1.3, "shoulder_m": 0.8,
        "payload_kg": 0.0, "camera_high_m": 1.7, "battery_steps": None,
    }  # fmt: skip
    assert Card.from_json({**card.to_json(), "skills": ["wait"]}) == card
    assert (card.moves, card.manipulates) == (True, False)
    arm = Card("arm", "Arm", "fixed", ("pick",), "", shoulder_m=1.0, payload_kg=1.0)
    assert (arm.moves, arm.manipulates) == (False, True)
    assert arm.gap((1.0, 2.0), (3.0, 5.0, 7.0)) == pytest.approx(7.0)  # 2, 3 and 6 along the axes


@pytest.mark.declarations
def test_a_configuration_where_nothing_is_said():
    config = Config()
    assert config.to_json() == {
        "task": "pack-objects", "team": "", "protocol": "", "model": "", "seed": 0, "scene": "", "level": "",
        "changes": [], "guard": False, "noise": "none", "radio": "none", "arms": "geometric", "synchronous": True,
        "cards": [], "load": [], "memo": "", "parties": [],
    }  # fmt: skip
    assert Config.from_json(config.to_json()) == config
    for odd in ({}, {**config.to_json(), "more": 1}, []):
        with pytest.raises(CoterieError, match="not one of this version"):
            Config.from_json(odd)


def test_fluents_begin_with_what_nothing_is_for_their_kind():
    begins = {BOOL: fluent("f", "a", value=BOOL).initial for BOOL in ("bool", NUMBER, LISTING, TEXT, ANY, "thing")}
    assert begins == {"bool": False, NUMBER: 0, LISTING: (), TEXT: None, ANY: None, "thing": None}
    assert fluent("f", "a") == Declared("f", ("a",), "bool", False, False, False, False)
    assert fluent("f", "a", hoped=True, seen=True) == Declared("f", ("a",), "bool", False, True, False, True)
    assert fluent("f", "a", value=NUMBER, initial=3).initial == 3
    assert str(fluent("f", "a", "b")) == "f(a, b)"


def test_where_files_are_kept(monkeypatch):
    monkeypatch.setenv("COTERIE_CACHE", "/mine")
    assert cache_dir() == Path("/mine")


# -- files that people write ------------------------------------------------------------------------------------------
def test_a_reader_gives_what_was_left_out():
    empty = Reader({}, "x.toml")
    assert (empty.text("a"), empty.number("a"), empty.numbers("a", 2), empty.raw("a")) == (None, None, None, None)
    assert (empty.flag("a"), empty.texts("a"), empty.tables("a")) == (False, (), [])
    assert (empty.text("a", "x"), empty.number("a", 2), empty.flag("a", True)) == ("x", 2, True)
    for get in (empty.text, empty.number, empty.texts):
        with pytest.raises(CoterieError, match=r"^x\.toml: `a` is missing; add a line `a = \.\.\.`"):
            get("a", required=True)
    with pytest.raises(CoterieError, match="`a` is missing"):
        empty.numbers("a", 2, required=True)
    empty.done()


GOOD = {"n": 3, "half": 0.5, "no": True, "words": ["a"], "pair": [1, 2.5], "far": [1000.0, 0], "name": "tea"}


@pytest.mark.parametrize(
    ("get", "value"),
    [
        (lambda r: r.number("n", low=3, high=3), 3),
        (lambda r: r.number("n", whole=True), 3),
        (lambda r: r.number("half"), 0.5),
        (lambda r: r.numbers("pair", 2), (1.0, 2.5)),
        (lambda r: r.texts("words"), ("a",)),
        (lambda r: r.flag("no"), True),
        (lambda r: r.text("name", choices=("tea", "milk")), "tea"),
        (lambda r: r.text("other", choices=("tea", "milk")), None),
        (lambda r: r.number("no"), "`no` must be a number, not True"),
        (lambda r: r.number("half", whole=True), "`half` must be a whole number, not 0.5"),
        (lambda r: r.number("n", low=4), "`n` is 3; it must be at least 4"),
        (lambda r: r.number("n", low=0, high=2), "`n` is 3; it must be between 0 and 2"),
        (lambda r: r.number("n", high=2), "`n` is 3; it must be between None and 2"),
        (lambda r: r.numbers("pair", 3), r"`pair` must be a list of 3 numbers, like \[0.0, 0.0, 0.0\]"),
        (lambda r: r.numbers("far", 2), "`far` holds 1000.0; coordinates are less than 1000 m from 0"),
        (lambda r: r.numbers("words", 1), "`words` must be a list of 1 numbers"),
        (lambda r: r.numbers("n", 1), "`n` must be a list of 1 numbers"),
        (lambda r: r.texts("pair"), "`pair` must be a list of texts"),
        (lambda r: r.flag("name"), "`name` must be true or false"),
    ],
)
def test_what_a_reader_takes(get, value):
    reader = Reader(GOOD, "x.toml")
    if isinstance(value, str) and value.startswith("`"):
        with pytest.raises(CoterieError, match=f"x.toml: {value}"):
            get(reader)
    else:
        assert get(reader) == value


def test_tables_in_a_file_have_their_place():
    reader = Reader({"cup": [{"name": "mug"}, {"size": 1}, {"name": 3}], "more": {"a": 1}}, "x.toml")
    assert [t.place for t in reader.tables("cup")] == [
        "x.toml: cup 'mug'",
        "x.toml: cup number 2",
        "x.toml: cup number 3",
    ]
    table = reader.table("more")
    assert (table.place, table.raw("a")) == ("x.toml: more", 1)
    table.done()
    reader.done()
    with pytest.raises(CoterieError, match=r"x\.toml: more: No key 'a'"):
        reader.table("more").done()


# -- names ------------------------------------------------------------------------------------------------------------
def test_skills_are_put_in_under_their_own_name():
    skills = Skills(
        "bath", [Kind("place")], [fluent("water", "robot", value="number", initial=3), fluent("wet", "place")]
    )
    assert set(skills.kinds) == {"place", "robot", "text", "robots"} and skills.example == ""
    assert skills.initials == {"water": 3, "wet": False}
    wash = Skill("wash", (Param("place", "place"),))
    assert skills.put("wash", wash) == wash and skills["wash"].home is skills
    assert skills.find("rinse") is None
    with pytest.raises(CoterieError, match="already a skill named 'wash'"):
        skills.put("wash", wash)
    skills.put("wash", wash, "fine", replace=True)
    assert skills.tags("wash") == {"fine"}
    with pytest.raises(CoterieError, match="The skill 'wash' is put in under the name 'rinse'; give it one name"):
        skills.put("rinse", wash)
    with pytest.raises(CoterieError, match=r"Skill dry: No kind of parameter 'plaice'\. Did you mean 'place'"):
        skills.put("dry", Skill("dry", (Param("x", "plaice"),)))
    skills.declare(Kind("place"), fluent("clean", "place", seen=True), fluent("what", "place", value="thing"))
    assert [f.name for f in skills.seen] == ["clean"]
    assert skills.initials == {"water": 3, "wet": False, "clean": False}
    with pytest.raises(CoterieError, match=r"The world 'bath' has its own 'wet' \(wet\(place\)\); take another name"):
        skills.declare(fluent("wet", "robot"))
    assert skills.kind("anything") == Kind("anything") and skills.parents["place"] == ""
    bare = Skills("bare")
    bare.put("dry", Skill("dry", (Param("x", "plaice"),)))  # nothing is declared, so nothing is checked
    assert bare.seen == [] and bare.initials == {} and bare.fluents is None
    bare.declare(fluent("wet", "place"))
    assert set(bare.fluents) == {"wet"}


def test_special_kinds():
    parents = {"cup": "thing", "thing": "", "place": ""}
    assert is_a("cup", "thing", parents) and is_a("cup", "cup", parents)
    assert not is_a("thing", "cup", parents) and not is_a("place", "thing", parents)
    assert not is_a("odd", "thing", parents)


# -- kinds ------------------------------------------------------------------------------------------------------------
class Me:
    name, heartbeat = "Ann", ("Cid", "Bob", "Ann")

    def __init__(self, *facts):
        self.belief = Belief()
        self.belief.tell_all(facts)


@pytest.mark.declarations
def test_what_kinds_can_be():
    me = Me(Fact("where", ("cup",), "table"), Fact("where", ("pan",), None), Fact("near", ("Ann", "Bob"), True))
    assert known_names(me) == ["cup", "pan", "Bob"]
    assert things_known(me) == ["cup", "pan"]
    assert ROBOT.names(me) == ["Cid", "Bob", "Ann"] and ROBOTS.names(me) == ["Cid", "Bob", "Ann", "all"]
    assert ROBOTS.rule_text(me) == '"all" | "Bob" | "Cid"'
    assert Kind("big_thing").rule_text(me) == '"Bob" | "cup" | "pan"'
    assert (Kind("big_thing").rule_name, Kind("big_thing", rule="r").rule_name) == ("big-thing", "r")
    assert (Kind("big_thing").call_form, Kind("a", form="(b | c)").call_form) == ("big-thing", "(b | c)")
    assert alternatives(['a"b', "", "c d", "x@1.2,3-4_5"]) == '"ab" | "cd" | "x@1.2,3-4_5"'
    assert alternatives([]) == '"nothing"'


@pytest.mark.declarations
def test_kinds_of_numbers_and_words():
    turn = number("turn", -1.0, 2.0, rule="t")
    assert (turn.span, turn.planned, turn.rule_name, list(turn.names(Me()))) == ((-1.0, 2.0), False, "t", [])
    assert [turn.write(v) for v in (1.50, 2, "x")] == ["1.5", "2", "x"]
    assert turn.rule_text(Me()) == '"-"? [0-9]{1,3} ("." [0-9]{1,2})?'
    assert number_from("1.5") == 1.5
    for odd in ("x", "nan", "inf"):
        assert number_from(odd) == Misread(f"'{odd}' is not a number")
    assert number_from("y" * 50) == Misread(f"'{'y' * 40}' is not a number")
    usual = Kind("k")
    assert (usual.usual, usual.quoted, usual.many, usual.held, usual.kept, usual.planned) == (
        False, False, False, False, True, True,
    )  # fmt: skip
    assert (WORDS.quoted, WORDS.usual, WORDS.planned, WORDS.many, WORDS.rule) == (True, True, False, False, "words")
    assert (ROBOTS.many, ROBOTS.kept, ROBOTS.planned, ROBOTS.usual, ROBOTS.rule) == (True, False, False, True, "who")


# -- what is said -----------------------------------------------------------------------------------------------------
@pytest.mark.declarations
def test_texts_are_cut_to_size():
    assert said.clean(' a\n\t"b"\x00 ') == "a 'b'"
    assert said.clean("x" * 400) == "x" * 400
    assert said.clean("x" * 401) == "x" * 399 + "…"
    assert said.clean("abcdef", 4) == "abc…" and said.clean("ab cdef", 4) == "ab…"
    assert said.clean(" " * 1600 + "late") == ""


def test_fields_of_a_reply():
    reply = "**Thought**: go\non now\nPlan: first\n- Action: wait()"
    assert said.thought(reply) == "go on now" and said.field(reply, "plan") == "first"
    assert said.field(reply, "action") == "wait()" and said.field(reply, "leader") is None
    assert said.field("Plan:  \n", "plan") is None
    assert said.thought("Thoughts: two") == "two" and said.thought("nothing") == ""
    assert said.field("Plan: early\n" + "x" * MOST_CHARS, "plan") is None
    assert said.field("x" * MOST_CHARS + "\nPlan: late", "plan") == "late"


@pytest.mark.declarations
def test_numbers_in_a_reply():
    assert said.numbers("0.5, -10, 3", 2) == (0.5, -10.0)
    assert said.numbers("0.5", 2) is None and said.numbers("11, 1", 2) is None and said.numbers("1e999, 1", 2) is None
    assert said.numbers("x1 .5 +2.", 2) == (0.5, 2.0)


def test_whole_names():
    assert said.names_it("cup_1", "take cup_1.") and not said.names_it("cup_1", "cup_10 xcup_1")
    assert said.names_it("a.b", "a.b") and not said.names_it("a.b", "axb")


SIDE = Kind("side", pattern=r"\d\s*,\s*\d")


@pytest.mark.parametrize(
    ("inner", "kinds", "found"),
    [
        ("cup_1, 'tray'", (), ["cup_1", "tray"]),
        ("<a>, [b], ,", (), ["a", "b"]),
        ("not a name!", (), Misread("'not a name!' is not a name")),
        ("x" * 61, (), Misread(f"'{'x' * 39}…' is not a name")),
        ("x" * 60, (), ["x" * 60]),
        ("cup, [1, 2], tray", (Kind("thing"), SIDE, Kind("place")), ["cup", "1,2", "tray"]),
        ("cup, somewhere", (Kind("thing"), SIDE), Misread("'somewhere' is not a side")),
        ("cup", (Kind("thing"), SIDE), Misread("the side is missing")),
    ],
)
def test_arguments_of_a_call(inner, kinds, found):
    assert said.pieces(inner, kinds) == found


@pytest.mark.parametrize(
    ("inner", "words", "to"),
    [
        ('"Come here", Bob', "Come here", ("Bob",)),
        ('Bob and Cid, "Come"', "Come", ("Bob", "Cid")),
        ('"Come", everyone', "Come", ("all",)),
        ('"Come", Bob, team', "Come", ("all",)),
        ('"Come", Bobby', "Come", ("all",)),
        ("Come to me, please, Bob", "Come to me, please", ("Bob",)),
        ("Come, all", "Come", ("all",)),
        ("'Come to me please', [Cid]", "Come to me please", ("Cid",)),
        ("“Come”, Cid", "Come", ("Cid",)),
        ("Bob", None, None),
    ],
)
def test_words_and_hearers(inner, words, to):
    got = said.message("tell", inner, ["Bob", "Cid"], "since")
    if words is None:
        assert got == Misread("the message has no words")
    else:
        assert got == Action("tell", (words, to), "since")


# -- causes -----------------------------------------------------------------------------------------------------------
TAKE = Skill(
    "take",
    (Param("object", "thing"), Param("how", "text")),
    when=(Clause(eq(fl("holding", "?robot"), None), "{robot} holds {holding(robot)}."),),
)


def test_causes_around_a_skill():
    assert causes.not_on_card("Ann", ["a"]) == Cause("on_card", ("skills", ("Ann",), ("a",)), "before")
    assert causes.wrong_count(TAKE, ("x",)) == Cause("argument_count", ("arguments", ("take",), 1), "before")
    odd = 3.5
    assert causes.wrong_kind(TAKE, ("cup", odd), odd) == Cause("argument_kind", ("kind", ("take", "how"), "float"))
    assert causes.wrong_kind(TAKE, ("cup",), odd).fact == ("kind", ("take", ""), "float")
    assert causes.called_off("Ann") == Cause("called_off", ("called_off", ("Ann",), True), "during")
    assert causes.called_off("Ann", "before").moment == "before"
    cause = Cause("holding", None, "after")
    assert causes.of_teammate("Bob", cause) == Cause("teammate", ("failed", ("Bob",), "holding"), "after")
    told = Outcome("Ann", Action("take"), "failed", "no")
    assert causes.by_driver(told).cause == Cause("driver", None, "during")
    assert causes.by_driver(told._replace(cause=cause)).cause is cause


def test_causes_travel():
    for cause in (Cause("a"), Cause("a", ("p", ("x", 2), 1.5), "after")):
        assert Cause.from_json(cause.to_json()) == cause
    assert Cause("a", ("p", (float("nan"), UNKNOWN), [float("inf"), 1.0])).to_json()["fact"] == [
        "p", ["nan", "?"], ["inf", 1.0],
    ]  # fmt: skip
    assert Cause("a").at("during") == Cause("a", None, "during")


def world(**facts):
    def look(pred, *args):
        return facts.get(pred, UNKNOWN)

    return look


def test_what_is_wrong_with_an_action():
    free = world(holding=None)
    able = ("take",)
    assert flaw_of("Ann", able, Action("take", ("cup", "so")), TAKE, free) is None
    assert flaw_of("Ann", able, Action("take", ("cup", ("a", "b"))), TAKE, free) is None
    flaw = flaw_of("Ann", able, Action("x" * 50), None, free)
    assert flaw == Flaw(f"Ann cannot {'x' * 40}; it can take.", causes.not_on_card("Ann", able))
    assert flaw_of("Ann", (), Action("take", ("cup", "so")), TAKE, free).cause.clause == "on_card"
    flaw = flaw_of("Ann", able, Action("take", ("cup",)), TAKE, free)
    assert flaw == Flaw("take(object, how) takes 2 arguments, not 1.", causes.wrong_count(TAKE, ("cup",)))
    flaw = flaw_of("Ann", able, Action("take", ("cup", 3)), TAKE, free)
    assert flaw == Flaw("take(object, how) takes names and texts only.", causes.wrong_kind(TAKE, ("cup", 3), 3))
    assert flaw_of("Ann", able, Action("take", ("cup", ("a", 3))), TAKE, free).cause.clause == "argument_kind"
    flaw = flaw_of("Ann", able, Action("take", ("cup", "so")), TAKE, world(holding="pan"))
    assert (flaw.words, flaw.cause.clause) == ("Ann holds pan.", "holding")


def test_rules_are_judged_after_the_conditions_and_only_for_their_skill():
    late = Rule("late", "take", Clause(ge(fl("hour"), 9), "It is {hour()}."))
    other = Rule("other", "drop", Clause(eq(1, 2), "never"))
    bound = {"robot": "Ann", "object": "cup", "how": "so"}
    failure = first_failure(TAKE, bound, world(holding=None, hour=8), [other, late])
    assert (failure.words, failure.cause) == ("It is 8.", Cause("hour", ("hour", (), 8)))
    assert first_failure(TAKE, bound, world(holding="pan", hour=8), [late]).words == "Ann holds pan."
    assert first_failure(TAKE, bound, world(holding=None, hour=9), [late]) is None
    assert first_failure(TAKE, bound, world(holding=None), [late]) is UNKNOWN
    assert first_failure(TAKE, bound, world(hour=9), [late]) is UNKNOWN
    both = Rule("both", "take", Clause(all_of(eq(1, 2), eq(1, 3)), "no"))
    assert first_failure(TAKE, bound, world(holding=None), [both]).cause == Cause("both", None)


# -- effects and lines ------------------------------------------------------------------------------------------------
def test_effects_of_nothing_known():
    def after(effect, **facts):
        return outcome_of(Skill("s", (), then=(effect,)), {"robot": "Ann"}, world(**facts))

    assert after(increase(fl("n"), fl("m"))) == {("n",): 0}
    assert after(decrease(fl("n"), 2), n=None) == {("n",): -2}
    assert after(increase(fl("n"), fl("m")), n=1, m=None) == {("n",): 1}
    assert after(Effect(fl("n"), fl("m")), m=4) == {("n",): 4}


def test_lines_of_a_log():
    class Own:
        def to_json(self):
            return {"own": 1}

    class Item:
        def item(self):
            return 2.5

    data = {"a": UNKNOWN, "b": {3, 1, 2}, "c": Own(), "d": Item(), "e": Path("x"), "f": "é \ud800"}
    line = to_line(Event(3, 1, 0.5, "kind", "Ann", data, (1, 2)))
    assert line == ('[3,1,0.5,"kind","Ann",{"a":"?","b":[1,2,3],"c":{"own":1},"d":2.5,"e":"x","f":"é \\ud800"},[1,2]]')
    assert from_line(line).causes == (1, 2) and from_line(line).step == 1


def test_what_is_left_out_of_a_call_is_filled_up_to_the_first_that_must_be_said():
    skills = Skills("bath")
    skills.put("wash", Skill("wash", (Param("a", "x"), Param("b", "x"), Param("c", "x", default="soap"))))
    skills.put("dry", Skill("dry", (Param("a", "x"), Param("b", "x", default="towel"))))
    language = Language(skills)
    assert language.read("Action: wash(tub)").args == ("tub",)
    assert language.read("Action: wash(tub, sink)").args == ("tub", "sink", "soap")
    assert language.read("Action: dry(tub)").args == ("tub", "towel")
    assert language.read("Action: dry()").args == ()
    assert language.read("Action: dry(tub, sun, wind)").args == ("tub", "sun")
    assert language.read("Action: wash(a, b, c, d, e)").args == ("a", "b", "c")
    skills.put("rub", Skill("rub", (Param("a", "x"),)))
    assert language.read("Action: rub(a, b, c, d, e)").args == ("a", "b", "c", "d")  # the world says what it takes
    assert language.read("Action: fly(a, b, c, d, e)") == Action("fly", ("a", "b", "c", "d"))
    grammar = language.grammar(Me(), ["dry"])["gbnf"]
    assert "thought ::= [a-zA-Z0-9_ ,.;:'-]{1,48}" in grammar and "words ::= [a-zA-Z0-9_ ,.;:'-]{1,100}" in grammar
    assert "{1,5}" in language.grammar(Me(), ["dry"], 5, 6)["gbnf"]
