"""Replies of every stage in the many dresses of real models: read as meant or asked again, never as something else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.replies import sections as out_loud
from coterie.core.replies.courtesy import own_turn, polite
from coterie.core.replies.json_blocks import load_loosely
from coterie.core.replies.normalize import _SIGNS, headed, plain, untabled
from coterie.core.replies.per_robot import by_name
from coterie.core.replies.sections import spoken
from coterie.core.replies.tool_dialects import as_json
from coterie.protocols import coela
from coterie.protocols.coherent import Coherent
from coterie.protocols.dynahmrc.elect import _reader
from coterie.protocols.dynahmrc.propose import _read as read_proposal
from coterie.protocols.dynahmrc.reflect import _read_report
from coterie.protocols.shared.replies import Misread, PlanReader, plan_for, shift
from coterie.worlds.indoor.entry import INDOOR
from tests.protocols.formats import HEADS, TAKEN_BACK, UNSETTLED, call_forms, dresses, head, plan_forms

TEAM = ["Alice", "Bob", "Lucy"]
COUNT, GOOD = 200, 0.95
ACTIONS = [
    ("pick", ("object",), ("apple_0",), ("apple_0",)),
    ("place", ("object", "place"), ("apple_0", "tray"), ("apple_0", "tray")),
    ("navigate", ("place", "side"), ("bed", "stand_pose_2"), ("bed", "stand_pose_2")),
    ("open", ("box",), ("dish_washer",), ("dish_washer",)),
    ("wait", (), (), ()),
]
THOUGHTS = ["The cup is here.", "My last action: open(bed) failed.\nSo I try again.", "I could open(sofa), but no."]


def held(rows):
    """Enough is read as meant, and nothing as something else. Rows are (reply, meant, got)."""
    unread = [reply for reply, _, got in rows if isinstance(got, Misread) or got is None]
    wrong = [(reply, got) for reply, meant, got in rows if got != meant and reply not in unread]
    assert not wrong, "\n====\n".join(f"{reply}\n---> {got}" for reply, got in wrong[:5])
    share = 1 - len(unread) / len(rows)
    assert share >= GOOD, f"{share:.3f}\n" + "\n====\n".join(unread[:8])


@pytest.mark.parametrize("skill", ACTIONS, ids=lambda a: a[0])
@pytest.mark.parametrize("thought", [0, 1, 2])
def test_actions(skill, thought):
    name, params, args, meant = skill

    def wear(form, body, wrong):
        return f"{head(form, 'Thought', THOUGHTS[thought])}\n{head(form, 'Action', body)}"

    replies = dresses(wear, call_forms(name, params, args), COUNT, thought, "open(sofa)")
    held([(r, (name, meant), _done(INDOOR.language.read(r, ["Bob", "Lucy"]))) for r in replies])


@pytest.mark.parametrize("skill", ACTIONS, ids=lambda a: a[0])
def test_actions_without_a_heading(skill):
    name, params, args, meant = skill
    bodies = [b for b in call_forms(name, params, args) if "(" in b or "{" in b]
    replies = dresses(lambda form, body, wrong: body, bodies, COUNT, 5, "open(sofa)")
    held([(r, (name, meant), _done(INDOOR.language.read(r, ["Bob", "Lucy"]))) for r in replies])


def _done(got):
    return (got.skill, got.args) if isinstance(got, Action) else got


@pytest.mark.parametrize(
    "text", ["I saw cup_0 on the bed.", "Please, bring it: (now)!", "Don't open(bed).", "Plan: wait()"]
)
def test_messages(text):
    forms = [
        f'communicate("{text}", Lucy)',
        f"communicate(\u201c{text}\u201d, Lucy)",
        f'communicate(Lucy, "{text}")',
        f'communicate(message="{text}", recipients=Lucy)',
        f'communicate(content="{text}", recipients="Lucy")',
        f'`communicate("{text}", [Lucy])`',
        json.dumps({"name": "communicate", "arguments": {"content": text, "recipients": ["Lucy"]}}),
        json.dumps({"action": "communicate", "args": [text, "Lucy"]}),
    ]
    replies = dresses(lambda form, body, wrong: head(form, "Action", body), forms, COUNT // 2, 6, "wait()")
    meant = ("communicate", (text, ("Lucy",)))
    held([(r, meant, _done(INDOOR.language.read(r, ["Bob", "Lucy"]))) for r in replies])


@pytest.mark.parametrize(
    "reply",
    [
        "I could pick(apple_0) or open(bed).",
        "Action: pick(apple_0) or perhaps open(bed), I am not sure.",
        "Action: I would not pick(apple_0).",
        "<think>pick(apple_0)",
        "<think>Action: pick(apple_0)</think>",
        "Thought: pick(apple_0) is what I would do if I could",
        "<|channel|>analysis<|message|>Action: pick(apple_0)",
        "Plan: pick(apple_0), then place(apple_0, tray)",
        '{"thought": "pick(apple_0)"}',
    ],
)
def test_what_was_only_weighed_is_not_done(reply):
    assert isinstance(INDOOR.language.read(reply, ["Bob"]), Misread)


# -- plans ------------------------------------------------------------------------------------------------------------
PARTS = {"Alice": "sofa, bed", "Bob": "table_0", "Lucy": "cabinet_top"}


def parts_of(plan):
    """Each robot's part of a plan in a line: the words from its name to the next name."""
    if isinstance(plan, Misread):
        return plan
    at = {n: plan.find(n) for n in PARTS}
    if min(at.values()) < 0:
        return {}
    ends = [*sorted(at.values()), len(plan)]
    return {n: all(w in plan[i : ends[ends.index(i) + 1]] for w in PARTS[n].split(", ")) for n, i in at.items()}


