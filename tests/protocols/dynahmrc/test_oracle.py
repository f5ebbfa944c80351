"""What the text oracle makes of single prompts, and what a prompt must say for it to decide well."""

import pytest

from coterie.core.task import Change, Trigger
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.shared.memory import Memory
from coterie.worlds.indoor.bodies import robots
from tests.protocols.dynahmrc.helpers import act_out, of, prompt_at, run
from tests.protocols.dynahmrc.test_changes import at, task_with
from tests.protocols.prompts import filled

CARDS = {
    "Alice": ("a wheeled base with one arm; it drives on the floor, opens containers", "navigate, open, pick, place"),
    "Bob": ("a manipulator fixed on the work table", "pick, place"),
    "David": ("a wheeled base without an arm; it drives on the floor and looks", "navigate"),
    "Lucy": ("a drone with a suction gripper; it flies, carries things", "navigate, pick, place"),
}
GRAPH = """\
bed: bedroom, surface, 0.6 m high, sides 0=(1.0,1.0) 1=(2.0,1.0)
desk: bedroom, surface, 0.7 m high, sides 0=(3.0,1.0)
fridge: kitchen, box, 0.9 m high, sides 0=(4.0,1.0)
ledge: kitchen, high, 1.9 m high, sides 0=(5.0,1.0)
sofa: kitchen, surface, 0.5 m high, sides 0=(6.0,1.0) 1=(7.0,1.0)"""
HAND = "Your hand is empty. Within your reach: nothing."


def action(me, itself, team=("Alice", "Bob", "David", "Lucy"), share="", **slots):
    """The oracle's action on a prompt with these slots."""
    about, able = CARDS[me]
    others = [n for n in team if n != me]
    extra = ", move" if me == "Alice" else ""
    prompt = filled(
        "dynahmrc/hmrc",
        "full" if "searched" in slots else "compact",
        name=me,
        about=about,
        team=" ".join(f"{n}: {CARDS[n][0]} ({CARDS[n][1]})." for n in others),
        places="bed 0 1, desk 0, fridge box 0, ledge high 0, sofa 0 1",
        scene_graph=GRAPH,
        table_line="table_0 0 1 2 3, with tray; Bob works there.",
        skills="\n".join(f"{skill}(): a skill" for skill in f"{able}{extra}, communicate, wait".split(", ")),
        goal="Put can_0 and toucan_0 into the tray, and nothing else.",
        plan=f'Alice\'s plan: "{me}: {share}"',
        status="in the tray: nothing.",
        step="9",
        limit="30",
        self=f"{itself} Alive: {', '.join(others)}.",
        **slots,
    )
    return answer(prompt).split("\nAction: ")[1]


# -- the costmap ------------------------------------------------------------------------------------------------------
def test_where_no_sign_of_the_map_is_close_enough_it_names_a_spot_between_them():
    played, asked, _ = run(team="Ma-MoMa-Mo-UAV", seed=15, scene="house:15", changes=("irz@5",))
    maps = [a.prompt[1][1] for a in of(asked, "MV")]
    told = [m for m in maps if "this spot is free and close enough: " in m]
    assert told and all("o" not in m.split("\ndx runs")[0].replace("dy", "") for m in told)
    moves = [e.data["args"] for e in played.log.events if e.kind == "act" and e.data["skill"] == "move"]
    assert moves and all(any(m) for m in moves)
    assert played.result.success


# -- who fetches what -------------------------------------------------------------------------------------------------
BED, DESK, SOFA = (f"You are at {place}, side 0." for place in ("bed", "desk", "sofa"))
FOUND = "I found them, but cannot take them:"
ASKED = '7 Bob: "Out of my reach: can_0. David, please bring can_0."'
MINE = f'communicate("{FOUND} can_0. Lucy, please bring can_0.") ok'
HERS = f'7 Lucy: "{FOUND} can_0. Alice, please bring can_0."'
BLOCKED = "3 navigate(desk, 0) FAILED: Alice stopped short of stand_pose_0 of desk: David stands there."
SHIFTED = "6 move(0.2, 0.0) ok; 7 move(0.0, 0.2) ok"


