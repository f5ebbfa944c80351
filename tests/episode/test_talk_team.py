"""People talk with teams of houses, whatever decides for them: goals, zones, facts, and ways out at a yes."""

import io

import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.episode import talk_help, talk_team
from coterie.episode.inputs import Inputs, Utterance
from coterie.episode.loop import Episode
from coterie.log.file import read_log
from coterie.protocols.shared.guide import Unplanned, plan_for, search
from coterie.protocols.shared.reading import Pool, Reading

HOUSE = ("--scene", "flat", "--task", "pack-objects")

TEAMS = {"rules": (), "dynahmrc": ("--model", "oracle")}

SCRIPT = """
instructor: What is the plan?
> The goal: Put soap_0 and toothpaste_0
instructor: Close the sofa.
> closed for Alice, Bob and Lucy
instructor: The soap is on the sofa.
> I tell the team
instructor: Yes.
> Nothing was proposed
visitor: The soap is on the bed.
> may not state facts
... 60
instructor> no progress ... open sofa for Alice again ... Do you want me to do it?
teacher: No.
> open sofa for Alice again ... Do you want me to do it?
teacher: No.
> I leave that
instructor> teacher said no
instructor: Yes.
> teacher said no ... talk to each other
visitor: Yes.
> may not approve
teacher: Better go the long way round.
> I did not understand
teacher: Yes.
> You also said 'Better go the long way round' ... as it stands ... open sofa for Alice again
teacher: Yes.
> I lead the team
instructor> teacher said yes
instructor: What is the plan?
> I lead the team: Alice goes to sofa
... idle
instructor> Done. In the tray: toothpaste_0, soap_0
instructor: Put the bowl into the tray.
> bowl_0
... idle
instructor: How far are you?
> 100 % is done. In the tray: toothpaste_0, soap_0, bowl_0
"""


@pytest.mark.parametrize("team", TEAMS)
def test_a_way_out_is_proposed_and_carried_out_at_a_yes(team, talked):
    log, _ = talked(SCRIPT, "--seed", "5", "--protocol", team, *TEAMS[team], where=("--scene", "flat"))
    events = read_log(log)
    opened = next(e for e in events if e.kind == "change" and e.data.get("opened"))
    assert opened.who == "teacher" and opened.data["opened"] == {"Alice": ["sofa"]}
    visits = [e for e in events if e.kind == "act" and e.data["skill"] == "navigate" and "sofa" in e.data["args"]]
    assert visits and all(e.seq > opened.seq for e in visits)  # nobody went there before the yes


class Talk:
    """A talk with a team, step by step; `at` says what is said at which step."""

    def __init__(self, at, model="garbled:1.0", most=120, task="pack-objects", seed=0, scene="flat", **more):
        self.hall = hall = talk_team.TeamHall(Inputs())
        hall.waits, self.at, self.steps = False, dict(at), []

        def tick(episode):
            self.steps.append(hall.helper.guide.on)
            for text in () if episode.log.replaying else self.at.pop(episode.step, ()):
                hall.inputs.put(Utterance(*text))
            if episode.step >= most or (episode.world.progress().done and not self.at):
                hall.ended = True

        hall.tick = tick
        config, made = talk_team.config_of(scene, task, seed, "dynahmrc", model)
        talk_team.run(hall, config, made, **more)

    def told(self, person="instructor"):
        return [t.text for t in self.hall.told if t.person == person]

    @property
    def done(self):
        return self.hall.episode.world.progress().done


HELP, YES = [("instructor", "Help the team.")], [("instructor", "Yes.")]


def test_a_team_whose_model_says_nothing_is_led_to_its_goal():
    alone = Talk({}, most=60)
    assert not alone.done and not any(alone.steps) and "no progress in 12 steps" in alone.told()[0]
    helped = Talk({3: HELP, 4: YES}, most=60)
    assert helped.done and helped.told()[-1].startswith("Done. In the tray")
    assert "lead the team: Bob takes cup_0" in helped.told()[0]
    assert "Nobody has seen soap_0 yet; that is looked for afterwards" in helped.told()[0]


def test_whoever_leads_leaves_at_a_word_and_silence_is_no_yes():
    left = Talk({3: HELP, 4: YES, 6: [("visitor", "Cancel.")], 8: [("instructor", "Cancel.")]}, most=12)
    assert left.steps[5:8] == [True] * 3 and not any(left.steps[9:])
    assert "may not give commands" in left.told("visitor")[0] and "left to itself" in left.told()[-1]
    silent = Talk({3: HELP}, most=40)
    assert not any(silent.steps)


