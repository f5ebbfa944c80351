"""The journal: what is written is there after a kill at any byte, and nothing else is."""

import os
import random
import signal
import subprocess
import sys
import threading

import pytest

from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl
from coterie.core.facts import Fact
from coterie.core.files import CannotWrite, InUse
from coterie.mission.assess import Told, Trial, Trials
from coterie.mission.goals import Failure, Goals
from coterie.mission.journal import Journal
from coterie.mission.knowledge import Knowledge


class Mission:
    """All parts on one journal."""

    def __init__(self, path, **more):
        self.journal = Journal(path, **more) if not isinstance(path, Journal) else path
        self.knowledge = Knowledge(self.journal)
        self.authority = self.knowledge.authority
        self.goals = Goals(self.journal, self.authority)
        self.trials = Trials(self.journal)

    def state(self):
        """Everything that must be the same after reading the file again, as one value."""
        k, a = self.knowledge, self.authority
        return {
            "facts": list(k.store.by_key.items()),
            "claims": {key: dict(by) for key, by in k.claims.items()},
            "minds": {name: list(m.own.by_key.items()) for name, m in k.minds.items() if m.own.by_key},
            "types": (dict(k.types), dict(k.kinds)),
            "rules": dict(k.lessons),
            "changes": list(k.changes),
            "authority": (dict(a.members), dict(a.grants), list(a.refusals)),
            "goals": dict(self.goals._goals),
            "trials": (self.trials.number, self.trials.ends, dict(self.trials.plans)),
            "counts": {key: self.trials.counts(*key) for key, _ in self.trials.groups(2)},
            "number": self.journal.number,
        }


def live(mission, rng, steps):
    """Some life: each step is one line of the journal, or none. Yields the state after each."""
    k, a, g = mission.knowledge, mission.authority, mission.goals
    people = ["Tom", "Ines", "Vic", "Zoë"]
    a.join("Tom", "teacher")
    a.join("Ines", "instructor")
    a.join("Vic", "visitor")
    a.join("fetch", "robot")
    k.kind_of("thing")
    for i in range(steps):
        mission.journal.time += rng.random()
        box, place = f"box{rng.randrange(4)}", f"table {rng.randrange(3)}"
        try:
            match rng.randrange(15):
                case 0 | 1 | 2:
                    k.tell(*(Fact("where", (f"box{j}",), place, source="fetch") for j in range(rng.randint(1, 3))))
                case 3:
                    k.tell(Fact("where", (box,), place, source=rng.choice(people)))
                case 4:
                    k.retract("where", box, by="fetch")
                case 5:
                    k.told(rng.choice(people), [f for f in [k.fact("where", box)] if f is not None])
                case 6:
                    k.entity(box, "thing")
                case 7:
                    g.submit(eq(fl("where", box), place), rng.choice(people), name="ünïcode\n")
                case 8:
                    g.propose(rng.choice(g.live()).id, "a plan", [("goto", "fetch")], 0.5, 12.0)
                case 9:
                    g.approve(rng.choice(g.all("waiting")).id, rng.choice(people))
                case 10:
                    goal = rng.choice(g.ready())
                    g.take(goal.id, ["fetch"])
                    g.begin(goal.id, ["one"])
                    g.end(goal.id, "failed", Failure("EFFECT", None, "fetch", "pickup", (box,)))
                case 11:
                    a.grant("Tom", rng.choice(people), "approve", until=rng.choice([None, 30.0]))
                case 12:
                    mission.trials.foretold(Told(f"p{i}", 0.5, 10.0, 0.3))
                    mission.trials.add(Trial("goto", "fetch", rng.random() < 0.8, rng.random() * 10, 5.0, "x", f"p{i}"))
                    mission.trials.ended(f"p{i}", True, 9.5)
                case 14:
                    k.learn(f"p{i}(X) :- where(X,_).", "Tom")
                case 13:
                    g.stop(rng.choice(people)) if rng.random() < 0.2 else g.cancel(rng.choice(g.live()).id, "Tom")
        except (CoterieError, IndexError):  # refused, or nothing there to do it with
            pass
        yield mission.state()


