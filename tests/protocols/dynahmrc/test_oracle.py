"""What the text oracle makes of single prompts, and what a prompt must say for it to decide well."""

import pytest

from coterie.core.task import Change, Trigger
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.shared.memory import Memory
from coterie.worlds.indoor.bodies import robots
from tests.protocols.dynahmrc.helpers import act_out, of, prompt_at, run
from tests.protocols.dynahmrc.test_changes import at, task_with

CARDS = {
    "Alice": ("a wheeled base with one arm; it drives on the floor, opens containers", "navigate, open, pick, place"),
    "Bob": ("a manipulator fixed on the work table", "pick, place"),
    "David": ("a wheeled base without an arm; it drives on the floor and looks", "navigate"),
    "Lucy": ("a drone with a suction gripper; it flies, carries things", "navigate, pick, place"),
}
HAND = "Your hand is empty. Within your reach: nothing."


def action(me, *lines, itself, team=("Alice", "Bob", "David", "Lucy"), share="", places=""):
    """The oracle's action on a prompt made by hand."""
    about, able = CARDS[me]
    others = [n for n in team if n != me]
    cards = " ".join(f"{n}: {CARDS[n][0]} ({CARDS[n][1]})." for n in others)
    extra = ", move" if me == "Alice" else ""
    system = [
        f"You are {me}, {about}.", f"Team: {cards}",
        f"Places with their sides: {places or 'bed 0 1, desk 0, fridge box 0, ledge high 0, sofa 0 1'}",
        "Work table: table_0 0 1 2 3, with tray; Bob works there.",
        *(f"{skill}(): a skill" for skill in f"{able}{extra}, communicate, wait".split(", ")),
        "Goal: Put can_0 and toucan_0 into the tray, and nothing else.",
    ]  # fmt: skip
    user = [
        f'Alice\'s plan: "{me}: {share}"',
        *lines,
        "Status: in the tray: nothing.",
        f"Step 9 of 30. {itself} Alive: {', '.join(others)}.",
    ]
    reply = answer((("system", "\n".join(system)), ("user", "\n".join(user))))
    return reply.split("\nAction: ")[1]


# -- the costmap ------------------------------------------------------------------------------------------------------
def test_where_no_sign_of_the_map_is_close_enough_it_names_a_spot_between_them():
    played, asked, _ = run(team="Ma-MoMa-Mo-UAV", seed=15, scene="house:15", changes=("irz@5",))
    maps = [a.prompt[1][1] for a in of(asked, "MV")]
    told = [m for m in maps if "this spot is free and close enough: " in m]
    assert told and all("o" not in m.split("\ndx runs")[0].replace("dy", "") for m in told)
    moves = [e.data["args"] for e in played.log.events if e.kind == "act" and e.data["skill"] == "move"]
    assert moves and all(any(m) for m in moves)
    assert played.result.success


def test_two_shifts_in_vain_are_enough():
    state = ("Needed: can_0 at sofa (move closer)", "Done lately: 6 move(0.2, 0.0) ok; 7 move(0.0, 0.2) ok")
    assert "Lucy, please bring can_0." in action("Alice", *state, itself=f"You are at sofa. {HAND}")


# -- who fetches what -------------------------------------------------------------------------------------------------
def test_the_last_request_counts_whoever_made_it():
    """Both asked the other: it is the later word that holds, and nobody waits for the other for ever."""
    mine = 'Done lately: 4 communicate("I found them, but cannot take them: can_0. Lucy, please bring can_0.") ok'
    hers = 'Heard: 7 Lucy: "I found them, but cannot take them: can_0. Alice, please bring can_0."'
    state = ("Needed: can_0 at sofa (from side 1)", mine, hers)
    assert action("Alice", *state, itself=f"You are at bed, side 0. {HAND}") == "navigate(sofa, 1)"
    later = (state[0], mine.replace(" 4 ", " 8 "), hers)
    assert action("Alice", *later, itself=f"You are at bed, side 0. {HAND}") == "wait()"


@pytest.mark.parametrize(
    ("line", "helper"),
    [
        ("", "Alice"),
        ("Closed to Alice: desk.", "Lucy"),
        ('Heard: 5 Alice: "I found them, but cannot take them: can_0. "', "Lucy"),
    ],
)
def test_one_who_cannot_is_not_asked(line, helper):
    asked = ('Heard: 7 Bob: "Out of my reach: can_0. David, please bring can_0."', *([line] if line else []))
    lines = [f"Heard: {' '.join(x.removeprefix('Heard: ') for x in asked if x.startswith('Heard'))}"]
    lines += [x for x in asked if x.startswith("Closed")]
    said = action("David", "Needed: can_0 at desk", *lines, itself="You are at sofa, side 0.")
    assert f"{helper}, please bring can_0." in said


def test_a_flyer_is_asked_for_what_lies_high():
    said = action("David", "Needed: can_0 at ledge", itself="You are at sofa, side 0.")
    assert "Lucy, please bring can_0." in said


def test_names_within_names_are_not_taken_for_them():
    said = 'Done lately: 3 communicate("I found them, but cannot take them: toucan_0.") ok'
    assert "please bring can_0" in action("David", "Needed: can_0 at sofa", said, itself="You are at sofa, side 0.")