def test_the_no_of_everybody_counts_until_they_say_yes():
    no = {n: [(who, "No.")] for n, who in ((4, "teacher"), (6, "teacher"), (7, "instructor"))}
    talk = Talk({3: HELP, **no, 8: YES, 9: [("teacher", "Yes.")]}, most=11)
    assert talk.steps.index(True) == 9 and any("teacher said no to it" in words for words in talk.told())


def test_a_yes_after_the_end_of_a_proposal_comes_too_late(monkeypatch):
    monkeypatch.setattr(talk_help, "TIMEOUT_S", 0.5)
    talk = Talk({3: HELP, 4: YES}, most=8)
    assert not any(talk.steps) and "I withdraw it" in talk.told()[1] and "Nothing was proposed" in talk.told()[2]


def test_a_yes_with_more_behind_it_is_no_yes():
    left = Talk({3: HELP, 4: [("instructor", "Okay. Cancel.")]}, most=8)
    assert not any(left.steps) and "left to itself" in left.told()[-1]


CHANGED = """
... idle
instructor> Done. In the tray: cup_0, soap_0
instructor: Put the banana into the tray. Put the fork into the tray. What is the plan? How far are you?
> All right, I tell the team: banana to tray
> banana_0 and fork_0
> The goal is new: Put cup_0, soap_0, banana_0 and fork_0 into the tray
instructor!> 100 %
instructor!> Done
... idle
instructor> Done. In the tray: cup_0, soap_0, banana_0, fork_0
instructor: Put the spoon on the table.
> Which table do you mean: table 0, table 1?
instructor: Where is the table?
instructor: Table 1.
> spoon to table 1
"""


def test_what_was_just_asked_for_is_what_is_told_of_and_two_tables_are_asked_apart(talked):
    talked(CHANGED)


def test_what_is_wanted_otherwise_is_planned_anew():
    changed = Talk({3: HELP, 4: YES, 6: [("instructor", "Put the banana into the tray.")]}, most=90)
    assert changed.done and "banana_0" in changed.told()[-1]


def test_a_kill_in_the_middle_of_approving_changes_nothing(tmp_path):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    Talk({3: HELP, 6: YES}, log_path=whole, most=40)
    lines = whole.read_bytes().splitlines(keepends=True)
    asked = next(i for i, row in enumerate(lines) if b"Help the team" in row)
    cut.write_bytes(b"".join(lines[: asked + 8]) + lines[asked + 8][:20])
    again = Talk({6: YES}, log_path=cut, resume=True, most=40)
    assert again.done and cut.read_bytes() == whole.read_bytes()


def pooled(talk):
    episode = talk.hall.episode
    return Pool().gather(episode.roster.view_of(episode.views, episode.step, truth=False))


def test_the_planner_knows_what_robots_have_seen_and_nothing_else():
    talk = Talk({}, most=1)
    world, views = talk.hall.episode.world, pooled(talk)
    assert not any("soap_0" in str(step) for step in plan_for(views).steps)  # it lies where nobody has looked
    truth = world.look("where", "soap_0")
    sought = {s.action.args[0] for s in search(Reading(views["Alice"])).steps if s.action.skill == "navigate"}
    assert truth in sought and len(sought) > 5  # every place is as good as the other
    view = views["Alice"]
    for furniture in view.look("all_furniture"):
        view.belief.tell(Fact("contents", (furniture,), (), 1e6, "Alice"))
    with pytest.raises(Unplanned, match="nobody can look anywhere else"):
        search(Reading(view))


def test_teams_of_other_worlds_are_talked_to_and_refuse_in_words(talked):
    script = (
        "instructor: What is the plan?\n> The goal: Bring ball\ninstructor: Help the team.\n> another world\n"
        "instructor: Stop!\n> Everybody stops\ninstructor: Continue.\n> they go on\n... idle\ninstructor> Done\n"
    )
    talked(script, where=("--task", "yard-tidy", "--protocol", "tidier"))


def test_a_script_that_outlives_its_talk_has_failed(tmp_path, capsys):
    script = tmp_path / "s.talk"
    script.write_text("instructor: Hello.\n> Hello\ninstructor> nobody says that\n")
    args = ["talk", *HOUSE, "--script", str(script), "--log", str(tmp_path / "l.jsonl")]
    assert main(args) == 1
    assert "Line 3 of the script" in capsys.readouterr().err
    with pytest.raises(CoterieError):
        talk_team.resumed(tmp_path / "none.jsonl")


# -- questions, and stops while the team thinks -----------------------------------------------------------------------
def asked(*said, after=2, **more):
    """What the instructor is told, each time; the hall."""
    hall, lines = talk_team.TeamHall(Inputs(), waits=False), list(said)

    def tick(episode):
        if episode.step >= after and lines and hall.heard == len(said) - len(lines):
            hall.inputs.put(Utterance("instructor", lines.pop(0)))
        elif not lines and hall.heard == len(said):
            hall.end()

    hall.tick = tick
    talk_team.run(hall, *talk_team.config_of("flat", "pack-objects", **more))
    return [t.text for t in hall.told if t.person == "instructor" and not t.text.startswith("Done.")], hall


