"""The memo in tables: what is usual, the edges of its geometry, the words it says, what it refuses to read."""

import json
import math
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.memo import (
    Act,
    BadRow,
    Case,
    Family,
    MemoSettings,
    Motion,
    Plan,
    Pose,
    Store,
    Thing,
    families,
    family_of,
    parse_variant,
    resume,
    variants,
)
from coterie.memo.before.cases import first_case, last_found, spent
from coterie.memo.before.clearance import crowded
from coterie.memo.before.recall import actions
from coterie.memo.case import displacement
from coterie.memo.file import schema
from coterie.memo.file.schema import pack as packed
from coterie.memo.file.schema import told, unpack
from coterie.memo.geometry import Track, carry_over, difference, key_points, resample, turn
from coterie.memo.legs import Fit, Laid, Leg
from coterie.memo.similarity import Ratio, mean_ratio, ratios
from coterie.memo.splanner import Draft, DraftAct, Drafted
from coterie.memo.transitions import said
from coterie.worlds.tabletop.recall import plan_of
from coterie.worlds.tabletop.views import VIEWS

from .made import HOME, arc, knots, pack, pack_plan, sort

SET = MemoSettings()


# -- what is usual ----------------------------------------------------------------------------------------------------
@pytest.mark.declarations
def test_settings_and_families_where_nothing_is_said():
    assert MemoSettings(None, 0.01, 0.2, None, None, 32, 8, "line", 0.1, True, True, True, True) == SET
    assert Family() == Family("low", 0.85, 50, 10) == family_of("anything")
    here = [(name, family) for name, family in families.items() if name in VIEWS]  # jobs of files register theirs
    table = {name: (f.overlap, f.tau, f.k, f.base_steps) for name, f in here}
    assert table == {
        "move-rope": ("high", 0.7, 40, 4), "pack-grocery": ("high", 0.85, 30, 8), "sandwich": ("low", 0.85, 700, 10),
        "sort-cubes": ("low", 0.85, 50, 7), "sweep-floor": ("low", 0.85, 9, 10), "arrange-cabinet": ("low", 0.85, 9, 6),
    }  # fmt: skip
    for task, (_, tau, k, base) in table.items():
        assert (SET.tau_of(task), SET.k_of(task), SET.base_of(task)) == (tau, k, base)
        none = MemoSettings(tau=0.0, k=0, base_steps=0)
        assert (none.tau_of(task), none.k_of(task), none.base_of(task)) == (0.0, 0, 0)
    assert variants() == ["memo", "memo:no-similarity", "memo:no-splanner", "memo:no-continue", "memo:no-selective"]


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("tau=0", "tau", 0.0), ("tau=1", "tau", 1.0), ("tau=1.1", "tau", None), ("tau=-0.1", "tau", None),
        ("eps=0", "eps", 0.0), ("eps=2", "eps", 2.0), ("eps=-1", "eps", None), ("eps=inf", "eps", None),
        ("eta=1", "eta", 1.0), ("eta=0", "eta", None), ("eta=1.5", "eta", None),
        ("k=0", "k", 0), ("k=-1", "k", None), ("k=x", "k", None),
        ("base=1", "base_steps", 1), ("base=0", "base_steps", None),
        ("near=1", "near", 1), ("near=0", "near", None), ("best=1", "best", 1), ("best=0", "best", None),
        ("axis=x", "axis", "x"), ("axis=y", "axis", None),
        ("no-similarity", "similarity", False), ("no-splanner", "splanner", False),
        ("no-continue", "continues", False), ("no-selective", "selective", False),
    ],
)  # fmt: skip
def test_parts_of_a_variant(part, field, value):
    if value is None:
        with pytest.raises(CoterieError, match="does not fit the memo"):
            parse_variant(f"memo:{part}")
    else:
        settings = parse_variant(f"memo:{part}-and-near=5" if field != "near" else f"memo:{part}")
        assert getattr(settings, field) == value and settings.near == (5 if field != "near" else value)