def test_a_mission_read_again_is_the_same(tmp_path):
    for seed in range(8):
        path = tmp_path / f"{seed}.jsonl"
        mission = Mission(path)
        *_, last = live(mission, random.Random(seed), 60)
        mission.journal.close()
        again = Mission(path)
        assert again.state() == last
        *_, more = live(again, random.Random(seed + 100), 20)  # and goes on
        again.journal.close()
        third = Mission(path)
        assert third.state() == more
        third.journal.close()


def test_cut_off_at_any_byte_it_is_as_it_was_after_some_line(tmp_path):
    """A hundred cuts, most of them in the middle of a line."""
    path = tmp_path / "mission.jsonl"
    mission = Mission(path)
    before = {0: Mission(Journal()).state()}
    for state in live(mission, random.Random(5), 80):
        before[mission.journal.number] = state
    mission.journal.close()
    whole = path.read_bytes()
    lines = whole.split(b"\n")
    rng = random.Random(1)
    compared = 0
    for _ in range(100):
        cut = rng.randrange(len(whole) + 1)
        path.write_bytes(whole[:cut])
        again = Mission(path)
        number = whole[:cut].count(b"\n")
        assert again.journal.number == number
        if number in before:  # several lines may be one step
            assert again.state() == before[number]
            compared += 1
        again.authority.join("late", "visitor")
        again.journal.close()
        assert path.read_bytes().split(b"\n")[:number] == lines[:number], "what was whole stays"
        reread = Mission(path)
        assert reread.journal.number == number + 1 and "late" in reread.authority.members
        reread.journal.close()
    assert compared > 40


WRITER = """
import sys, itertools
from coterie.core.facts import Fact
from coterie.mission.journal import Journal
from coterie.mission.knowledge import Knowledge
knowledge = Knowledge(Journal(sys.argv[1]))
for i in itertools.count():
    knowledge.tell(Fact("where", (f"box{i}",), "table", source="world"), Fact("last", (), i, source="world"))
    print(i, flush=True)
"""


@pytest.mark.parametrize("after", [1, 40, 300])
def test_a_killed_writer_loses_nothing_it_was_told(tmp_path, after):
    path = tmp_path / "mission.jsonl"
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    said = -1
    for line in process.stdout:
        said = int(line)
        if said >= after:
            process.send_signal(signal.SIGKILL)
            break
    rest = process.stdout.read().split("\n")
    process.wait()
    said = max([said, *(int(r) for r in rest[:-1] if r)])
    knowledge = Knowledge(Journal(path))
    last = knowledge.value("last")
    assert last in (said, said + 1)
    assert {f.args[0] for f in knowledge.facts("where")} == {f"box{i}" for i in range(last + 1)}, "both or none"
    knowledge.journal.close()


def test_one_writes_at_a_time_and_another_takes_over(tmp_path):
    path = tmp_path / "mission.jsonl"
    first = Mission(path)
    with pytest.raises(InUse, match="is being written by process"):
        Mission(path)
    backup = Mission(Journal.follow(path))
    first.knowledge.tell(Fact("where", ("box1",), "table", source="world"))
    assert backup.journal.poll() == 1 and backup.knowledge.value("where", "box1") == "table"
    with pytest.raises(CoterieError, match="only followed"):
        backup.knowledge.tell(Fact("where", ("box1",), "floor", source="world"))
    assert backup.knowledge.value("where", "box1") == "table", "what was not kept did not happen"
    with pytest.raises(InUse):
        backup.journal.take_over()
    first.knowledge.tell(Fact("where", ("box2",), "table", source="world"))
    first.journal.close()
    with path.open("ab") as file:
        file.write(b'{"n": 3, "t": 0.0, "e": [["knowl')  # where it was killed
    backup.journal.take_over()
    assert backup.knowledge.value("where", "box2") == "table"
    backup.knowledge.tell(Fact("where", ("box3",), "table", source="world"))
    backup.journal.close()
    third = Mission(path)
    assert third.state() == backup.state() and third.journal.number == 3
    third.journal.close()


