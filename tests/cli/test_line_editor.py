"""A person at a terminal: history, completion, and words of the team above the line that is being typed."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import threading
import time
from types import SimpleNamespace

import pytest

from coterie.cli.line_editor import LineEditor, completions, line_editor
from coterie.cli.talk_terminal import Speaking
from tests.mission.talkers import Hospital

PATIENCE_S = 120.0
ENTER, TAB, UP, CTRL_C, CTRL_D = "\r", "\t", "\x1b[A", "\x03", "\x04"
STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """`coterie` at a terminal of 120 columns."""

    def __init__(self, *words):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", PROMPT_TOOLKIT_NO_CPR="1")
            os.execv(sys.executable, [sys.executable, "-m", "coterie", *words])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.shown = ""
        self.code = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.code is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def until(self, words):
        """What is shown up to these words, escapes and all; the next look begins behind them."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.shown:
            assert self._more(end), f"{words!r} is not shown: {self.shown[-2000:]!r}"
        before, _, self.shown = self.shown.partition(words)
        return before + words

    def until_plain(self, words):
        """The same without escapes: keys that are read one after the other are drawn one after the other."""
        end = time.monotonic() + PATIENCE_S
        while words not in STEERING.sub("", self.shown):
            assert self._more(end), f"{words!r} is not shown: {self.shown[-2000:]!r}"

    def ends(self):
        """The exit code."""
        end = time.monotonic() + PATIENCE_S
        while self._more(end):
            pass
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code

    def _more(self, end):
        if not select.select([self.fd], [], [], max(0.0, end - time.monotonic()))[0]:
            return False
        try:
            found = os.read(self.fd, 65536)
        except OSError:  # the process has ended
            return False
        self.shown += found.decode("utf-8", "replace")
        return bool(found)


@pytest.fixture
def talk(kept_grammars, tmp_path):
    places = ["--folder", str(tmp_path), "--log", str(tmp_path / "l.jsonl")]
    with Terminal("talk", "--model", "none", "--speed", "1000", *places) as terminal:
        terminal.until("teacher:")
        yield terminal


@pytest.mark.long
def test_names_are_completed_lines_come_back_and_the_team_speaks_above_what_is_typed(talk):
    talk.type(f"Hello.{ENTER}")
    talk.until("Hello, teacher.")  # from now on the scene has names
    talk.type(f"Where is the therm{TAB}")
    talk.until("ometer")  # it is completed beside what is typed
    talk.type(f"?{ENTER}")
    assert "\x1b[1;36mteam: " in talk.until("There is a thermometer at table F.")
    talk.type(UP + ENTER)
    talk.until("There is a thermometer at table F.")
    talk.type(f"Bring a painkiller to table G.{ENTER}")
    talk.until("All right: 1 painkiller")
    talk.type("half a li")
    last = talk.until("Done: 1 painkiller")
    assert "\x1b[2m  [" in last  # what robots do
    talk.until_plain("half a li")  # the line is there again
    talk.type("\x15" + CTRL_D)  # Ctrl-U
    assert talk.ends() == 0 and "log  " in STEERING.sub("", talk.shown)


def test_a_talk_is_left_by_a_key_and_the_terminal_is_as_before(talk):
    before = termios.tcgetattr(talk.fd)
    assert not before[3] & termios.ICANON  # while a line is edited
    talk.type(CTRL_C)
    assert talk.ends() == 130 and "Go on with: coterie talk --resume" in talk.shown
    assert termios.tcgetattr(talk.fd)[3] & termios.ICANON


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bring it to tab", [("table D", 3), ("table E", 3)]),
        ("what is on Table e", [("table E", 7)]),
        ("give me a ", []),
        ("", []),
        ("the thermometer", []),
    ],
)
def test_the_end_of_a_line_may_become_a_name(text, found):
    assert list(completions(text, ["table E", "table D", "thermometer"])) == found


def test_without_the_package_one_sentence_says_so_and_lines_are_read_plainly(monkeypatch, capsys):
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    assert line_editor("teacher: ") is None and "pip install 'coterie[mission]'" in capsys.readouterr().err


def test_a_ctrl_c_that_python_could_not_raise_still_interrupts(monkeypatch):
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    monkeypatch.setattr(signal, "pthread_kill", lambda *_: None)  # as where the exception was raised in a callback
    monkeypatch.setattr("coterie.cli.line_editor.CLOSING_S", 0.01)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(CTRL_C)
        with pytest.raises(KeyboardInterrupt), LineEditor("teacher: ", tuple) as editor:
            assert list(editor) == []


def slow_hall(**state):
    """A hall that reads all but a stop for as long as `read` is not set; what has been said in it."""
    read, said = threading.Event(), []

    def speak(person, text):
        if text != "Stop!":
            read.wait(PATIENCE_S)
        said.append(text)

    return SimpleNamespace(speak=speak, **state), read, said


def test_a_stop_does_not_wait_for_what_is_being_read():
    hall, read, said = slow_hall(mission=Hospital().mission)
    speaking = Speaking(hall)
    for text in ("alpha could do with a medkit", "and a bandage", "Stop!"):
        speaking.put("nurse", text)
    assert said == ["Stop!"]
    read.set()
    speaking.finish()
    assert said == ["Stop!", "alpha could do with a medkit", "and a bandage"]


def test_a_stop_said_before_the_talk_has_begun_does_not_wait_either():
    hall, read, said = slow_hall(mission=None, ended=False)
    speaking = Speaking(hall)
    threading.Timer(0.1, lambda: setattr(hall, "mission", Hospital().mission)).start()
    for text in ("alpha could do with a medkit", "Stop!"):
        speaking.put("nurse", text)
    assert said == ["Stop!"]
    read.set()
    speaking.finish()
