"""Talks from beginning to end: the demonstration, a kill in the middle of teaching, two terminals, and scripts."""

import io
import os
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.protocol import Reply
from coterie.episode.inputs import Inputs, Utterance
from coterie.episode.loop import Episode
from coterie.episode.talk import HEARD, Hall, Talk, Told, config_of, ending, resumed, run
from coterie.episode.talk_room import Room, joined
from coterie.episode.talk_script import parse
from coterie.link.lines import Gone
from coterie.log.file import Log, read_log
from coterie.mission.dialogue.listening import Listener
from coterie.mission.planner import MissionPlanner
from coterie.talk.marks import EARLY, READ
from coterie.talk.reader import Reader
from tests.mission.talkers import Hospital

pytestmark = pytest.mark.usefixtures("quick")


def test_the_demonstration_goes_as_its_script_says(capsys, tmp_path):
    args = ["talk", "--scene", "hospital", "--fault", "missing:bandagebox", "--script", "demo", "--quiet"]
    assert main([*args, "--log", str(tmp_path / "a.jsonl")]) == 0
    assert "as expected: 25 expectations" in capsys.readouterr().out


def test_a_script_that_is_not_met_fails_with_its_line(capsys, tmp_path):
    path = tmp_path / "s.talk"
    path.write_text("# first\nteacher: Hello.\n> Hello, teacher\nteacher: What is on table B?\n> three elephants\n")
    assert main(["talk", "--script", str(path), "--log", str(tmp_path / "a.jsonl")]) == 1
    said = capsys.readouterr()
    assert "Line 5 of the script" in said.err and "elephants" in said.err and "painkiller" in said.err
    path.write_text("what is this\n")
    assert main(["talk", "--script", str(path)]) == 2
    with pytest.raises(CoterieError, match="Line 1"):
        parse("> nobody has spoken yet")


def killed(log, lines):
    """A talk that ends without a word after some lines, as a kill would end it."""

    class Kill(BaseException):
        pass

    left = list(lines)
    hall = Hall(Inputs(), waits=False)

    def tick(episode):
        if hall.heard < len(lines) - len(left):
            return
        if not left:
            raise Kill
        hall.inputs.put(Utterance(*left.pop(0)))

    hall.tick = tick
    with pytest.raises(Kill):
        run(hall, *config_of("hospital"), log)


def test_teaching_goes_on_where_a_kill_ended_it(tmp_path):
    log = tmp_path / "t.jsonl"
    said = ("Define new kit 'firstaid'.", "A medical caddy.", "Two gloves.")
    killed(log, [("teacher", text) for text in said])
    with Talk(log_path=log, resume=True) as talk:
        assert "Does a firstaid contain anything else" in talk.say("teacher", "Say that again.")[0]
        talk.say("teacher", "One bandage box.")
        assert "two gloves and a bandage box" in talk.say("teacher", "Nothing else.")[0]


def test_a_proposal_waits_where_a_kill_ended_it_and_words_from_before_answer_nothing_new(tmp_path, monkeypatch):
    log, told = tmp_path / "t.jsonl", []
    with Talk(faults=["missing:bandagebox"], log_path=log) as talk:
        talk.say("teacher", "Deliver a medkit to alpha.")
        talk.until("teacher", "Do you want me to do it?")
    whole = log.read_bytes()
    log.write_bytes(whole[: whole.rindex(b'"input","people"')])  # as a kill leaves it
    hall = Hall(Inputs())
    hall.hear = lambda said: told.append(said.text)
    thread = threading.Thread(target=run, args=(hall, *resumed(log), log, True), kwargs={"apart": True}, daemon=True)
    hall.speak("teacher", "Say that again.")  # before the log has been gone through
    thread.start()
    until(lambda: sum("Do you want me to do it?" in t for t in told) == 2)
    hall.speak("teacher", "Yes.")
    until(lambda: any(t.startswith("Done") for t in told))
    hall.inputs.put(ending())
    thread.join(60.0)
    again = next(i for i, t in enumerate(told) if "Do you want me to do it?" in t) + 1
    assert [t[:12] for t in told[again:]] == ["I could reac", "All right, I", "This is Spot", "Done: a medk"], told