def test_changes_from_many_threads_come_one_after_the_other(tmp_path):
    mission = Mission(tmp_path / "mission.jsonl")
    k = mission.knowledge
    k.tell(Fact("count", (), 0, source="world"))

    mission.authority.join("Tom", "teacher")
    supposed, wrong = k.supposing(Fact("dark", (), True)), []

    def work(name):
        try:
            for i in range(15):
                with mission.journal.mutex:
                    k.tell(Fact("count", (), k.value("count") + 1, source="world"))
                k.tell(Fact("where", (f"{name}{i}",), "table", source="Tom"))
                mission.goals.submit(eq(fl("where", f"{name}{i}"), "shelf"), "Tom")
                for view in (k, supposed, k.of("Tom")):
                    assert len(view.ask(eq(fl("where", "?x"), "table"))) > i
                assert len(list(k.facts("where"))) > i and len(mission.goals.live()) > i
        except BaseException as error:  # noqa: BLE001 (a thread's own would be lost)
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
    assert k.value("count") == 60 and [f.value for f in k.changes if f.pred == "count"] == list(range(61))
    assert len({g.id for g in mission.goals.all()}) == 60
    mission.journal.close()
    again = Mission(tmp_path / "mission.jsonl")
    assert again.knowledge.changes == k.changes
    again.journal.close()


def test_what_comes_together_is_one_line(tmp_path):
    path = tmp_path / "mission.jsonl"
    mission = Mission(path)
    with mission.journal.together():
        mission.knowledge.tell(Fact("where", ("box1",), "table", source="world"))
        mission.authority.join("Tom", "teacher")
        with mission.journal.together():
            mission.authority.join("Ines", "instructor")
    assert len(path.read_text().splitlines()) == 1
    mission.journal.close()


class Full:
    """A disk that takes half a line, and then nothing."""

    def __init__(self, file):
        self.file = file

    def write(self, text):
        self.file.write(text[: len(text) // 2])
        self.file.flush()
        raise OSError(28, "No space left on device")

    def __getattr__(self, name):
        return getattr(self.file, name)


def test_a_full_disk_is_told_and_nothing_is_half_known(tmp_path):
    path = tmp_path / "mission.jsonl"
    mission = Mission(path)
    k = mission.knowledge
    k.tell(Fact("where", ("box1",), "table", source="world"))
    mission.journal._file = Full(mission.journal._file)
    with pytest.raises(CannotWrite, match="No space left"):
        mission.authority.join("Tom", "teacher")
    assert "Tom" not in mission.authority.members
    mission.journal._file = Full(path.open("a"))
    with pytest.raises(CannotWrite):
        k.tell(Fact("where", ("box2",), "table", source="world"))  # one that comes in a line with others
    k.tell(Fact("where", ("box3",), "table", source="world"))  # there is room again
    mission.journal.close()
    again = Mission(path)
    assert again.state()["facts"] == mission.state()["facts"] and again.knowledge.value("where", "box2") == "table"
    again.journal.close()


def test_damaged_and_foreign_lines_are_told(tmp_path):
    path = tmp_path / "mission.jsonl"
    mission = Mission(path)
    for i in range(3):
        mission.authority.join(f"p{i}", "visitor")
    mission.journal.close()
    good = path.read_text().splitlines()
    path.write_text("\n".join([good[0], "{nonsense}", good[2]]) + "\n")
    with pytest.raises(CoterieError, match=r"Line 2 of the journal '.*mission\.jsonl' is damaged"):
        Mission(path)
    path.write_text("\n".join([good[0], good[2]]) + "\n")
    with pytest.raises(CoterieError, match="says that it is number 3; lines are missing"):
        Mission(path)
    path.write_text("\n".join([*good, "{nonsense}"]) + "\n")  # the last one, as a machine without power leaves it
    again = Mission(path)
    assert again.journal.number == 3
    again.journal.close()
    assert not [p for p in os.listdir(tmp_path) if p.endswith(".lock")]
    with pytest.raises(CannotWrite):
        Journal(tmp_path)


def test_time_comes_from_the_clock_and_never_goes_back(tmp_path):
    times = iter([5.0, 7.0, 6.0, 9.0])
    mission = Mission(tmp_path / "m.jsonl", clock=lambda: next(times))
    for name in ("a", "b", "c"):
        mission.authority.join(name, "visitor")
    assert mission.journal.time == 7.0
    mission.journal.close()
    assert Mission(tmp_path / "m.jsonl").journal.time == 7.0