WHOLE = dict.fromkeys(PARTS, True)


def test_proposals():
    def wear(form, body, wrong):
        return "\n".join(head(form, h, t) for h, t in (("Thought", wrong), ("Plan", body), ("Speech", "I see it all.")))

    rows = []
    for r in dresses(wear, plan_forms(PARTS), COUNT, 1, "Alice does nothing, Bob all."):
        got = read_proposal(r, PlanReader(TEAM))
        rows.append(
            (r, (WHOLE, True), got if isinstance(got, Misread) else (parts_of(got[0]), "I see it all." in got[1]))
        )
    held(rows)


def test_plans_of_a_leader_and_reports():
    def wear(form, body, wrong):
        return "\n".join(head(form, h, t) for h, t in (("Thought", wrong), ("Summary", "It is shut."), ("Plan", body)))

    replies = list(dresses(wear, plan_forms(PARTS), COUNT, 2, "Alice does nothing, Bob all."))
    held([(r, WHOLE, parts_of(plan_for(r, TEAM))) for r in replies])
    held([(r, True, got if isinstance(got := _read_report(r), Misread) else "It is shut." in got) for r in replies])


def test_a_plan_that_forgets_somebody_is_asked_for_again():
    assert plan_for("Plan: lorem ipsum dolor", TEAM) == Misread("the plan has no part for Alice, Bob, Lucy")
    assert plan_for("Plan: Alice: bed; Bob: sofa", TEAM) == Misread("the plan has no part for Lucy")
    assert plan_for("Plan: everybody searches", TEAM) == "everybody searches"
    read = PlanReader(TEAM)
    assert isinstance(read("Plan: Alice: bed; Bob: sofa"), Misread)
    assert read("Plan: Alice: bed; Bob: sofa") == "Alice: bed; Bob: sofa"
    assert isinstance(read("Plan: lorem ipsum dolor"), Misread)