def test_own_words_are_remembered_to_the_end():
    names = ", ".join(f"yellow_cylinder_{i}" for i in range(3))
    words = f"I found them, but cannot take them: {names}. Lucy, please bring yellow_cylinder_0."
    _, asked = act_out(task_with(), {"David": [f'communicate("{words}", all)']})
    assert words in prompt_at(asked, "David", 1)


def test_a_known_thing_in_a_closed_box_is_taken_out():
    itself = f"You are at fridge, side 0, which is a closed box. {HAND}"
    assert action("Alice", "Needed: can_0 at fridge", itself=itself) == "open(fridge)"


# -- room to stand ----------------------------------------------------------------------------------------------------
def test_a_scout_makes_room_wherever_it_can_go():
    state = ("Searched: desk (can_0); sofa (empty)", "Needed: can_0 at desk")
    told = 'communicate("I found them, but cannot take them: can_0. Alice, please bring can_0.") ok'
    itself = "You are at desk, side 0."
    assert action("David", *state, f"Done lately: 5 {told}", itself=itself) == "navigate(sofa, 0)"
    taken = "navigate(sofa, 0) FAILED: David stopped short: Alice stands there."
    assert action("David", *state, f"Done lately: 5 {told}; 6 {taken}", itself=itself) == "navigate(sofa, 1)"
    alone = ("Searched: desk (can_0)", "Needed: can_0 at desk", f"Done lately: 5 {told}")
    assert action("David", *alone, itself=itself) == "navigate(bed, 0)"  # nowhere else has been searched


def test_what_rolls_is_not_in_the_way_of_what_flies():
    told = 'Done lately: 5 communicate("I found them, but cannot take them: can_0. Lucy, please bring can_0.") ok'
    state = ("Needed: can_0 at desk", told)
    assert action("David", *state, itself="You are at desk, side 0.", team=("Bob", "David", "Lucy")) == "wait()"


def test_one_who_stood_in_the_way_may_be_gone():
    failed = "3 navigate(desk, 0) FAILED: Alice stopped short of stand_pose_0 of desk: David stands there."
    state = ("Needed: can_0 at desk (from side 0)",)
    itself = f"You are at bed, side 0. {HAND}"
    assert action("Alice", *state, f"Done lately: {failed}", itself=itself) == "wait()"
    assert action("Alice", *state, f"Done lately: {failed}; 4 wait() ok", itself=itself) == "navigate(desk, 0)"


def test_where_there_is_no_room_a_thing_is_laid_down_elsewhere():
    full = "Done lately: 3 place(can_0, {0}) FAILED: {0} has no free spot."
    held = (
        "You are at {}, side 0. You hold can_0 ({}). Bob can take it from table_0 if you lay it there from side 0 or 2."
    )
    unwanted, wanted = held.format("sofa", "not needed"), held.format("table_0", "needed")
    assert action("Alice", itself=unwanted) == "place(can_0, sofa)"
    assert action("Alice", full.format("sofa"), itself=unwanted) == "navigate(table_0, 0)"
    assert action("Alice", full.format("table_0"), itself=wanted) == "navigate(table_0, 2)"


# -- closed zones -----------------------------------------------------------------------------------------------------
def test_a_place_closed_to_one_is_passed_on():
    state = ("Searched: bed (empty)", "Needed: can_0 not found", "Closed to you: sofa.")
    said = action("David", *state, itself="You are at bed, side 0.", share="sofa, desk")
    assert said == 'communicate("I may not enter sofa; please search there instead of me.", all)'
    once = (*state, f"Done lately: 8 {said.removesuffix(', all)')}) ok")
    assert action("David", *once, itself="You are at bed, side 0.", share="sofa, desk") == "navigate(desk, 0)"
    heard = 'Heard: 9 David: "I may not enter bed; please search there instead of me."'
    lines = ("Needed: can_0 not found", "Closed to David: bed.", heard)
    assert action("Lucy", *lines, itself=f"You are at sofa, side 0. {HAND}") == "navigate(bed, 0)"


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
    state = ("Searched: sofa (can_0)", "Needed: can_0 at sofa", "Lucy joined at step 5, and may not know.")
    said = action("Bob", *state, itself=f"You are at table_0. {HAND}")
    assert said == 'communicate("Welcome, Lucy. can_0 is at sofa. Searched: sofa.", Lucy)'
    once = f"Done lately: 8 {said.removesuffix(', Lucy)')}) ok"
    assert action("Bob", *state, once, itself=f"You are at table_0. {HAND}") == "wait()"


def test_a_report_carries_what_its_sender_believes():
    def reply(ask):
        return "Summary: apple_0 is on table_1." if ask.stage == "GD" and ask.robot == "Lucy" else None

    script = {"Lucy": ["navigate(table_1, 0)", "navigate(sofa, 0)"]}
    _, asked = act_out(task_with(steps=12), script, reply)
    assert "not found: apple_0" in prompt_at(asked, "Alice", 9)
    assert "apple_0 at table_1" in prompt_at(asked, "Alice", 10)


def test_a_new_plan_leaves_out_what_was_searched():
    system = (
        f"You are Alice, {CARDS['Alice'][0]}.\nTeam: David: {CARDS['David'][0]} (navigate).\n"
        "Places with their sides: bed 0 1, desk 0, sofa 0 1\nYou lead the team."
    )
    user = "Reports:\nDavid: bed (empty); sofa (can_0) go on.\nSearched: rug (empty)\nStatus: nothing."
    assert answer((("system", system), ("user", user))).endswith("Plan: Alice: desk")