# -- geometry ---------------------------------------------------------------------------------------------------------
def test_how_far_a_pose_moved():
    then, now = Pose(0, 0, 0, 0.1), Pose(2, 3, 6, 0.1)
    assert difference(None, 0.1) == 0.0
    assert difference((then, now), 0.1) == pytest.approx(7.0)
    assert difference((then, now._replace(yaw=0.6)), 0.1) == pytest.approx(7.05)
    assert difference((then, now._replace(yaw=-0.4)), 0.1) == pytest.approx(7.05)
    assert turn(Pose(0, 0, 0, 3.0), Pose(0, 0, 0, -3.0)) == pytest.approx(2 * math.pi - 6)
    assert turn(Pose(0, 0, 0, 0.0), Pose(0, 0, 0, 1.0)) == pytest.approx(1.0)


def test_a_point_that_goes_with_its_thing():
    assert carry_over((1.0, 2.0, 3.0), None) == (1.0, 2.0, 3.0)
    moved = (Pose(1, 1, 1), Pose(5, 6, 7, math.pi / 2))
    assert carry_over((3.0, 1.0, 2.0), moved) == pytest.approx((5.0, 8.0, 8.0))
    assert carry_over((1.0, 2.0, 1.5), moved) == pytest.approx((4.0, 6.0, 7.5))


WAY = np.array([(-1.0, 0.0, 0.0), (0.5, 0.0, 1.0), (0.5, 0.2, 2.0), (2.0, 0.2, 0.5)])