# -- votes, shifts, options, lines for all ----------------------------------------------------------------------------
def test_votes():
    bodies = [
        "Lucy",
        "Lucy.",
        "**Lucy**",
        '"Lucy"',
        "Lucy, because Bob cannot move",
        "I vote for Lucy",
        "Lucy (not Bob)",
        "LUCY",
    ]

    def wear(form, body, wrong):
        return f"{head(form, 'Thought', 'Bob has a good plan, Alice too.')}\n{head(form, 'Leader', body)}"

    held([(r, "Lucy", _reader(TEAM)(r)) for r in dresses(wear, bodies, COUNT, 3, "Bob")])
    alone = ["Lucy", "I vote for Lucy.", '{"leader": "Lucy"}', '{"vote": "Lucy", "reason": "she sees"}']
    held([(r, "Lucy", _reader(TEAM)(r)) for r in dresses(lambda f, b, w: b, alone, COUNT // 4, 3, "Bob")])
    for torn in ("Bob or Lucy", "Leader: Bob or Lucy", "Leader: Bob and Lucy"):
        assert isinstance(_reader(TEAM)(torn), Misread)


def test_shifts():
    bodies = [
        "0.4, -0.2",
        "(0.4, -0.2)",
        "[0.4, -0.2]",
        "dx=0.4, dy=-0.2",
        "dy: -0.2, dx: 0.4",
        "0.4 m, \u22120.2 m",
        "0.40, -0.20",
    ]
    bodies += ["**0.4, -0.2**", '{"dx": 0.4, "dy": -0.2}', "x = 0.4, y = -0.2", "`0.4, -0.2`"]

    def wear(form, body, wrong):
        return f"{head(form, 'Thought', 'It is 3 cells away.')}\n{head(form, 'Move', body)}"

    held([(r, (0.4, -0.2), shift(r)) for r in dresses(wear, bodies, COUNT, 4, "0.6, 0.6")])


def test_options():
    choices = [Action("navigate", ("bed", "stand_pose_0")), Action("pick", ("apple_0",)), Action("wait")]
    bodies = [
        "B",
        "B.",
        "(B)",
        "**B**",
        "B. pick(apple_0)",
        "B) pick(apple_0)",
        "B - it is near",
        "Option B",
        "b",
        '"B"',
        "B because it is near",
    ]

    def wear(form, body, wrong):
        return f"{head(form, 'Thought', 'A is far, C is lazy.')}\n{head(form, 'Option', body)}"

    def read(reply):
        got = coela._read_choice(reply, choices, INDOOR.language)
        return got if isinstance(got, Misread) else got[:2]

    held([(r, ("pick", ("apple_0",)), read(r)) for r in dresses(wear, bodies, COUNT, 5, "Option A")])
    alone = ["B", "Option B", "I choose option B.", "B. pick(apple_0)", "pick(apple_0)", '{"option": "B"}']
    held([(r, ("pick", ("apple_0",)), read(r)) for r in dresses(lambda f, b, w: b, alone, COUNT // 4, 5, "Option A")])
    for none in (
        "None of the options fits.",
        "Option: none",
        "Option: A good one is missing.",
        "Option: I do not know",
        "",
        "S",
    ):
        assert isinstance(read(none), Misread), none


def test_a_line_for_every_robot():
    jobs = {"Alice": "pick(apple_0)", "Bob": "wait()", "Lucy": "navigate(bed, stand_pose_2)"}
    rows = list(jobs.items())
    bodies = [
        "\n".join(f"{n}: {a}" for n, a in rows),
        "\n".join(f"**{n}**: {a}" for n, a in rows),
        "\n".join(f"**{n}:** `{a}`" for n, a in rows),
        "\n".join(f"- {n}: {a}" for n, a in rows),
        "\n".join(f"{i}. {n}: {a}" for i, (n, a) in enumerate(rows, 1)),
        "\n".join(f"{n} -> {a}" for n, a in rows),
        "\n".join(f"- **{n}** → {a}" for n, a in rows),
        "\n".join(f"| {n} | {a} |" for n, a in rows),
        "\n".join(f"### {n}\n{a}" for n, a in rows),
        "\n".join(f"[{n}]: {a}" for n, a in rows),
        "\n".join(f"{n}'s action: {a}" for n, a in rows),
        json.dumps(jobs),
        "```json\n" + json.dumps(jobs, indent=2) + "\n```",
        json.dumps([{"robot": n, "action": a} for n, a in rows]),
        json.dumps({"actions": jobs}),
    ]
    meant = {"Alice": ("pick", ("apple_0",)), "Bob": ("wait", ()), "Lucy": ("navigate", ("bed", "stand_pose_2"))}

    def wear(form, body, wrong):
        return f"{head(form, 'Thought', 'Alice: open(sofa) was wrong.')}\n\n### Actions\n{body}"

    for dress in (wear, lambda f, b, w: b):
        found = []
        for r in dresses(dress, bodies, COUNT, 6, "Alice: open(sofa)"):
            got, unread = Coherent()._read(r, TEAM, INDOOR.language)
            found.append((r, meant, Misread("no line") if unread else {n: _done(a) for n, a in got.items()}))
        held(found)


# -- twice ------------------------------------------------------------------------------------------------------------
def option_of(reply):
    choices = [Action("navigate", ("bed", "stand_pose_0")), Action("pick", ("apple_0",)), Action("wait")]
    got = coela._read_choice(reply, choices, INDOOR.language)
    return got if isinstance(got, Misread) else got[:2]


TWICE = {  # heading, what counts, what else is said, how it is read, and as what
    "action": ("Action", "pick(apple_0)", "open(sofa)", lambda r: _done(INDOOR.language.read(r, ["Bob"])),
               ("pick", ("apple_0",))),
    "vote": ("Leader", "Lucy", "Bob", _reader(TEAM), "Lucy"),
    "shift": ("Move", "0.4, -0.2", "0.6, 0.6", shift, (0.4, -0.2)),
    "option": ("Option", "B", "A", option_of, ("pick", ("apple_0",))),
}  # fmt: skip


@pytest.mark.parametrize("stage", TWICE)
def test_what_is_taken_back_is_not_read(stage):
    heading, value, other, read, meant = TWICE[stage]
    replies = [
        form.replace("{w}", head(h, heading, other)).replace("{t}", head(h, heading, value))
        for form in TAKEN_BACK
        for h in HEADS
    ]
    held([(r, meant, read(r)) for r in replies])


@pytest.mark.parametrize("stage", TWICE)
def test_two_answers_are_none(stage):
    heading, value, other, read, _ = TWICE[stage]
    replies = [
        form.replace("{w}", head(h, heading, other)).replace("{t}", head(h, heading, value))
        for form in UNSETTLED
        for h in HEADS
        if "inal" not in h  # a final answer counts
    ]
    read_as = [(r, got) for r in replies if not isinstance(got := read(r), Misread) and got is not None]
    assert not read_as, "\n====\n".join(f"{r}\n---> {got}" for r, got in read_as[:8])


def test_names_are_found_whole():
    assert by_name("Bobby: wait()\nBob: pick(x)", ["Bob"]) == {"Bob": "pick(x)"}
    assert spoken("<think>a</think>b<think>c") == "b"
    assert len(HEADS) >= 18


MARKS = ["a", "Wait", " ", "\n", "_", "<", "</b>", "<think>", "[THINK]", "[/THINK]", "\u25c1think\u25b7", "<|end|>"]


@given(st.lists(st.sampled_from(MARKS), max_size=12).map("".join))
def test_nothing_is_passed_over_that_is_marked(text):
    """Texts without marks are not looked through for what these stand for: it would have changed nothing."""
    told = out_loud._told(headed(as_json(out_loud._one_turn(text), load_loosely)))
    told = own_turn(out_loud._TURN.sub("\n", out_loud._out_of_json(told)))
    assert spoken(text) == untabled(polite(plain(told)))


def test_signs_of_the_keyboard_are_plain():
    assert not any(chr(n).isascii() for n in _SIGNS)  # such a text is not translated
