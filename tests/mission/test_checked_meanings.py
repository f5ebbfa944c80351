"""No meaning becomes a goal before it was checked against the types and names of the world, and no goal ends a
mission."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.expr import All, eq, fl, ge, ne, no
from coterie.core.fluents import check_condition
from coterie.mission.dialogue.conversation import Said
from coterie.mission.dialogue.zones import against
from coterie.mission.language.understand import understand
from coterie.mission.planner import MissionPlanner
from coterie.planning.answer import Limits
from coterie.talk import meanings as m
from coterie.talk.checking import CLAIMS, WANTS, check
from coterie.talk.forms import forms
from coterie.worlds.hospital.goals import Wish
from coterie.worlds.hospital.skills import SKILLS
from tests.mission.talkers import Hospital
from tests.mission.ward import A, Ward, with_medkit

QUICK = settings(max_examples=30, suppress_health_check=list(HealthCheck))
KINDS = {
    **dict.fromkeys(("Spot", "Temi", "Fetch"), ("robot",)),
    **dict.fromkeys(("teacher", "pharmacist", "nurse"), ("person",)),
    **dict.fromkeys(("alpha", "beta", "pharmacy"), ("room",)),
    **dict.fromkeys(("tableA", "tableE"), ("table",)),
    **dict.fromkeys(("betadoor", "sidedoor"), ("door",)),
    **dict.fromkeys(("painkiller", "bandagebox"), ("item",)),
    **{"caddy1": ("caddy",), "medkit": ("kit",), "woundkit": ("kit",), "rounds": ("task",)},
}
NAMES = [*KINDS, "", "nothing such", "@it", "@which x", "@other table", "?x", "ö", "dock", "all"]


# -- the check --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("meaning", "part"),
    [
        (m.Order((m.Want(m.KIT, "medkit", "beta", source="pharmacist"),)), "wants.0.source"),
        (m.Order((m.Want(m.KIT, "painkiller"),)), "wants.0.what"),
        (m.Order((m.Want(m.STOCK, "medkit", "tableE"),)), "wants.0.what"),
        (m.Order((m.Want(m.HOLD, "betadoor"),)), "wants.0.what"),
        (m.Order((m.Want(m.AT, "", "Spot"),), ("Spot",)), "wants.0.where"),
        (m.Order((m.Want(m.DOOR, "betadoor"),), ("tableE",)), "robots.0"),
        (m.Order((m.Want(m.DOOR, "betadoor"),), when=(m.Claim(m.JAMMED, "beta"),)), "when.0.what"),
        (m.Order((m.Want("odd", "betadoor"),)), "wants.0.kind"),
        (m.Order((m.Want(m.STOCK, "painkiller", "tableE", -1),)), "wants.0.count"),
        (m.Tell((m.Claim(m.SUPPLY, "medkit", "pharmacist"),)), "claims.0.what"),
        (m.Alter("medkit", "add", "beta"), "item"),
        (m.Policy((m.Claim(m.JAMMED),), "ask", "Spot"), "person"),
        (m.Permit("tableE", "command"), "person"),
        (m.Zone("painkiller"), "where"),
        (m.Steer("dance"), "how"),
        (m.Ask("which", claims=(m.Claim(m.STOCK),)), "claims"),
    ],
)
def test_what_does_not_fit_is_found_as_data(meaning, part):
    assert [p.part for p in check(meaning, KINDS)] == [part]


def test_a_stop_fits_whoever_it_names():
    assert check(m.Stop(("nobody such",)), KINDS) == []


def test_everything_that_can_be_said_fits():
    partner = Hospital().mission.partner
    for sentence in partner.examples():
        for meaning in understand(sentence, partner.vocabulary):
            if isinstance(meaning, m.Meaning) and not any("@" in n for n in _texts(meaning)):
                partner.fits(meaning)


def _texts(meaning):
    return json.dumps(meaning.to_json()).split('"')


# -- in a talk --------------------------------------------------------------------------------------------------------
def test_a_kit_from_a_person_is_asked_about_and_what_waits_goes_on():
    """The mission ended here: a kit from the pharmacist became a rule about a thing that nobody knows."""
    ward = with_medkit()
    ward.fail()
    words = ward.talk((A, "Just get it from the pharmacist then."))
    assert "What do you want from the pharmacist?" in words
    assert ward.states() == {"a medkit (2 painkillers, 1 bandage box) at alpha": "waiting"}
    assert ward.talk((A, "Yes.")) == "All right, I do it."


def test_what_does_not_fit_can_be_put_right():
    ward = Ward()
    thread = ward.mission.dialogue.threads.of(A)
    said = ward.mission.dialogue.take(thread, Said(m.Order((m.Want(m.STOCK, "painkiller", "Spot"),))))
    assert said.startswith("Spot is a robot, and no table or room") and said.endswith("?") and not ward.goals()
    assert ward.talk((A, "I meant table C.")) == "All right: 1 painkiller at table C."


@pytest.mark.long
def test_a_log_that_ended_so_is_resumed(quick, tmp_path, capsys):
    script, log = tmp_path / "s.txt", tmp_path / "l.jsonl"
    script.write_text(
        "teacher: Prepare a medkit and deliver it to beta.\n... 120\nteacher: Just get it from the pharmacist then.\n"
    )
    where = ["--scene", "hospital", "--fault", "missing:bandagebox", "--seed", "7"]
    assert main(["talk", *where, "--script", str(script), "--log", str(log), "--quiet"]) == 0
    rows = log.read_text().splitlines(keepends=True)
    end = next(i for i, row in enumerate(rows) if "Just get it" in row)
    log.write_text("".join(rows[: end + 1]))  # as it was left when the mission could not go on
    script.write_text("teacher: Yes.\n> All right, I do it.\n... idle\n> Done: a medkit\n")
    assert main(["talk", "--resume", str(log), "--script", str(script), "--quiet"]) == 0, capsys.readouterr()


# -- any meaning ------------------------------------------------------------------------------------------------------
names = st.sampled_from(NAMES)
several = st.lists(names, max_size=2).map(tuple)
counts = st.sampled_from([1, 2, 0, -1, 10**9])
minutes = st.sampled_from([0, 5, -1, 10**12])


def rows(cls, types, **more):
    """Wants or claims: in each part a name that fits, or any."""

    def of(kind):
        parts = {part: types.get(kind, {}).get(part) for part in ("what", "where")}
        fit = {p: [n for n in NAMES if t is not None and set(KINDS.get(n, ())) & {*t.kinds}] for p, t in parts.items()}
        named = {p: st.sampled_from(fits or [""]) | names for p, fits in fit.items()}
        return st.builds(cls, st.just(kind), **named, holds=st.booleans(), **more)

    return st.lists(st.sampled_from([*types, "odd"]).flatmap(of), max_size=2).map(tuple)


wants = rows(m.Want, WANTS, count=counts, source=names)
claims = rows(m.Claim, CLAIMS, count=st.none() | counts)
words = st.sampled_from(["", "open", "command", "prioritise", "all", "mine", "high", "later", "leave", "1", "odd"])
acting = st.one_of(
    st.builds(m.Order, wants, several, st.just(()) | claims, st.booleans(), several),
    st.builds(m.Tell, claims),
    st.builds(
        m.Steer, st.sampled_from(["pause", "resume", "cancel", "prioritise", "help", "odd"]), names, words, several
    ),
    st.builds(m.Alter, names, st.sampled_from(["add", "remove", "set", "odd"]), names, counts),
    st.builds(m.Policy, claims, st.sampled_from(["ask", "bring", "retry", "wants", "odd"]), names, wants),
    st.builds(m.Permit, names, words, st.booleans(), minutes),
    st.builds(m.Zone, names, several, st.booleans(), minutes),
    st.builds(m.Forget, names),
    st.builds(m.Stop, several),
)
other = st.one_of(
    st.builds(m.Ask, st.sampled_from([*forms()["asks"], "odd"]), names, names, names, words, claims, wants, words),
    st.builds(m.Teach, st.sampled_from(["", "kit", "task", "skill", "object", "policy", "again", "odd"]), names),
    st.builds(m.Things, st.lists(st.tuples(names, counts), max_size=2).map(tuple), several),
    st.builds(m.Somewhere, names),
    st.builds(m.Number, counts, names),
    st.builds(m.Approve, words),
    st.builds(m.Refuse, words),
    st.sampled_from([m.Nothing(), m.Show(), m.Greet("odd"), m.Repeat()]),
)
meanings = st.one_of(acting, acting, other, st.builds(m.Correct, acting | other, names))


@pytest.fixture
def quick(monkeypatch):
    """Plans that are looked for shortly, and judged by nobody: what is planned is no matter here."""
    monkeypatch.setattr(MissionPlanner, "judges", False)
    monkeypatch.setattr(MissionPlanner, "usual", Limits(states=100, tries=1, polish=10))


@QUICK
@given(said=st.lists(st.tuples(st.sampled_from(["teacher", "instructor", "visitor"]), meanings), max_size=4), yes=...)
def test_any_meaning_is_answered_and_the_mission_goes_on(quick, said: list, yes: bool):
    ward = Ward()
    dialogue = ward.mission.dialogue
    for person, meaning in said:
        thread = dialogue.threads.of(person)
        dialogue.spoke(person, dialogue.take(thread, Said(meaning)))
        ward.mission.think()
        if yes:
            ward.talk((person, "Yes."))
    assert ward.talk(("visitor", "Who is here?"))
    assert not [g for g in ward.mission.goals.all("submitted") if g.id not in ward.mission._blocked]


# -- any goal ---------------------------------------------------------------------------------------------------------
objects = st.sampled_from([*NAMES, "atA", "handL", "medkit"])


@st.composite
def conditions(draw):
    pred = draw(st.sampled_from([*SKILLS.fluents, "odd"]))
    count = len(SKILLS.fluents[pred].args) if pred in SKILLS.fluents else 1
    fluent = fl(pred, *(draw(objects) for _ in range(count)))
    value = draw(st.sampled_from([True, False, None, 2, "tableE"]))
    return draw(st.sampled_from([fluent, no(fluent), eq(fluent, value), ne(fluent, value), ge(fluent, value)]))


wishes = st.builds(
    Wish,
    *(st.sampled_from(["kit", "stock", "door", "at", "hold", "look"]), objects, objects),
    st.sampled_from([(), (("painkiller", 1),), (("medkit", 2),)]),
    counts,
)


@QUICK
@given(what=conditions() | wishes)
def test_any_goal_ends_in_words_and_not_the_mission(quick, what):
    mission = Hospital().mission
    try:
        goal = mission.submit(what, A) if isinstance(what, Wish) else mission.goals.submit(All((what,)), A, "it")
    except CoterieError:
        return  # it cannot be wanted, and that was said
    mission.think()
    goal = mission.goals[goal.id]
    assert goal.state in ("running", "waiting", "done", "failed", "recovering")
    if goal.state == "failed":
        words = mission.wanted_of(goal).explanation["words"]
        assert words and words != "plan"


def test_a_rule_about_what_nobody_knows_says_nothing():
    ward = Ward()
    rule = against("pickup", {"thing": "medkit", "table": "tableA"}, "no.")
    ward.mission.recovery.rules[rule.name] = rule
    ward.talk((A, "Deliver a medkit to alpha."))
    assert set(ward.states().values()) == {"running"}


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (eq(fl("free", "atA"), None), "never the same"),
        (ge(fl("open", "betadoor"), 1), "no number"),
        (fl("at", "Spot"), "neither true nor false"),
        (eq(fl("stock", "painkiller", "tableA"), "two"), "never the same"),
        (fl("opened", "betadoor"), "No predicate"),
        (fl("open", "betadoor", "alpha"), "2 arguments"),
    ],
)
def test_a_condition_that_can_never_be_judged_is_no_goal(what, why):
    with pytest.raises(CoterieError, match=why):
        check_condition(what, SKILLS.fluents)


def test_a_goal_about_a_name_of_another_kind_says_so():
    answer = MissionPlanner(Hospital().mission.domain).plan(lambda *_: None, {}, [eq(fl("open", "painkiller"), True)])
    assert not answer.found and "'painkiller' is of the kind item, and the goal asks for a door" in answer.words
