"""The log survives a kill at any byte, and a resumed run must do what the log says."""

import contextlib
import threading
import time

import pytest

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError, ReplayMismatch
from coterie.core.event import Event, from_line, to_line
from coterie.core.facts import UNKNOWN
from coterie.episode.play import play
from coterie.episode.setup import build, model_for, resolve
from coterie.log.file import Log, Tail, read_lines, read_log

CARD = Card("Mo", "Bob", "ground", ("wait",), "a robot")


def write(log: Log, last: str = "yes") -> None:
    """A small log with everything that can go wrong at a cut: long characters, line ends, nested data."""
    log.add("start", data={"task": "tea — 茶 🍵", "card": CARD})
    log.step, log.t = 1, 0.3
    cause = log.add("ask", "Bob", {"prompt": (("user", "line one\nline two\u2028\r"),), "seed": 2**62})
    log.add("reply", "Bob", {"text": "ж", "tokens_in": 3, "tokens_out": 1, "error": ""}, (cause,))
    log.flush()
    log.add("see", "Bob", {"facts": [["where", ("cup",), UNKNOWN], ["set", (), {"b", "a"}]]})
    log.add("end", data={"success": last})


def written() -> Log:
    log = Log()
    write(log)
    return log


def test_a_log_cut_at_any_byte_is_a_log_and_resumes_to_the_same_bytes(tmp_path):
    path = tmp_path / "logs" / "run.jsonl"
    log = Log(path)
    write(log)
    log.close()
    whole = path.read_bytes()
    assert whole.count(b"\n") == 5
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        past = read_lines(path)
        assert len(past) == whole[:cut].count(b"\n")
        log = Log(path, past)
        write(log)
        log.close()
        assert path.read_bytes() == whole, f"cut at byte {cut}"


def test_resuming_another_way_is_noticed_at_the_line():
    again = Log(past=written().lines())
    with pytest.raises(ReplayMismatch, match=r'line 5 \(step 1\).*"success":"yes".*"success":"no"'):
        write(again, last="no")


def test_recorded_replies_are_offered_where_the_log_has_them():
    again = Log(past=written().lines())
    assert again.recorded("reply") is None, "the log has a start here, not a reply"
    again.seq = 2
    assert again.recorded("reply") == {"text": "ж", "tokens_in": 3, "tokens_out": 1, "error": ""}
    again.seq = 5
    assert again.recorded("reply") is None, "the log ends before"


def test_files_that_are_no_logs_end_in_a_sentence(tmp_path):
    first, *rest = written().lines()
    (tmp_path / "spoilt.jsonl").write_text("\n".join([first, "garbage", *rest, ""]), encoding="utf-8")
    with pytest.raises(CoterieError, match=r"Line 2 of .* is not an event"):
        read_lines(tmp_path / "spoilt.jsonl")
    with pytest.raises(CoterieError, match="There is no log"):
        read_log(tmp_path / "none.jsonl")
    with pytest.raises(CoterieError, match="Cannot read the log"):
        read_log(tmp_path)
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(CoterieError, match="not a Coterie log"):
        read_log(tmp_path / "empty.jsonl")
    with pytest.raises(CoterieError, match=r"Cannot write the log .* Choose another"):
        Log(tmp_path / "empty.jsonl" / "below.jsonl")


@pytest.mark.parametrize(
    "line",
    [
        '["1",0,0.0,"act","Bob",{},[]]',
        '[1,"0",0.0,"act","Bob",{},[]]',
        '[1,0,"0.0","act","Bob",{},[]]',
        '[1,0,0.0,3,"Bob",{},[]]',
        '[1,0,0.0,"act",null,{},[]]',
        '[1,0,0.0,"act","Bob",[],[]]',
        '[1,0,0.0,"act","Bob",{}]',
    ],
)
def test_a_line_of_another_shape_is_no_event(line):
    with pytest.raises(ValueError):
        from_line(line)
    assert from_line('[1,0,2,"act","Bob",{"a":1},[0]]') == Event(1, 0, 2, "act", "Bob", {"a": 1}, (0,))


def test_what_was_added_is_on_disk_after_a_flush_and_after_closing(tmp_path):
    path = tmp_path / "log.jsonl"
    log = Log(path)
    log.add("see", "Bob", {"facts": [["pose", ("Bob",), (1.0, float("nan")), "\ud800 é"]]})
    log.add("act", "Bob", {"skill": "wait"}, (0,))
    log.flush()
    assert path.read_text(encoding="utf-8") == "".join(line + "\n" for line in log.lines())
    for i in range(2000):  # more than waits for a flush
        log.add("note", "", {"i": i})
    assert len(path.read_text(encoding="utf-8")) > 1000
    log.close()
    assert path.read_text(encoding="utf-8") == "".join(line + "\n" for line in log.lines())