def test_abilities_come_from_bodies_and_skills():
    said = ["Who can carry the banana?", "Who can open the fridge?", "Can Bob carry the cup?"]
    said += ["Can Alice open the fridge?", "Who can open the sofa?"]
    told, _ = asked(*said, after=0)
    assert told[0] == "Alice and Lucy can carry a banana. Bob does not move."
    assert told[1].startswith("Alice can open the fridge. Bob has no skill to open anything.")
    assert told[2:4] == ["No: Bob does not move. Alice and Lucy can.", "Yes, Alice can open the fridge."]
    assert told[4].startswith("Nobody here can open the sofa.")


def test_what_would_be_is_asked_of_the_planner_and_changes_nothing():
    before = asked("Where is the cup?", "Where is the soap?")[0]
    said = ("What if the cup is on the sofa?", "What if Alice is broken and Lucy is broken?", "Where is the cup?")
    told, hall = asked(*said)
    assert "If there is a cup at the sofa: there is a way" in told[0] and "goes to sofa" in told[0]
    assert "the planner finds no way" in told[1] and told[2] == before[0]
    without, whole = asked("What if the sofa is closed?", "What if the soap is on the sofa?", after=1, seed=5)[0]
    assert "goes to sofa" not in without and "goes to sofa" in whole
    assert not [e for e in hall.episode.log.events if e.kind == "change"]


def test_chances_of_a_team_that_decides_for_itself_are_not_made_up():
    (chance, lasts, odd), hall = asked(
        "What are the chances?", "How long will it take?", "What if Alice cannot open doors?", after=1, seed=5
    )
    assert "I name no chance" in chance and "%" not in chance and "So far 2 of 2 actions have worked" in chance
    assert "Nobody has seen soap yet" in chance and len(hall.done) > 2
    assert "steps" in lasts and odd.startswith("I cannot tell what would change")


def test_what_is_not_the_goal_is_planned_but_not_done():
    put = "put the banana into the tray?"
    said = (f"Can you {put}", f"Why don't you {put}", "Why don't you put the soap into the tray?")
    (could, why, mine), hall = asked(*said, after=1)
    order = "To have it done, say: Bring a banana to the tray."
    assert could.startswith("Yes; ") and why.startswith("Nobody has asked for it; ") and could.endswith(order)
    assert mine.startswith("That is part of the goal") and "banana_0" not in hall.episode.world.goal.targets


@pytest.mark.parametrize("words", ["Stop!", "Right, stop."])
def test_a_stop_while_the_team_thinks_comes_before_what_it_has_in_mind(words, monkeypatch, tmp_path):
    log, hall = tmp_path / "l.jsonl", talk_team.TeamHall(Inputs(), waits=False)
    decide, said = Episode.decide, []

    def thinking(episode):
        decided = yield from decide(episode)
        if episode.step == 2 and not said and not episode.log.replaying:
            said.append(hall.speak("visitor", words))
        return decided

    def tick(episode):
        if hall.heard:
            hall.end()

    monkeypatch.setattr(Episode, "decide", thinking)
    hall.tick = tick
    made = talk_team.config_of("flat", "pack-objects")
    talk_team.run(hall, *made, log)
    events = read_log(log)
    at = next(i for i, e in enumerate(events) if e.kind == "input" and e.data["kind"] == "stop")
    assert events[at].step == 2 and not [e for e in events[at:] if e.kind == "act"]
    told = {t.person: t.text for t in reversed(hall.told)}
    assert "Everybody stops" in told["visitor"] and told["instructor"] == "visitor has stopped everybody."
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(line + b"\n" for line in log.read_bytes().split(b"\n")[: at + 3]))
    again = talk_team.TeamHall(Inputs(), waits=False, tick=lambda episode: again.end() if again.heard else None)
    talk_team.run(again, *talk_team.resumed(cut), cut, True)
    assert read_log(cut)[: len(events)] == events


# -- what several people want -----------------------------------------------------------------------------------------
BANANA, BOOK = ("instructor", "Put the banana into the tray."), ("teacher", "Put the book into the tray.")


def wanted(at):
    return Talk(at, most=max(at) + 2).hall.partner.goal.text()