def test_people_at_several_terminals_reach_one_team_each_as_themselves(tmp_path):
    hall = Hall(Inputs())
    config, task = config_of("hospital")
    with Room(hall.speak, ["teacher", "nurse"], tmp_path) as room:
        hall.hear = room.tell
        thread = threading.Thread(target=run, args=(hall, config, task), daemon=True)
        thread.start()
        teacher, nurse = joined("teacher", tmp_path), joined("nurse", tmp_path)
        teacher.send({"say": "Define new kit 'firstaid'."})
        assert "container" in teacher.read(30)["tell"]
        nurse.send({"say": "Define new kit 'other'."})
        assert "nurse (supplies) may not teach" in nurse.read(30)["tell"]
        assert teacher.read(0.2) is None
        with pytest.raises(CoterieError, match="No talk waits for 'doctor'"):
            joined("doctor", tmp_path)
        assert oct(os.stat(tmp_path / "nurse.json").st_mode)[-3:] == "600"
        hall.inputs.put(ending())
        thread.join(30)
    with pytest.raises((CoterieError, Gone)):
        joined("nurse", tmp_path)


def test_while_a_plan_is_sought_what_was_said_and_asked_is_answered_in_order_and_once(monkeypatch):
    begun, found, solve = threading.Event(), threading.Event(), MissionPlanner.answer

    def slowly(planner, question):
        planner.thinking = True
        begun.set()
        found.wait(60.0)
        planner.thinking = False
        return solve(planner, question)

    monkeypatch.setattr(MissionPlanner, "answer", slowly)
    hall, told, heard = Hall(Inputs()), [], []
    hall.hear = lambda said: (heard if said.number == HEARD else told).append((said.person, said.text.split(":")[0]))
    thread = threading.Thread(target=run, args=(hall, *config_of("hospital")), daemon=True)
    thread.start()
    until(lambda: hall.mission is not None)
    hall.speak("teacher", "Deliver a medkit to alpha.")
    assert begun.wait(60.0)
    until(lambda: len(told) == 1)
    hall.speak("teacher", "What is your plan?")
    until(lambda: len(told) == 2)
    hall.speak("teacher", "No, to beta.")  # which waits
    hall.speak("teacher", "Who is here?")  # and so does what comes after it
    hall.speak("nurse", "Who is here?")
    until(lambda: len(told) == 3)
    first = [("teacher", "All right"), ("teacher", "I have no plan at the moment"), ("nurse", "Robots")]
    assert told == first
    hall.speak("visitor", "Right, stop.")
    wait = "I am looking for a plan for a medkit (2 painkillers, 1 bandage box) at alpha; then I answer you."
    waiting = {("teacher", wait), ("teacher", "I have heard you"), ("visitor", "I have heard the stop")}
    until(lambda: waiting <= set(heard))  # whoever has to wait is told so
    hall.inputs.put(ending())
    found.set()
    thread.join(60.0)
    assert told[:3] == first
    mine = [text for person, text in told[3:] if person == "teacher" and not text.startswith("I have a plan")]
    assert mine == ["All right", "Robots", "visitor has stopped everything."]
    assert [p for p, _ in told].count("nurse") == 1


def test_news_are_told_while_the_team_thinks_about_them_and_once():
    hall, told = Hall(Inputs()), []
    hall.hear = told.append
    note = {"what": "tell", "to": "teacher", "text": "I failed."}
    episode = SimpleNamespace(log=SimpleNamespace(replaying=False))
    hall._at_once(note)  # which the log may hold already
    hall._react(episode, Event(0, 0, 0.0, "mission", "", note))
    assert [t.number for t in told] == [1]
    hall.live = True
    notes = [{"what": "heard", "person": "nurse", "text": "Hm."}, note, {"what": "understood", "person": "nurse"}, note]
    for n in notes:
        hall._at_once(n)
        assert hall.unanswered() is False
    for n in notes:  # as the log has them
        hall._react(episode, Event(0, 0, 0.0, "mission", "", n))
    assert [t.number for t in told] == [1, 0, 0] and hall.heard == hall.answered["nurse"] == 1