def test_what_of_a_way_lies_between():
    track = Track((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert track.length == 1.0 and Track((0, 0, 0), (3.0, 4.0, 9.0)).length == 5.0
    assert Track((0, 0, 0), (3.0, 4.0, 9.0), "x").length == 3.0
    assert track.progress(WAY).tolist() == [-1.0, 0.5, 0.5, 2.0]
    aslant = Track((1.0, 1.0, 0.0), (4.0, 5.0, 0.0))
    points = np.array([(1.0, 1.0, 0), (4.0, 5.0, 0), (5.0, 4.0, 0)])
    assert aslant.progress(points).tolist() == pytest.approx([0, 5, 4.8])
    kept = track.between(WAY)
    assert kept.round(6).tolist() == [
        [0.0, 0.0, 0.666667], [0.5, 0.0, 1.0], [0.5, 0.2, 2.0], [1.0, 0.2, 1.5],
    ]  # fmt: skip
    back = Track((1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert back.between(WAY[::-1]).round(6).tolist() == kept[::-1].round(6).tolist()
    beyond = Track((3.0, 0.0, 0.0), (4.0, 0.0, 0.0))
    assert len(beyond.between(WAY)) == 0
    short = Track((0.0, 0.0, 0.0), (0.009, 0.0, 0.0))
    assert short.between(WAY) is WAY and track.between(WAY[:1]).tolist() == WAY[:1].tolist()
    flat = np.array([(2.0, 0.0, 0.0), (2.0, 1.0, 0.0), (0.5, 1.0, 0.0), (0.5, 2.0, 0.0)])
    assert track.between(flat).round(6).tolist() == [[1.0, 1.0, 0.0], [0.5, 1.0, 0.0], [0.5, 2.0, 0.0]]


def test_how_much_is_gained():
    track = Track((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert track.gained(WAY, WAY) == 1.0
    assert track.gained(WAY[1:2], WAY) == 0.0
    assert track.gained(WAY[:2], WAY) == 0.5
    assert track.gained(WAY, WAY[:2]) == 0.5  # no farther than the whole gets
    assert track.gained(WAY[::-1], WAY) == 0.0
    assert track.gained(WAY[:0], WAY) == 0.0
    assert Track((0.0, 0.0, 0.0), (0.009, 0.0, 0.0)).gained(WAY, WAY) == 0.0
    assert Track((0.0, 0.0, 0.0), (0.01, 0.0, 0.0)).gained(WAY, WAY) == 0.01


def test_points_at_even_distances():
    line = np.array([(0.0, 0.0, 0.0), (0.03, 0.0, 0.0), (0.1, 0.0, 0.0)])
    assert resample(line).round(6).tolist() == [[0.02 * i, 0, 0] for i in range(6)]
    assert len(resample(line, 0.07)) == 3 and len(resample(line, 1.0)) == 2
    assert resample(line[:1]).tolist() == [[0, 0, 0]]
    assert resample(np.zeros((4, 3))).tolist() == [[0, 0, 0]]
    bent = np.array([(0.0, 0.0, 0.0), (0.0, 0.04, 0.03), (0.0, 0.04, 0.08)])
    assert resample(bent, 0.05).round(6).tolist() == [[0, 0, 0], [0, 0.04, 0.03], [0, 0.04, 0.08]]


def test_key_points_from_the_peak():
    hill = np.array([(x, 0.0, -abs(x - 4)) for x in range(10)], dtype=float)
    assert key_points(hill, 0.2)[:, 0].tolist() == [0, 2, 4, 6, 8]
    assert key_points(hill, 0.3)[:, 0].tolist() == [1, 4, 7]
    assert key_points(hill, 0.05)[:, 0].tolist() == list(range(10))
    assert len(key_points(hill[:0], 0.2)) == 0


def test_the_mean_displacement():
    assert displacement(pack(), pack(apple=(-0.5, 0.4, 0.6))) == pytest.approx(0.15)
    assert displacement(pack(), sort()) < math.inf
    more = pack(obstacles={"wall": Pose(0, 0, 0)})
    assert displacement(pack(), more) == math.inf
    empty = Case("w", "t", "", (), {})
    assert displacement(empty, empty) == 0.0


# -- reuse ratios -----------------------------------------------------------------------------------------------------
def fits(*rows):
    motion = Motion(knots(), arc(HOME, (0, 0, 0)), "apple")
    return [
        Fit(Laid(Leg(step, "Ann", n, "PICK", (), "apple", ""), motion, HOME, HOME, 0.0), motion.ee, True, ref, goal)
        for n, (step, ref, goal) in enumerate(rows)
    ]


def test_ratios_add_up_over_the_motions_of_a_subtask():
    assert ratios(fits((0, 0.5, 1.0), (0, 0.1, 1.0), (1, 2.0, 1.0), (2, 1.0, 0.0))) == [
        Ratio(0, "Ann", "PICK", 0.3), Ratio(1, "Ann", "PICK", 1.0),
    ]  # fmt: skip
    assert ratios(fits((0, -1.0, 1.0)))[0].alpha == 0.0
    assert mean_ratio([]) == 1.0 and mean_ratio(ratios(fits((0, 0.5, 1.0), (1, 1.0, 1.0)))) == 0.75


# -- words ------------------------------------------------------------------------------------------------------------


def test_words_of_a_plan_that_stopped():
    plan = pack_plan(pack())
    left = resume(plan, 1, " too far ")
    assert left.words().split("\n") == [
        "A plan of an earlier, similar task was tried first.",
        "These rounds of it are done, and the state below is what they led to:",
        "round 1: Alice PICK apple; Bob WAIT",
        "Then this failed: round 2: Alice PLACE apple slot; Bob WAIT",
        "The reason: too far",
        "Plan from here on; do not start over.",
    ]
    assert resume(plan, 0, " ").words().split("\n")[1:] == [
        "None of its rounds could be done.",
        "Then this failed: round 1: Alice PICK apple; Bob WAIT",
        "The reason: no reason was given",
        "Plan from here on; do not start over.",
    ]
    assert resume(plan, 2, "x").failed == "the plan had ended, but the goal was not reached"
    scratch = resume(plan, 1, "x", parse_variant("memo:no-continue"))
    assert scratch.from_scratch and scratch.words() == "" and scratch.done == ()
    assert not resume(plan, 1, "x", SET).from_scratch


# -- drafts as actions ------------------------------------------------------------------------------------------------
def drafted(how, goal=(0.0, 0.0, 0.0), toward="apple", end=(0.0, 0.0, 0.0), points=()):
    old = Motion([[0.123456]], [HOME, end], toward)
    return Drafted(how, old, np.array(points, dtype=float).reshape(-1, 3), HOME, goal)


def test_a_round_of_a_draft_as_actions():
    guide = drafted("guide", points=[(0.11111, 0.2, 0.3)])
    plan = Draft(({"Ann": DraftAct("PICK", ("apple",), (drafted("reuse"), guide, drafted("anew"), drafted("guide")))},))
    (action,) = actions(plan, 0).values()
    assert (action.skill, action.args, action.why, action.origin) == ("PICK", ("apple",), "remembered", "memo")
    assert action.motion == ({"knots": [[0.1235]]}, {"guide": [[0.1111, 0.2, 0.3]], "old": [[0.1235]]}, None, None)
    assert actions(plan, 0, as_is=True)["Ann"].motion[0] == {"knots": [[0.1235]], "as_is": True}
    both = Draft(({"Ann": DraftAct("PICK", (), (drafted("reuse"),)), "Bob": DraftAct("PICK", (), (drafted("anew"),))},))
    assert [a.motion for a in actions(both, 0).values()] == [(None,), (None,)]  # arms are planned together


def test_an_old_motion_guides_where_another_arm_needs_a_new_way():
    """Left alone, its arm would go straight, through whatever the old motion went around."""
    point = (0.1, 0.2, 0.3)
    still, moved = drafted("reuse", points=[point]), drafted("guide", points=[point])
    for other in (moved, drafted("anew")):
        plan = Draft(({"Ann": DraftAct("PICK", (), (still,)), "Bob": DraftAct("PICK", (), (other,))},))
        assert actions(plan, 0)["Ann"].motion == ({"guide": [list(point)], "old": [[0.1235]]},)
    alone = Draft(({"Ann": DraftAct("PICK", (), (still,)), "Bob": DraftAct("PICK", (), (still,))},))
    assert actions(alone, 0)["Ann"].motion == ({"knots": [[0.1235]]},)


def hands(now, then, toward="apple"):
    a = drafted("reuse", (0.0, 0.0, 0.0), toward, (0.0, 0.0, 0.0))
    b = drafted("reuse", (now, 0.0, 5.0), "milk", (then, 0.0, 0.0))
    return Draft(({}, {"Ann": DraftAct("PICK", (), (a,)), "Bob": DraftAct("PICK", (), (b,))}))


def test_hands_side_by_side():
    assert crowded(hands(0.21, 0.5)) == "in round 2 the hands of Ann and Bob would be only 0.21 m apart"
    assert crowded(hands(0.23, 0.5)) == ""
    assert crowded(hands(0.10, 0.14)) == ""  # about as near as when it went well
    assert crowded(hands(0.10, 0.16)) != ""
    assert crowded(hands(0.10, 0.5, toward="")) == ""


# -- what is kept of a log --------------------------------------------------------------------------------------------
def event(kind, who="", data=None, step=0, seq=0, causes=()):
    return Event(seq, step, 0.0, kind, who, data or {}, causes)


def act(who, skill="PICK", args=("apple",), **more):
    return event("act", who, {"skill": skill, "args": list(args), "why": "", **more})


def truth(**motions):
    facts = [["motion", [robot], [{"knots": [[1.0]], "ee": [[0, 0, 0]], "toward": "apple", "holds": ""}]]
             for robot in motions]  # fmt: skip
    return event("truth", data={"facts": [["how", [], ["free"]], *facts]})


def outcome(status="done"):
    return event("outcome", "Ann", {"status": status, "action": "PICK", "reason": ""})


def test_rounds_that_were_carried_out():
    good = [act("Ann"), outcome(), truth(Ann=1)]
    assert [said(step) for step in plan_of(good).steps] == ["Ann PICK apple"]
    assert plan_of([]) is None
    assert plan_of([act("Ann"), outcome("failed"), truth(Ann=1)]) is None
    assert len(plan_of([*good, act("Ann"), outcome("failed"), truth(Ann=1), *good]).steps) == 2
    assert len(plan_of([*good, event("rewind"), *good]).steps) == 1
    assert plan_of([act("Ann"), outcome(), event("truth", data={"facts": []})]) is None
    assert plan_of([outcome(), truth(Ann=1)]) is None


def ask(who, stage, step=0, attempt=0, prompt=""):
    return event("ask", who, {"stage": stage, "attempt": attempt, "prompt": [["memo", prompt]], "seed": 0}, step)


def reply(tokens_in, tokens_out):
    return event("reply", "Ann", {"text": "", "tokens_in": tokens_in, "tokens_out": tokens_out, "error": ""})


def test_what_an_episode_took():
    asked = [ask("memo", "memo"), ask("Ann", "act"), reply(5, 2), ask("Ann", "act"), reply(1, 1)]
    assert spent(asked) == {"calls": 2, "tokens": 9}
    own = [act("Ann")._replace(step=1), act("Bob")._replace(step=1), act("Ann", origin="memo")._replace(step=2)]
    assert spent([ask("memo", "memo"), *own]) == {"calls": 1, "tokens": 0}
    assert spent([ask("memo", "memo", step=4, attempt=1), *own]) == {"calls": 2, "tokens": 0}


def test_what_an_episode_asked_and_found():
    case = pack()
    asked = ask("memo", "memo", prompt=json.dumps({"case": case.to_json()}))
    assert first_case([ask("Ann", "act"), asked]) == case and first_case([ask("Ann", "act")]) is None
    found = {"found": True, "episode": "e/1"}
    assert last_found([event("memo", data=found)])["episode"] == "e/1"
    assert last_found([event("memo", data=found), event("memo", data={"found": False})]) is None
    assert last_found([event("memo", data={**found, "prior": True})]) is None
    assert last_found([event("memo", data={"failed": 1})]) is None
    assert last_found([event("memo", data=found), event("memo", data={"failed": 1})])["episode"] == "e/1"


# -- what is refused --------------------------------------------------------------------------------------------------
def test_plans_that_cannot_be():
    for ee in ([[0.0, 1.0]], [0.0, 1.0, 2.0], [[math.nan, 0, 0]]):
        with pytest.raises(BadRow):
            Motion(knots(), ee)
    motion = Motion(knots(), [])
    assert motion.ee.shape == (0, 3) and not motion.knots.flags.writeable
    assert motion == Motion(knots(), []) and motion != Motion(knots(5), []) and motion != Motion(knots(), [], "x")
    assert motion != Motion(knots(), [], "", "x") and motion != Motion(knots(), [HOME]) and motion != 3
    one = Act("PICK", ("a",), None, (motion,))
    assert one == Act("PICK", ("a",), None, (motion,)) and one != Act("PICK", ("b",), None, (motion,))
    assert one != Act("PICK", ("a",), np.array([HOME]), (motion,)) and one != "PICK"
    assert Act("PICK", (), np.array([HOME])) == Act("PICK", (), [HOME]) != Act("PICK", (), [(0, 0, 0)])
    for data in ({}, [1], [{"Ann": {}}], [{1: {}}]):
        with pytest.raises(BadRow, match=r"not a plan|is not a name"):
            Plan.from_json(data)
    plan = pack_plan(pack())
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    outline, numbers = packed(plan)
    assert unpack(outline, numbers) == plan
    for bad in ("{}", "[1]", '[{"Ann": {}}]', "["):
        with pytest.raises(BadRow):
            unpack(bad, numbers)
    with pytest.raises(BadRow, match="cut short"):
        unpack(outline, numbers[:-8])
    with pytest.raises(BadRow, match="not finite"):
        unpack(outline, np.full(len(numbers) // 8, math.inf).tobytes())
    assert packed(Plan(())) == ("[]", b"")


def test_cases_that_cannot_be():
    case = pack(obstacles={"wall": Pose(0, 0, 0, 1.0)}, constraints=("c",))
    data = case.to_json()
    assert Case.from_json(json.loads(json.dumps(data))) == case
    for key, odd in (("world", 1), ("robots", [1]), ("objects", []), ("obstacles", {"w": [1]}), ("constraints", [1])):
        with pytest.raises(BadRow, match="not a case"):
            Case.from_json({**data, key: odd})
    with pytest.raises(BadRow, match="the position of 'apple' is not a number"):
        pack(apple=(math.nan, 0, 0))
    assert case.pose("wall") == Pose(0, 0, 0, 1.0) and case.pose("apple") == Pose(-0.5, 0.4, 0.3)
    assert case.pose("nothing") is None and Thing("a", "b", 1, 2, 3).yaw == 0.0
    assert case.vector.tolist() == pytest.approx([-0.5, 0.4, 0.3, -0.25, 0.6, 0.3, 0, 0, 0])


# -- files that do not work -------------------------------------------------------------------------------------------
def test_damaged_rows_are_skipped_and_counted(file):
    with Store(file) as store:
        assert store.cost("nobody") == {}
        store.put(pack(), pack_plan(pack()), "e/1", {"calls": 3})
        assert store.cost("e/1") == {"calls": 3} and store.skipped == 0
        for damage in ("{", "3"):
            store._db.execute("UPDATE costs SET body = ?", (damage,))
            assert store.cost("e/1") == {}
        assert store.skipped == 2
        store.teach("e/1", "flat", "pack", {"case": 1})
        for damage in ("{", "[]"):
            store._db.execute("UPDATE lessons SET body = ?", (damage,))
            assert store.lessons("flat", "pack") == []
        assert store.skipped == 4


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_READONLY, "Cannot write the memo"),
        (sqlite3.SQLITE_CANTOPEN, "Cannot write the memo"),
        (sqlite3.SQLITE_PERM, "Cannot write the memo"),
        (sqlite3.SQLITE_BUSY, "is held by another process for more than 30 s"),
        (sqlite3.SQLITE_LOCKED, "is held by another process"),
        (sqlite3.SQLITE_NOTADB, "is damaged or is no memo"),
        (sqlite3.SQLITE_CORRUPT, "is damaged or is no memo"),
        (sqlite3.SQLITE_FULL, "Is the disk full"),
        (sqlite3.SQLITE_IOERR | (3 << 8), "Is the disk full"),
        (sqlite3.SQLITE_MISUSE, "does not work: odd"),
    ],
)
def test_errors_of_the_database_are_sentences(code, words):
    odd = sqlite3.OperationalError("odd")
    odd.sqlite_errorcode = code
    with pytest.raises(CoterieError, match=words), told(Path("m.sqlite")):
        raise odd


def test_two_processes_that_switch_at_once_wait_for_each_other(monkeypatch):
    class Db:
        def __init__(self, busy, code=sqlite3.SQLITE_BUSY):
            self.left, self.code = busy, code

        def execute(self, sql):
            if self.left:
                self.left -= 1
                err = sqlite3.OperationalError("busy")
                err.sqlite_errorcode = self.code
                raise err

    asleep, clock = [], iter(range(0, 1000, 7))
    monkeypatch.setattr(schema.time, "sleep", asleep.append)
    monkeypatch.setattr(schema.time, "monotonic", lambda: next(clock))
    schema._write_ahead(Db(3))
    assert asleep == [0.01] * 3
    with pytest.raises(sqlite3.OperationalError):
        schema._write_ahead(Db(100))
    assert len(asleep) < 3 + 6  # thirty seconds, and no longer
    with pytest.raises(sqlite3.OperationalError):
        schema._write_ahead(Db(1, sqlite3.SQLITE_FULL))


def test_a_write_is_done_as_a_whole_or_not_at_all(file):
    with Store(file) as store:
        with pytest.raises(RuntimeError), store._writing() as db:
            db.execute("DELETE FROM counts")
            raise RuntimeError
        assert store.generation == 0
        with store._writing() as db:
            db.execute("UPDATE counts SET value = 5")
        assert store.generation == 5