def test_what_one_takes_back_or_puts_right_leaves_what_others_want():
    assert "cup_0, soap_0 and book_0" in wanted({2: [BANANA], 4: [BOOK], 6: [("instructor", "Undo that.")]})
    moved = wanted({2: [BANANA], 4: [BOOK], 6: [("instructor", "No, the sofa.")]})
    assert "book_0 to tray" in moved and "banana_0 to sofa" in moved
    zone = {2: [BANANA], 3: [("instructor", "Close the sofa for Alice.")], 4: [("instructor", "Undo that.")]}
    assert "banana_0" in wanted(zone)


def test_a_no_to_an_order_is_asked_about_and_not_yet_is_no_no():
    no = Talk({2: [BANANA], 3: [("teacher", "Cancel that.")], 4: [("instructor", "Cancel that.")], 5: YES}, most=7)
    assert "do not lead" in no.told("teacher")[0] and "Do you want me to take back" in no.told()[1]
    assert "banana_0" not in no.hall.partner.goal.text()
    later = Talk({3: HELP, 4: [("instructor", "Not yet.")], 5: YES}, most=7)
    assert "that waits" in later.told()[1] and any(later.steps)


def test_one_robot_goes_on():
    talk = Talk({2: [("instructor", "Stop Alice.")], 4: [("teacher", "Alice, continue.")]}, most=6)
    assert talk.told("teacher") == ["All right, Alice goes on."]


def test_others_are_told_of_a_stop_and_of_a_place_that_is_open_again():
    said = [("teacher", "Hello."), ("visitor", "Stop!"), ("teacher", "Continue."), ("teacher", "Close the sofa."),
            ("instructor", "Open the sofa.")]  # fmt: skip
    talk = Talk({step: [text] for step, text in enumerate(said, 1)}, most=8)
    told = [(t.person, t.text) for t in talk.hall.told]
    assert ("teacher", "visitor has stopped everybody.") in told
    assert ("visitor", "teacher lets everybody go on.") in told
    assert any(p == "teacher" and "instructor has spoken: sofa" in text and "open again" in text for p, text in told)


def test_the_last_line_of_a_script_is_said_and_answered(talked):
    assert "Alice" in talked("instructor: Hello.\ninstructor: Who is here?\n")[1].split("Who is here?")[1]


def test_somebody_else_speaks_at_the_terminal_of_a_house(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("teacher: Hello.\nquit\n"))
    where = ["--log", str(tmp_path / "l.jsonl"), "--folder", str(tmp_path)]
    assert main(["talk", *HOUSE, "--quiet", "--model", "none", *where]) == 0
    assert "Hello, teacher." in capsys.readouterr().out


PLEAS = ("Wait!", "Just a second!", "Don't touch it!", "Abort!", "Don't go to the sofa!", "Alice, hold on!")
BEGUN = (
    ("Stop. What is going on?", "The goal"), ("Stop right there and don't come closer.", ""), ("I said stop!", ""),
    ("Stop right now, please.", ""), ("Stop Alice!", "Alice stops"),
    ("Stop the soap.", ""), ("Stop everything and cancel it all.", ""),
)  # fmt: skip


def pleaded(words, asked=()):
    """A talk in which a visitor stops robots in such words, each of which the teacher lets go on; then asks."""
    at = {2 + 2 * i: [("visitor", said)] for i, said in enumerate(words)}
    at |= {3 + 2 * i: [("teacher", "Continue.")] for i in range(len(words))}
    last = 2 + 2 * len(words)
    talk = Talk({**at, last: [("visitor", said) for said in asked]}, most=last + 1)
    halts = [e.data for e in talk.hall.episode.log.events if e.kind == "input" and e.data.get("kind") == "stop"]
    assert [h["on"] for h in halts] == [True, False] * len(words)
    return talk.told("visitor")


def test_anybody_may_plead_with_robots_to_wait_or_to_keep_off():
    """Whoever may not command may stop, in other words, too; who let them go on is told."""
    told = pleaded(PLEAS, ("Why did you go on?", "Which doors are open?", "Could Alice do it?"))
    stops = [t for t in told if "Say continue to go on." in t]
    assert [t.split()[0] for t in stops] == ["Everybody"] * (len(PLEAS) - 1) + ["Alice"]
    assert "Instructor and teacher may close sofa for robots; you may stop them." in stops[4]
    why, doors, could = told[-3:]
    assert why == "Visitor stopped Alice, then teacher said continue."
    assert "open" in doors and "decides for itself" in could


def test_a_stop_that_a_sentence_begins_with_is_obeyed_in_a_house():
    told = "\n".join(pleaded([said for said, _ in BEGUN]))
    assert all(more in told for _, more in BEGUN) and told.count("Say continue to go on.") == len(BEGUN)


def test_a_place_is_not_closed_by_the_clock_in_a_house():
    talk = Talk({2: [("instructor", "Close the sofa for two hours.")]}, most=4)
    assert "by the clock" in talk.told()[0] and "Close the zone at the sofa." in talk.told()[0]