def test_a_yes_counts_from_those_who_were_told_what_is_proposed():
    hall, proposed = Hall(Inputs(), live=True), []
    partner = SimpleNamespace(
        vocabulary=Hospital().mission.partner.vocabulary, proposed=lambda person: "".join(proposed)
    )
    hall.mission = SimpleNamespace(partner=partner)

    def said(text):
        hall.speak("teacher", text)
        return hall.inputs.take(Log()).text

    assert said("Yes.") == EARLY + "Yes." and said("Who is here?") == "Who is here?"
    proposed.append("I could wait. Do you want me to do it?")  # which is thought, and not told
    assert said("Yes.") == EARLY + "Yes."
    hall._shown.append(("teacher", f"Well. {proposed[0]}"))
    assert said("Yes.") == "Yes."
    hall._shown.clear()
    hall.told.append(Told(1, 0.0, "nurse", proposed[0]))
    assert said("no") == EARLY + "no"
    hall.told.append(Told(2, 0.0, "teacher", proposed[0]))
    assert said("Yes.") == "Yes."


@pytest.mark.parametrize("words, busy", [("Stop!", False), ("Right, stop.", True)])
def test_a_stop_while_a_plan_is_sought_comes_before_the_next_move(words, busy, monkeypatch, tmp_path):
    """Whether robots stand by, or are under way for somebody else."""
    log, hall, solve = tmp_path / "l.jsonl", Hall(Inputs(), waits=False), MissionPlanner.answer
    orders = ["Deliver a medkit to alpha.", *(["Deliver a feverkit to beta."] if busy else [])]
    said = []

    def say(person, text):
        said.append(text)
        hall.inputs.put(Utterance(person, text))

    def slowly(planner, question):
        if said == orders:
            say("nurse", words)
        return solve(planner, question)

    def tick(episode):
        if not said:
            say("teacher", orders[0])
        elif hall.heard == len(orders) + 1:
            hall.end()

    def start(episode, joint, start=Episode.start):
        start(episode, joint)
        if busy and len(said) == 1 and episode.world.now > 9:
            say("teacher", orders[1])  # everybody has begun with something

    hall.tick = tick
    monkeypatch.setattr(Episode, "start", start)
    monkeypatch.setattr(MissionPlanner, "answer", slowly)
    run(hall, *config_of("hospital"), log)
    events = read_log(log)
    (stop,) = [e for e in events if e.kind == "input" and e.who == "nurse" and e.data["kind"] == "utterance"]
    (order,) = [e for e in events if e.kind == "input" and e.data.get("text") == orders[-1]]
    moved = [e for e in events if e.kind == "outcome" and e.t > order.t and "wait" not in e.data["action"]]
    assert stop.t == order.t and not moved and {g.state for g in hall.mission.goals.all()} == {"paused"}
    assert "Everything stops" in next(t.text for t in hall.told if t.person == "nurse")
    cut = tmp_path / "cut.jsonl"  # the log says all that came in, and when
    cut.write_bytes(log.read_bytes()[: log.read_bytes().index(b"Everything stops")])
    again = Hall(Inputs(), waits=False)
    again.tick = lambda episode: again.end() if not episode.log.replaying and again.heard > len(orders) else None
    run(again, *resumed(cut), cut, resume=True)
    assert [e for e in read_log(cut) if e.kind in ("act", "mission")] == [
        e for e in events if e.kind in ("act", "mission")
    ]


def until(ready, seconds=60.0):
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_who_says_the_same_twice_is_answered_twice_and_in_order(tmp_path):
    hall = Hall(Inputs(), waits=False)
    said = ["Hello.", "Yes.", "Hello.", "What is on table B?"]

    def tick(episode):
        if said:
            for text in said:  # all at one moment
                hall.inputs.put(Utterance("teacher", text))
            said.clear()
        elif hall.heard >= 4:
            hall.end()

    hall.tick = tick
    run(hall, *config_of("hospital"), tmp_path / "l.jsonl")
    told = [t.text for t in hall.told if t.person == "teacher"]
    assert [t.split()[0] for t in told] == ["Hello,", "I", "Hello,", told[3].split()[0]] and "painkiller" in told[3]


