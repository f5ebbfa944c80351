"""Small things that a first hour runs into."""

import io
import re
from dataclasses import replace
from pathlib import Path

from coterie.cli import main
from coterie.cli.follow import Follower
from coterie.cli.list import _table
from coterie.cli.live import Watcher, board
from coterie.cli.terminal import Terminal
from coterie.core.config import Config
from coterie.core.protocol import Ask
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.log.file import read_log
from coterie.log.fold import state_at
from coterie.render.files import each, telling


def terminal(width: int) -> Terminal:
    out = Terminal(file=io.StringIO(), width=width, force_terminal=True, color_system=None, markup=False, emoji=False)
    return out


def test_lists_cut_no_words_in_a_narrow_terminal():
    rows = [("dynahmrc:no-reflection", "rooms, hospital", "own", "yes", "one language model per robot, which talks")]
    heads = ("protocol", "plays in", "sees", "asks a model", "about")
    for width in (40, 60, 80, 140):
        out = terminal(width)
        _table(out, heads, rows)
        text = out.file.getvalue()
        assert "…" not in text and all(len(line.rstrip()) <= width for line in text.splitlines())
        words = " ".join(text.split())
        assert all(word in words for cell in rows[0] for word in cell.split()), width


def test_no_folder_is_made_for_a_picture(capsys, tmp_path):
    for option, name in (("--picture", "a/b.svg"), ("--gif", "a/b.gif")):
        assert main(["run", "pack-objects", "--level", "easy", option, name]) == 2
        assert "There is no folder 'a' for 'b." in capsys.readouterr().err
    main(["run", "pack-objects", "--level", "easy", "--log", "log.jsonl", "--json"])
    for option, name in (("--picture", "a/b.svg"), ("--html", "a/b.html"), ("--gif", "a/b.gif")):
        assert main(["replay", "log.jsonl", option, name]) == 2
    assert not Path("a").exists()


def test_whoever_waits_for_pictures_is_told_how_many():
    told = []
    with telling(lambda done, total: told.append((done, total))):
        assert list(each("abc", 3)) == ["a", "b", "c"]
    assert list(each("de")) == ["d", "e"] and told == [(0, 3), (1, 3), (2, 3)]


def test_a_film_tells_of_its_pictures(tmp_path):
    from coterie.worlds import pictures_of

    told = []
    events = [e for e in play(Config(task="yard-tidy", seed=1)).log.events if e.step < 3]
    with telling(lambda done, total: told.append((done, total))):
        pictures_of(events[0].data).gif(events, tmp_path / "film.gif")
    assert len(told) > 3 and told[-1] == (len(told) - 1, len(told))


def test_stages_are_told_in_words():
    watcher = Follower("dynahmrc")
    watcher.thinks([Ask("Bob", "TALB", 0, 0, ())])
    assert watcher.thinking == {"Bob": "proposal, TALB"}
    watcher = Follower("no-such-protocol")
    watcher.thinks([Ask("Bob", "TALB", 0, 0, ())])
    assert watcher.thinking == {"Bob": "TALB"}


def shown(events, step, width=80) -> str:
    out = terminal(width)
    out.print(board(state_at(events, step), {}, width))
    return out.file.getvalue()


def test_the_board_of_a_table_has_no_empty_columns():
    config = Config(task="sandwich", protocol="task-expert", seed=1)
    log = play(config, task=replace(build(config)[1], step_limit=2)).log.events
    text = "".join(shown(log, step) for step in range(2))
    assert "is at" not in text and re.search(r"holds +does", text)
    held = [e for e in log if e.kind == "see" for f in e.data["facts"] if f[0] == "holding" and f[2]]
    assert held and re.search(r"(Chad|Dave) \w+ +[a-z_0-9]+ +. ", text), "what an arm holds is shown"
    rooms = play(Config(seed=4, level="easy")).log.events
    assert "is at" in shown(rooms, 1)


def test_replies_that_cannot_be_read_are_counted_while_it_runs(monkeypatch):
    out = terminal(100)
    monkeypatch.setattr("coterie.cli.live.console", lambda: out)
    watcher = Watcher(pace=0.0, protocol="dynahmrc")
    watcher.thinks([Ask("Bob", "HMRC", 1, 0, ()), Ask("Alice", "HMRC", 1, 0, ())])
    assert watcher.unread_words() == "" and "could not be used" not in out.file.getvalue()
    watcher.thinks([Ask("Alice", "HMRC", 1, 1, ())])  # asked again
    watcher.thinks([Ask("Bob", "LP", 2, 1, ()), Ask("Alice", "HMRC", 2, 1, ())])
    assert watcher.unread_words() == "HMRC 2, LP 1"
    assert out.file.getvalue().count("could not be used") == 3
    state = state_at(play(Config(seed=1)).log.events, 1)
    shown = terminal(100)
    shown.print(board(state, {}, 100, 40, watcher.unread_words()))
    assert "replies that could not be used: HMRC 2, LP 1" in shown.file.getvalue()


def test_a_run_shows_what_it_could_not_read(cli):
    words = ["--protocol", "dynahmrc", "--model", "garbled:0.9", "--seed", "1", "--log", "r.jsonl"]
    said = cli("run", "pack-objects", *words)
    asked_again = sum(e.kind == "ask" and e.data["attempt"] > 0 for e in read_log("r.jsonl"))
    assert asked_again > 0
    assert said.out.count("reply could not be used") == asked_again