def test_a_log_is_followed_from_any_point_while_it_is_written(tmp_path):
    """Within a step, too, and before anything reaches the disk; what a reader gets is what the file will hold."""
    log, seen, first = Log(tmp_path / "log.jsonl"), [], threading.Event()
    log.add("start", data={"a": (1, 2)})
    log.add("one")

    def read():
        for event in log.follow(from_seq=1):
            seen.append(event)
            first.set()

    reader = threading.Thread(target=read)
    reader.start()
    assert first.wait(5) and [e.kind for e in seen] == ["one"]
    log.add("two", "Alice", {"b": (3,)}, (1,))
    deadline = time.monotonic() + 5
    while len(seen) < 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    assert seen[1] == Event(2, 0, 0.0, "two", "Alice", {"b": [3]}, (1,)), "as a reader of the file sees it"
    assert "two" not in (tmp_path / "log.jsonl").read_text(), "it was seen before it was handed to the disk"
    log.close()
    reader.join(5)
    assert not reader.is_alive() and list(log.follow(1)) == seen == read_log(tmp_path / "log.jsonl")[1:]


def test_a_reader_takes_what_is_written_from_the_file(tmp_path, monkeypatch):
    """Nothing is encoded twice; what waits within a step is, once, and not given again."""
    log, encoded = Log(tmp_path / "log.jsonl"), []
    monkeypatch.setattr("coterie.log.file.to_line", lambda e: (encoded.append(e.seq), to_line(e))[1])
    for n in range(5):
        log.add("start" if not n else "note", data={"n": n, "text": "é\n\ud800"})
    log.flush()
    log.add("late")
    news = log.follow_lines(2)
    assert [from_line(row).seq for row in next(news)] == [2, 3, 4] and not encoded
    assert [from_line(row).seq for row in next(news)] == [5] and encoded == [5]
    log.add("later")
    log.flush()
    assert [from_line(row).kind for row in next(news)] == ["later"] and encoded == [5]
    log.close()
    assert list(news) == [] and [row for rows in log.follow_lines() for row in rows] == log.lines()
    again = Log.resumed(tmp_path / "log.jsonl")
    again.add("start", data={"n": 0, "text": "é\n\ud800"})
    assert next(again.follow_lines()) == log.lines()[:1], "no more than the run has come to"
    assert again.read_elsewhere(list) is None, "its file is ahead of it"
    again.close()


def test_another_process_reads_the_file_as_far_as_its_lines_are_whole(tmp_path):
    path, over = tmp_path / "log.jsonl", []
    with pytest.raises(CoterieError, match="no log"):
        Tail(path).take()
    log = Log(path)
    assert log.read_elsewhere(lambda: over.append(1)) == path and Log().read_elsewhere(list) is None
    log.add("start")
    with contextlib.closing(Tail(path)) as tail:
        assert tail.take() == log.lines()[:1]
        log.add("ask", data={"text": "é\ud800"})
        assert tail.take() == []
        log.show()
        assert tail.take() == log.lines()[1:]
        with path.open("a") as half:
            half.write('[2,0,0.0,"no')
        assert tail.take() == [] == tail.take()
        with path.open("a") as half:
            half.write('te"]\n')
        assert tail.take() == ['[2,0,0.0,"note"]'] and not over
        log.close()
    assert over == [1]


@pytest.mark.parametrize("protocol", ["rules", "dynahmrc"])
def test_what_is_thought_and_done_is_in_the_file_before_it_takes_long(tmp_path, protocol, monkeypatch):
    """A reader in another process sees questions while a model thinks, and actions while the world moves."""
    seen, path = set(), tmp_path / "log.jsonl"
    config = Config(task="pack-objects", seed=4, protocol=protocol, model="oracle" if protocol != "rules" else "")

    class Slow:
        name = "oracle"

        def __init__(self):
            self.model = model_for(resolve(config))

        def answer(self, asks):
            asked = [e for e in map(from_line, path.read_text().splitlines()) if e.kind == "ask"]
            seen.add("ask")
            assert {(a.robot, a.stage) for a in asks} <= {(e.who, e.data["stage"]) for e in asked}
            return self.model.answer(asks)

    world = type(build(resolve(config))[0])
    advance = world.advance
    monkeypatch.setattr(world, "advance", lambda w, t: (seen.add(read_log(path)[-1].kind), advance(w, t))[1])
    play(config, path, model=Slow() if protocol != "rules" else None, follow=lambda log: log.read_elsewhere(list))
    assert {"act"} <= seen and ("ask" in seen) == (protocol != "rules")