@pytest.mark.parametrize(
    ("me", "itself", "state", "does"),
    [
        # the later request holds, whoever made it, and nobody waits for the other for ever
        ("Alice", f"{BED} {HAND}", {"found": "can_0 at sofa (from side 1)", "messages": HERS, "lately": f"4 {MINE}"},
         "navigate(sofa, 1)"),
        ("Alice", f"{BED} {HAND}", {"found": "can_0 at sofa (from side 1)", "messages": HERS, "lately": f"8 {MINE}"},
         "wait()"),
        # one who cannot is not asked
        ("David", SOFA, {"found": "can_0 at desk", "messages": ASKED}, "Alice, please bring can_0."),
        ("David", SOFA, {"found": "can_0 at desk", "messages": ASKED, "closed": "Closed to Alice: desk."},
         "Lucy, please bring can_0."),
        ("David", SOFA, {"found": "can_0 at desk", "messages": f'{ASKED} 5 Alice: "{FOUND} can_0. "'},
         "Lucy, please bring can_0."),
        # a flyer is asked for what lies high
        ("David", SOFA, {"found": "can_0 at ledge"}, "Lucy, please bring can_0."),
        # names within names are not taken for them
        ("David", SOFA, {"found": "can_0 at sofa", "lately": f'3 communicate("{FOUND} toucan_0.") ok'},
         "please bring can_0"),
        # a known thing in a closed box is taken out
        ("Alice", f"You are at fridge, side 0, which is a closed box. {HAND}", {"found": "can_0 at fridge"},
         "open(fridge)"),
        # what rolls is not in the way of what flies
        ("David", DESK, {"team": ("Bob", "David", "Lucy"), "found": "can_0 at desk", "lately": f"5 {MINE}"}, "wait()"),
        # one who stood in the way may be gone
        ("Alice", f"{BED} {HAND}", {"found": "can_0 at desk (from side 0)", "lately": BLOCKED}, "wait()"),
        ("Alice", f"{BED} {HAND}", {"found": "can_0 at desk (from side 0)", "lately": f"{BLOCKED}; 4 wait() ok"},
         "navigate(desk, 0)"),
        # two shifts in vain are enough
        ("Alice", f"{SOFA} {HAND}", {"found": "can_0 at sofa (move closer)", "lately": SHIFTED},
         "Lucy, please bring can_0."),
    ],
)  # fmt: skip
def test_who_fetches_what(me, itself, state, does):
    said = action(me, itself, **state)
    assert does in said if does.startswith(("Alice", "Lucy", "please")) else said == does


def test_own_words_are_remembered_to_the_end():
    names = ", ".join(f"yellow_cylinder_{i}" for i in range(3))
    words = f"I found them, but cannot take them: {names}. Lucy, please bring yellow_cylinder_0."
    _, asked = act_out(task_with(), {"David": [f'communicate("{words}", all)']})
    assert words in prompt_at(asked, "David", 1)


# -- room to stand ----------------------------------------------------------------------------------------------------
def test_a_scout_makes_room_wherever_it_can_go():
    state = {"itself": "You are at desk, side 0.", "searched": "desk (can_0); sofa (empty)", "found": "can_0 at desk"}
    told = '5 communicate("I found them, but cannot take them: can_0. Alice, please bring can_0.") ok'
    assert action("David", **state, actions=told) == "navigate(sofa, 0)"
    failed = "6 FAILED: David stopped short: Alice stands there."
    assert action("David", **state, actions=f"{told}\n6 navigate(sofa, 0)", feedback=failed) == "navigate(sofa, 1)"
    alone = {**state, "searched": "desk (can_0)"}
    assert action("David", **alone, actions=told) == "navigate(bed, 0)"  # nowhere else has been searched


def test_where_there_is_no_room_a_thing_is_laid_down_elsewhere():
    full = "3 place(can_0, {0}) FAILED: {0} has no free spot."
    held = (
        "You are at {}, side 0. You hold can_0 ({}). Bob can take it from table_0 if you lay it there from side 0 or 2."
    )
    unwanted, wanted = held.format("sofa", "not needed"), held.format("table_0", "needed")
    assert action("Alice", itself=unwanted) == "place(can_0, sofa)"
    assert action("Alice", unwanted, lately=full.format("sofa")) == "navigate(table_0, 0)"
    assert action("Alice", wanted, lately=full.format("table_0")) == "navigate(table_0, 2)"


