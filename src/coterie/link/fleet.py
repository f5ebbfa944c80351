"""The near end of driven robots: a driver for the episode, whose actions are carried out in another process.

    fleet = Fleet(["Alice"])
    play(config, drivers=fleet)

A thread for each robot keeps the line to its driver, says several times a second what is still wanted, and finds the
driver again when it has gone. The episode asks how things stand and is never kept waiting longer than it asked for.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from coterie.core.action import Action, Cause, Outcome
from coterie.core.bounds import brief
from coterie.core.card import MOBILITIES, Card
from coterie.core.causes import DRIVER, called_off, lost_contact
from coterie.core.errors import CoterieError
from coterie.core.record import DAMAGE
from coterie.core.sight import Sight
from coterie.core.world import Driver, Standing
from coterie.link.folder import Entry, Folder
from coterie.link.lines import Gone, Line, call
from coterie.link.robot import MOST_WORDS, Report

POLL_S = 0.1  # between two questions of the episode: simulated, and on the clock
BEAT_S = 0.1  # between two words of what is still wanted
SILENT_S = 1.0  # without an answer to those, before a driver counts as gone
ANSWER_S = 2.0  # for a driver to say that it has taken an action
GRACE_S = 1.0  # for a lost line to be there again, before its robot counts as out of contact
LOOK_S = 0.5  # between two looks for robots that want to join
MOST_ASKED = 3  # times that an action is asked for, where the line breaks each time
MOST_COMPLAINTS = 20
MOST_SIGHTS = 100  # that wait to be taken in; of more the oldest go


class Fleet(Mapping[str, Driver]):
    """Drivers by robot, for `play(drivers=...)`. Close it in the end, or use it with `with`."""

    def __init__(self, robots: Sequence[str], folder: Path | str | None = None):
        self.folder = Folder(folder)
        self.pace = Pace()
        self.far = {name: Far(name, self.folder, self.pace) for name in robots}
        self._guests: dict[str, Far] = {}  # that have joined
        self._asked: set[tuple[str, str]] = set()  # drivers that were asked for a card
        self._came: deque[tuple[str, Card]] = deque()
        self._looking: threading.Event | None = None  # set: nobody looks for newcomers any more

    def __getitem__(self, robot: str) -> Driver:
        return self.far[robot]

    def __iter__(self) -> Iterator[str]:
        return iter(self.far)

    def __len__(self) -> int:
        return len(self.far)

    def check(self) -> None:
        """Complain now about robots whose drivers cannot be reached, rather than in the middle of a run."""
        for name in self.far:
            entry = self.folder.entry(name)
            call(entry.port, self.folder.key(), name, f"The driver of {name}", entry.far_port).forget()

    # -- those who join ---------------------------------------------------------------------------------------------
    def newcomers(self) -> list[tuple[str, Card]]:
        """Robots of drivers with a card that have come since this was last asked; a thread looks for them."""
        if self._looking is None:
            self._looking = threading.Event()
            threading.Thread(target=self._look, args=(self._looking,), name="newcomers", daemon=True).start()
        return [self._came.popleft() for _ in range(len(self._came))]

    def admit(self, robot: str) -> Far:
        self._guests[robot] = Far(robot, self.folder, self.pace)
        return self._guests[robot]

    def _look(self, closed: threading.Event) -> None:
        while not closed.wait(LOOK_S):
            for entry in self.folder.entries():
                known = (entry.robot, entry.life) in self._asked or entry.robot in self.far
                if not known and not entry.simulated:
                    self._asked.add((entry.robot, entry.life))
                    with contextlib.suppress(*DAMAGE, CoterieError):  # a driver that cannot be understood
                        card = self._card(entry)
                        self._came.extend([] if card is None else [(entry.robot, card)])

    def _card(self, entry: Entry) -> Card | None:
        line = call(entry.port, self.folder.key(), entry.robot, f"The driver of {entry.robot}", entry.far_port)
        try:
            line.send({"do": "card"})
            said = line.read(ANSWER_S) or {}
            card = Card.from_json(said["card"]) if said.get("card") else None
            return card if card is not None and _is_sound(card) else None
        finally:
            line.forget()

    def close(self) -> None:
        for far in (*self.far.values(), *self._guests.values()):
            far.close()
        self._guests.clear()
        if self._looking is not None:
            self._looking.set()
            self._looking = None

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_sound(card: Card) -> bool:
    told = card.to_json()
    texts = [told.pop(k) for k in ("body", "name", "mobility", "about")] + list(told.pop("skills"))
    numbers = [v for v in told.values() if v is not None]
    words = all(isinstance(t, str) and len(t) <= MOST_WORDS for t in texts) and card.mobility in MOBILITIES
    return words and all(type(n) in (int, float) and math.isfinite(n) for n in numbers)


class Far:
    """The driver of one robot, elsewhere."""

    poll_s = POLL_S

    def __init__(self, robot: str, folder: Folder, pace: Pace | None = None):
        self.robot, self.folder, self.pace = robot, folder, pace or Pace()
        self.run = self._acts_for = ""
        self._count = 0  # actions that were asked for
        self._newest: int | None = None  # of the actions of this run that its driver has notes of
        self._greeted = threading.Event()
        self._at = 0.0  # what its driver's clock showed when it was last heard
        self.complaints: list[str] = []  # the last sentences about what its driver said or did wrongly
        self.round_trips_s: list[float] = []  # of the last beats
        self._under: Under | None = None
        self._line: Line | None = None
        self._stopped = ""
        self._there, self._why = True, ""
        self._down_since = time.monotonic()
        self._replaced = False
        self._closing = threading.Event()
        self._lock = threading.RLock()
        self._beats: dict[int, float] = {}
        self._sights: deque[Sight] = deque(maxlen=MOST_SIGHTS)
        self._saw = threading.Event()

    # -- what the episode asks --------------------------------------------------------------------------------------
    def begin(self, run: str) -> None:
        """From now on this robot is driven, for the run of that name; a run that goes on keeps its name."""
        self.close()  # what was driven for another run before
        with self._lock:
            self.run, self._under, self._line, self._replaced = run, None, None, False
            self._acts_for, self._count, self._newest = run, 0, None
            self._greeted.clear()
            self._there, self._down_since, self._closing = True, time.monotonic(), threading.Event()
        args = (self._closing,)
        threading.Thread(target=self._keep, args=args, name=f"line to {self.robot}", daemon=True).start()

    def start(self, robot: str, action: Action, now: float) -> Under:
        if not self.run:
            raise CoterieError(f"The driver of {self.robot} was not begun; call begin(run) with a name for the run.")
        self._count += 1
        under = Under(self.robot, self._acts_for, self._count, action, now, self.pace, self.cancel)
        with self._lock:
            before, self._under = self._under, under
            if before is not None:
                before.ended(before.cancelled)  # as at its driver
            if not self._there:
                self._lose(f"{self.robot} cannot be reached: {self._why}")
            elif self._line is not None:
                self._ask(self._line, under)
        return under

    def act_for(self, run: str, number: int) -> None:
        self._acts_for, self._count = run, number - 1

    def is_ahead(self, number: int) -> bool:
        """True if its driver has notes of later actions of this run; one that cannot be reached has not."""
        self._greeted.wait(ANSWER_S)
        return self._newest is not None and self._newest > number

    def standing(self, robot: str) -> Standing:
        """How the robot stands now: whether it can be reached, and who has stopped it."""
        return Standing(self._there, self._stopped, "" if self._there else self._why)

    def sensed(self, robot: str, wait_s: float = 0.0) -> list[Sight]:
        """New perceptions of the robot since the last call; `wait_s`: wait for so long, if there are none."""
        if wait_s:
            self._saw.wait(wait_s)
        self._saw.clear()
        found = []
        with contextlib.suppress(IndexError):
            while True:
                found.append(self._sights.popleft())
        return found

    def keep_pace(self, now: float) -> None:
        time.sleep(max(0.0, self.pace.until(now) - time.monotonic()))

    def cancel(self, under: Under) -> None:
        with self._lock:
            under.off = True  # from now on it is not named as wanted: a word that is lost stops it as well, only later
            if self._line is None:
                under.ended(under.cancelled)
            elif under.end is None:
                self._say(self._line, {"do": "cancel", "robot": self.robot, "name": under.name})

    def close(self) -> None:
        self._closing.set()
        line = self._line
        if line is not None:
            line.close()

    # -- the line ---------------------------------------------------------------------------------------------------
    def _keep(self, closing: threading.Event) -> None:
        while not closing.is_set():
            try:
                self._talk(closing)
            except CoterieError as err:
                self._complain(str(err))
                self._why = str(err)
            except Exception as err:  # noqa: BLE001 - whatever it is, the episode must hear that the robot is lost
                self._why = f"the line failed: {type(err).__name__}: {err}"
                self._complain(self._why)
            if closing.is_set():
                return
            with self._lock:
                if self._there and (self._replaced or time.monotonic() - self._down_since > GRACE_S):
                    self._there = False
                    self._lose(f"Contact with {self.robot} was lost: {self._why}")
            if self._replaced:
                return
            closing.wait(0.05 if self._there else 0.2)

    def _talk(self, closing: threading.Event) -> None:
        entry = self.folder.entry(self.robot)  # a driver that was begun again has another port
        line = call(entry.port, self.folder.key(), self.robot, f"The driver of {self.robot}", entry.far_port)
        try:
            line.send({"do": "hello", "robot": self.robot, "run": self.run})
            said = line.read(ANSWER_S)
            if said is None or "error" in said:
                raise Gone(str((said or {}).get("error", f"{line.who} does not answer."))[:500])
            self._take(said)
            with self._lock:
                self._line, self._there = line, True
                self._beats.clear()
                if self._under is not None and self._under.wanted:
                    self._ask(line, self._under)  # again, by its name: it is done once
                self._why = ""
            self._attend(line, closing)
        finally:
            with self._lock:
                if self._line is line:
                    self._line, self._down_since = None, time.monotonic()
            line.forget()

    def _attend(self, line: Line, closing: threading.Event) -> None:
        heard = beat = time.monotonic()
        number = 0
        while not closing.is_set():
            now = time.monotonic()
            if now >= beat:
                with self._lock:
                    under = self._under if self._under is not None and self._under.wanted else None
                    if under is not None and not under.taken and now - under.asked_at > ANSWER_S:
                        self._lose(f"The driver of {self.robot} did not take {under.action} within {ANSWER_S:g} s")
                        raise Gone(f"{line.who} does not answer for its actions.")
                self._beats[number] = now
                holds = None if under is None else under.name
                line.send({"do": "beat", "robot": self.robot, "number": number, "holds": holds})
                number, beat = number + 1, now + BEAT_S
            said = line.read(max(0.0, beat - time.monotonic()))
            if said is not None:
                heard = time.monotonic()
                self._take(said)
            elif time.monotonic() - heard > SILENT_S:
                raise Gone(f"{line.who} said nothing for {SILENT_S:g} s.")

    def _ask(self, line: Line, under: Under) -> None:
        if under.asked >= MOST_ASKED:
            self._lose(f"The line to {self.robot} broke whenever {under.action} was asked for: {self._why}")
            return
        under.asked, under.asked_at = under.asked + 1, time.monotonic()
        message: dict[str, Any] = {"do": "start", "robot": self.robot, "name": under.name, "run": under.run}
        message |= {"number": under.number, "at": self._at}
        try:
            line.send({**message, "action": under.action})
        except Gone:  # the thread that reads finds out, too
            pass
        except CoterieError as err:  # an action that has no wire form, or is too long
            under.ended(Report("failed", str(err), Cause(DRIVER, None, "before")))

    def _say(self, line: Line, message: dict[str, Any]) -> None:
        with contextlib.suppress(Gone):
            line.send(message)

    def _lose(self, words: str) -> None:
        """Give up the action under way: end it as lost, and no longer name it to its driver, which then stops it."""
        under, self._under = self._under, None
        if under is not None:
            under.ended(Report("failed", words.rstrip(".") + ".", lost_contact(self.robot)))

    # -- what the far end says --------------------------------------------------------------------------------------
    def _take(self, said: dict[str, Any]) -> None:
        on = said.get("on")
        if isinstance(said.get("at"), float):
            self._at = said["at"]
        if "error" in said:
            raise Gone(f"The driver of {self.robot} refused: {str(said['error'])[:500]}")
        if on == "beat":
            sent = self._beats.pop(said["number"], None) if type(said.get("number")) is int else None
            if sent is not None:
                self.round_trips_s = [*self.round_trips_s[-999:], time.monotonic() - sent]
            return
        if said.get("robot") != self.robot:
            self._complain(f"The driver of {self.robot} spoke of {brief(said.get('robot'))}; that is not heard.")
            return
        if on == "standing" and isinstance(said.get("stopped"), str):
            self._stopped = said["stopped"][:60]
            if type(newest := said.get("newest")) is int:
                self._newest = newest
                self._greeted.set()
        elif on == "superseded":
            self._replaced = said.get("run") == self.run  # this run was taken over: there is no way back
            raise Gone(f"{self.robot} is driven by another coordinator now.")
        elif on == "sensed" and isinstance(said.get("sight"), Sight):
            try:
                self._sights.append(said["sight"].check())
                self._saw.set()
            except CoterieError as err:
                self._complain(f"The driver of {self.robot} cannot be understood. {err}")
        elif on == "blind":
            self._complain(str(said.get("why"))[:500])
        elif on in ("taken", "progress", "ended", "late"):
            self._hear(on, said)
        else:
            self._complain(f"The driver of {self.robot} said {brief(on)}, which means nothing.")

    def _hear(self, on: str, said: dict[str, Any]) -> None:
        under = self._under
        if under is None or said.get("name") != under.name:
            self._complain(f"The driver of {self.robot} spoke of an action that nobody waits for; that is not heard.")
            return
        if on == "late":  # it lay somewhere on its way: whether it is still wanted is said anew
            with self._lock:
                if self._line is not None and under.wanted:
                    self._ask(self._line, under)
            return
        under.taken = True
        if on == "progress" and isinstance(said.get("share"), float) and isinstance(said.get("words"), str):
            under.progress = (said["share"], said["words"])
        elif on == "ended":
            try:
                end = Report.of(said)
            except CoterieError as err:
                words = f"The driver of {self.robot} cannot be understood. {err}"
                end = Report("failed", words, Cause(DRIVER, None, "after"))
            with self._lock:
                if self._under is under:  # and not what was begun since
                    self._under = None
            under.ended(end)

    def _complain(self, words: str) -> None:
        self.complaints = [*self.complaints[-(MOST_COMPLAINTS - 1) :], words]


# -- an action under way ----------------------------------------------------------------------------------------------
# An action under way at a driver elsewhere, as the episode sees it.
MAKE_UP_S = 0.5  # by which simulated time may hurry after the clock
CANCEL_S = 0.25  # for a robot to stop and say how it ended, before it is taken for granted

CallOff = Callable[["Under"], None]


class Pace:
    """Lets simulated time go as fast as the clock while robots are asked how far they are."""

    def __init__(self) -> None:
        self._sim, self._wall = -math.inf, time.monotonic()
        self._lock = threading.Lock()

    def until(self, now: float) -> float:
        """When it is that moment on the clock. Of time in which nobody asked, no more than one wait is made up for."""
        with self._lock:
            if now > self._sim:
                self._wall = max(self._wall + min(now - self._sim, POLL_S), time.monotonic() - MAKE_UP_S)
                self._sim = now
            return self._wall


class Under(threading.Condition):
    """An action under way at a far driver. Its number, the robot's actions so far, is the same for a run that is taken
    over."""

    def __init__(self, robot: str, run: str, number: int, action: Action, began: float, pace: Pace, call_off: CallOff):
        super().__init__()
        self.robot, self.action, self.began, self._pace, self._call_off = robot, action, began, pace, call_off
        self.run, self.number = run, number
        self.name = f"{run}/{robot}/{self.number}"
        self.end: Report | None = None
        self.cancelled = Report("cancelled", "The action was cancelled.", called_off(robot))  # how it may end
        self.progress: tuple[float, str] = (0.0, "")
        self.asked_at = time.monotonic()  # when the driver was told
        self.asked = 0  # how often it was asked for, each time over another line
        self.taken = False
        self.off = False  # cancelled here, whether the driver has heard of it or not

    @property
    def wanted(self) -> bool:
        return self.end is None and not self.off

    def poll(self, now: float) -> Outcome | None:
        """Waits until the clock has come as far as the simulated time, and not longer."""
        with self:
            self.wait_for(lambda: self.end is not None, max(0.0, self._pace.until(now) - time.monotonic()))
            return None if self.end is None else self._outcome(self.end, now)

    def cancel(self, now: float) -> Outcome:
        """Stop it; where it had ended already, that counts."""
        self._call_off(self)
        with self:
            self.wait_for(lambda: self.end is not None, CANCEL_S)
            end = self.end if self.end is not None and self.end.status == "done" else self.cancelled
            return self._outcome(end, now)

    def _outcome(self, end: Report, now: float) -> Outcome:
        took = now - self.began
        cause = end.cause if end.status == "done" or end.cause is not None else Cause(DRIVER, None, "during")
        return Outcome(self.robot, self.action, end.status, end.reason, self.began, took, facts=end.facts, cause=cause)

    def ended(self, end: Report) -> None:
        """The first end counts."""
        with self:
            if self.end is None:
                self.end = end
                self.notify_all()