def test_a_reply_is_told_once_however_many_steps_the_talk_has_gone_on():
    hall, told = Hall(Inputs(), waits=False), []
    hall.hear = lambda said: told.append(said.text)
    said = ["Bring a painkiller to table G.", "Who is here?", "What is on table B?"]

    def tick(episode):
        if said and hall.heard == 3 - len(said):
            hall.inputs.put(Utterance("teacher", said.pop(0)))
        elif not said and hall.heard >= 3:
            hall.end()

    hall.tick = tick
    run(hall, *config_of("hospital"))
    assert len(told) >= 4 and len(told) == len(set(told)), told


def test_resume_refuses_what_is_no_talk(tmp_path):
    with pytest.raises(CoterieError):
        resumed(tmp_path / "none.jsonl")


def test_a_pipe_of_words_is_answered(kept_grammars, tmp_path):
    words = "Hello.\n\x1b[2J\x07 nonsense \u202e here\nWhat is on table B?\n"
    command = [sys.executable, "-m", "coterie", "talk", "--model", "none"]
    command += ["--log", str(tmp_path / "a.jsonl"), "--folder", str(tmp_path)]
    began = time.monotonic()
    out = subprocess.run(command, input=words, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "Hello, teacher." in out and "did not understand" in out and "painkiller" in out
    assert "\x1b" not in out and "\u202e" not in out and time.monotonic() - began < 120


@pytest.mark.parametrize("scene, said, answers", [
    ("hospital", "Bring a painkiller to table G.\nWhat is on table B?", ["All right: 1 painkiller", "Two painkillers"]),
    ("flat", "What is the plan?\nHow far are you?", ["The goal: Put", "% is done"]),
])  # fmt: skip
def test_who_quits_is_answered_first(scene, said, answers, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{said}\nquit\n"))
    args = ["talk", "--scene", scene, "--folder", str(tmp_path), "--log", str(tmp_path / "l.jsonl"), "--quiet"]
    assert main([*args, *(["--model", "none"] if scene == "hospital" else ["--task", "pack-objects"])]) == 0
    out = capsys.readouterr().out
    assert [a for a in answers if a not in out] == [], out


def test_a_team_of_a_house_is_talked_to_as_well(tmp_path, capsys):
    path = tmp_path / "house.talk"
    path.write_text(
        "instructor: What is the plan?\n> The goal: Put\ninstructor: Put the banana into the tray.\n"
        "> soap_0 and banana_0\nvisitor: Put the book into the tray.\n> may not give commands\n"
        "instructor: Close the zone at the sofa for Alice.\n> closed for Alice\n"
        "instructor: Do not put the soap into the tray.\n> Put cup_0 and banana_0\n... idle\n"
        "instructor: How far are you?\n> 100 % is done\n"
    )
    log = tmp_path / "h.jsonl"
    assert main(["talk", "--scene", "flat", "--task", "pack-objects", "--script", str(path), "--log", str(log)]) == 0
    capsys.readouterr()
    changes = [e.data for e in read_log(log) if e.kind == "change"]
    assert [c["kind"] for c in changes] == ["goal", "zones", "goal"] and changes[1]["closed"] == {"Alice": ["sofa"]}


def test_a_sentence_that_a_model_has_read_is_kept_with_its_reading(tmp_path):
    """A model is asked once: whoever goes on with the log needs none."""
    read = {"warp": ("order: door beta door", 0.6), "door wide": ("order: door alpha door", 0.95)}

    class Model:
        def scored(self, ask):
            text, p = next((v for k, v in read.items() if k in ask.prompt[0][1]), ("none", 0.9))
            return Reply(text), p

    talk = Hospital()
    listener = Listener(Reader(Model()))

    def say(text):
        heard = listener.to(talk.mission.dialogue, "instructor", text)
        return heard, talk.say("instructor", heard)

    heard, reply = say("Kindly fling that door wide, my fellow, will ya")
    assert heard.startswith(READ) and "Say no, and I stop." in reply and talk.goals() == ["the door of alpha open"]
    assert Hospital().say("instructor", heard) == reply
    assert "Do you mean: Open the beta door." in say("Engage warp factor, number whatever")[1]
    assert say("Yes.")[0] == "Yes." and len(talk.goals()) == 2
    assert say(f"{READ}{{}}")[1] == "All right." and len(talk.goals()) == 2  # what is typed is no mark