# -- closed zones -----------------------------------------------------------------------------------------------------
def test_a_place_closed_to_one_is_passed_on():
    state = {"itself": "You are at bed, side 0.", "share": "sofa, desk", "searched": "bed (empty)"}
    state |= {"found": "can_0 not found", "closed": "Closed to you: sofa."}
    said = action("David", **state)
    assert said == 'communicate("I may not enter sofa; please search there instead of me.", all)'
    assert action("David", **state, actions=f"8 {said.removesuffix(', all)')})") == "navigate(desk, 0)"
    heard = '9 David: "I may not enter bed; please search there instead of me."'
    state = {"found": "can_0 not found", "closed": "Closed to David: bed.", "messages": heard}
    assert action("Lucy", f"You are at sofa, side 0. {HAND}", **state) == "navigate(bed, 0)"


def test_a_zone_travels_with_the_words_about_it():
    script = {"Alice": ["navigate(sofa, 0)", 'communicate("I may not enter sofa.", all)']}
    _, asked = act_out(task_with(at(0, "zones", closed={"Alice": ["sofa"], "Lucy": ["table_1"]})), script)
    assert "Closed to you: sofa." in prompt_at(asked, "Alice", 2)
    for n in ("Bob", "David", "Lucy"):
        assert "losed to" not in prompt_at(asked, n, 1)
        assert "\nClosed to Alice: sofa.\n" in prompt_at(asked, n, 2)


# -- newcomers, discussions -------------------------------------------------------------------------------------------
def test_a_newcomer_is_named_and_told_what_it_missed():
    memory = Memory()
    memory.note_team(frozenset({"Alice", "Bob"}), 0)
    memory.note_team(frozenset({"Alice", "Bob", "Lucy"}), 5)
    memory.note_team(frozenset({"Alice", "Bob", "Lucy"}), 6)
    assert memory.joined == {"Lucy": 5}
    join = Change(Trigger(step=2), "join", {"robot": "Lucy", "card": robots.get("UAV")}, ())
    _, asked = act_out(task_with(join, team="Ma-MoMa"), {})
    assert "joined" not in prompt_at(asked, "Bob", 1)
    assert "Lucy joined at step 2, and may not know what was found before." in prompt_at(asked, "Bob", 2)
    assert "joined" not in prompt_at(asked, "Lucy", 2)
    state = {"searched": "sofa (can_0)", "found": "can_0 at sofa", "joined": "Lucy joined at step 5"}
    said = action("Bob", f"You are at table_0. {HAND}", **state)
    assert said == 'communicate("Welcome, Lucy. can_0 is at sofa. Searched: sofa.", Lucy)'
    once = f"8 {said.removesuffix(', Lucy)')})"
    assert action("Bob", f"You are at table_0. {HAND}", **state, actions=once) == "wait()"


def test_a_report_carries_what_its_sender_believes():
    def reply(ask):
        return "Summary: apple_0 is on table_1." if ask.stage == "GD" and ask.robot == "Lucy" else None

    script = {"Lucy": ["navigate(table_1, 0)", "navigate(sofa, 0)"]}
    _, asked = act_out(task_with(steps=12), script, reply)
    assert "not found: apple_0" in prompt_at(asked, "Alice", 9)
    assert "apple_0 at table_1" in prompt_at(asked, "Alice", 10)


def test_a_new_plan_leaves_out_what_was_searched():
    prompt = filled(
        "dynahmrc/lp",
        "full",
        name="Alice",
        about=CARDS["Alice"][0],
        team=f"David: {CARDS['David'][0]} (navigate).",
        scene_graph="\n".join(line for line in GRAPH.splitlines() if line.startswith(("bed", "desk", "sofa"))),
        reports="David: bed (empty); sofa (can_0) go on.",
        searched="rug (empty)",
        status="nothing.",
    )
    assert answer(prompt).endswith("Plan: Alice: desk")
