"""One robot at its driver: one action at a time, each once; and it can be made to stand still at any moment.

Two threads belong to it. One carries actions out, as the engineer wrote them; the other (`halter.py`) does nothing but
halt the robot.

A stop is state: known here from the moment it comes in, and kept in a file, where others keep it for a driver that does
not answer. Both are looked at before every motion.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

from coterie.core.action import Cause
from coterie.core.causes import DRIVER, IDLE, called_off, no_heartbeat, stopped
from coterie.core.errors import CoterieError
from coterie.core.sight import Sight
from coterie.link.folder import Announced
from coterie.link.halter import Halter, Hit
from coterie.link.kept import Kept
from coterie.link.lines import MOST_LINE, to_line
from coterie.link.robot import MOST_WORDS, Job, Report, Robot

AGAIN_S = 5.0  # after which what is perceived is told again, though nothing has changed: a report may be lost
MOVED_M = 0.1  # by which things and robots move before that is told anew
STUCK_S = 1.0  # after which an action that was halted is told as ended, whether it has come out or not

Tell = Callable[[dict[str, Any]], None]


class Station:
    def __init__(self, robot: Robot, kept: Kept, announced: Announced, tell: Tell, after: Callable[[Hit], None]):
        self.robot, self.name, self.kept, self.tell = robot, robot.name, kept, tell
        self.announced, self.folder = announced, announced.folder  # where the stop is kept
        self.stopped_by = self.folder.stopped(self.name)  # empty: nobody
        self._stops = 0  # that came in
        self._unkept = 0  # of these, those that were not answered yet
        self._disk = threading.Lock()  # of the state; the thread that halts never takes it
        self._looking = math.inf  # since when the disk has been asked
        self.job: Job | None = None  # what is under way
        self.next: Job | None = None  # what begins when that has come out
        self._gate = threading.Lock()  # held for a moment, never while anything waits
        self._desk = threading.RLock()  # of starts and ends, which are written to disk
        self._work = threading.Semaphore(0)
        self._closing = False
        self._sensing = threading.Lock()
        self._sight: Sight | None = None  # that was told last
        self._told_at = -math.inf
        self._blind = ""  # why nothing could be perceived
        self.halter = Halter(robot, announced.life, self.folder.stop_key(), self._stop, after, self._coming_out)
        threading.Thread(target=self._carry_out, name=f"{self.name}: do", daemon=True).start()

    # -- actions ----------------------------------------------------------------------------------------------------
    def start(self, job: Job) -> None:
        """Begin an action, or tell what became of it where it was asked for before."""
        with self._desk:
            note = self.kept.find(job.name)
            if note is not None and note.is_of(job):
                self._tell_again(job, note.end)
            elif self.kept.is_past(job):
                self._refuse(job, f"{self.name} was asked for this long ago; what became of it is forgotten.")
            elif self.look():
                self._refuse(job, *self._why_stopped("before"))
            elif self.job is not None and self.job.end is not None:
                self._refuse(job, f"{self.name} has not come out of {self.job.action} yet, which was stopped.")
            else:
                self._begin(job)

    def _tell_again(self, job: Job, end: Report | None) -> None:
        if end is not None:
            self._told_end(job.name, end)
            return
        self.beat(job.name)
        self.tell({"on": "taken", "name": job.name})

    def _begin(self, job: Job) -> None:
        try:
            self.kept.began(job)
        except CoterieError as err:
            self._refuse(job, str(err))
            return
        job.tell = lambda share, words: self.tell({"on": "progress", "name": job.name, "share": share, "words": words})
        job.look = self.look
        self.tell({"on": "taken", "name": job.name})
        if self.job is None:
            self.job = job
            self._work.release()
            return
        if self.next is not None:
            self._end(self.next, self._called_off())
        self.next = job
        self.call_off(self.job, self._called_off())

    def _called_off(self) -> Report:
        return Report("cancelled", "The action was cancelled.", called_off(self.name))

    def _why_stopped(self, moment: Any) -> tuple[str, Cause]:
        by = self.stopped_by
        return f"{self.name} was stopped by {by}; it moves again when it is released.", stopped(self.name, by, moment)

    def _refuse(self, job: Job, words: str, cause: Cause | None = None) -> None:
        cause = cause or Cause(IDLE, ("busy", (self.name,), True))
        self._told_end(job.name, Report("refused", words[:MOST_WORDS], cause))

    def cancel(self, name: str) -> None:
        with self._desk:
            if self.next is not None and self.next.name == name:
                job, self.next = self.next, None
                self._end(job, self._called_off())
            elif self.job is not None and self.job.name == name:
                self.call_off(self.job, self._called_off())
            elif (note := self.kept.find(name)) is not None and note.end is not None:
                self._told_end(name, note.end)

    def beat(self, name: str) -> None:
        """The coordinator still wants this."""
        for job in (self.job, self.next):
            if job is not None and job.name == name:
                job.beat_at = time.monotonic()

    # -- standing still ---------------------------------------------------------------------------------------------
    def call_off(self, job: Job, why: Report) -> None:
        job.call_off(why)
        self.halter.ring()

    def _stop(self, by: str) -> None:
        """Nothing begins any more, and what is under way is to end. The halt follows, and then `keep`."""
        with self._gate:
            self._unkept += 1
            self._hold(by)

    def _hold(self, by: str) -> None:
        self.stopped_by, self._stops = by, self._stops + 1
        for job in (self.job, self.next):
            if job is not None:
                job.call_off(Report("cancelled", *self._why_stopped("during")))

    def keep(self, hit: Hit) -> None:
        """After a halt: keep the stop on disk, and answer it."""
        self.tell_standing()
        with self._disk:
            try:
                self.folder.keep_stopped(self.name, hit.shot.by, self.announced.fd)
                unkept = ""
            except (OSError, CoterieError) as err:
                unkept = (err.strerror if isinstance(err, OSError) else None) or str(err)
            self.halter.answer(hit, unkept)
            with self._gate:
                self._unkept -= 1

    def look(self) -> str:
        """By whom the robot is stopped, here or on disk; empty where it may move. It may wait for the disk."""
        if not self.stopped_by:
            with self._disk:
                self._looking = time.monotonic()
                by = self.folder.stopped(self.name)
                self._looking = math.inf
                if by:
                    with self._gate:
                        self._hold(by)
            if by:
                self.halter.ring()
                self.tell_standing()
        return self.stopped_by

    def seen(self) -> str:
        """Return the mark of the present stop, which a release must name; it changes with every stop."""
        return f"{self._stops} {self.folder.stopped_mark(self.name)}"

    def release(self, seen: object) -> None:
        """Let it move again when it is next asked to. Only stops that were `seen` are lifted: a word that arrives late,
        after another stop, releases nothing."""
        with self._disk:
            if self._unkept or seen != self.seen():
                raise CoterieError(f"{self.name} was stopped again meanwhile.")
            try:
                self.folder.let_go(self.name)
            except OSError as err:
                raise CoterieError(f"That {self.name} is stopped cannot be taken back: {err.strerror}.") from err
            with self._gate:
                self.stopped_by = self.stopped_by if self._unkept else ""
        self.tell_standing()

    def tell_standing(self, **more: Any) -> None:
        self.tell({"on": "standing", "stopped": self.stopped_by, **more})

    def watch(self, lease_s: float) -> None:
        """Called every few milliseconds: stop actions that are no longer wanted, and report those that do not end."""
        now = time.monotonic()
        for job in (self.job, self.next):
            if job is not None and job.why is None and now - job.beat_at > lease_s:
                words = f"{self.name} heard nothing of its coordinator for {lease_s:g} s and stopped."
                self.call_off(job, Report("failed", words, no_heartbeat(self.name)))
            if job is not None and job.why is None and now - self._looking > STUCK_S:
                words = f"Whether {self.name} is stopped could not be read within {STUCK_S:g} s."
                self.call_off(job, Report("failed", words, Cause(DRIVER, None, "during")))
        job = self.job
        if job is not None and job.end is None and now - job.stopped_at > STUCK_S:
            threading.Thread(target=self._give_up, args=(job,), daemon=True).start()  # which may wait for the disk
            job.stopped_at = now + 3600.0

    def _give_up(self, job: Job) -> None:
        with self._desk:
            if job.end is None and job.why is not None:
                words = f"{job.why.reason} Its driver has not come out of the action yet."
                self._end(job, job.why._replace(reason=words))

    def _coming_out(self) -> Job | None:
        """An action that is being stopped and has not come out."""
        job = self.job
        return job if job is not None and job.why is not None and not job.out else None

    # -- the thread of actions ---------------------------------------------------------------------------------------
    def _carry_out(self) -> None:
        while True:
            self._work.acquire()
            job = self.job
            if self._closing or job is None:
                return
            rests = self.halter.at_rest(STUCK_S)
            self.look()
            with self._gate:
                why = job.why
                if why is None and not rests:
                    why = Report("refused", f"The halt of {self.name} has not come back.", Cause(DRIVER))
                if why is None and self.stopped_by:
                    why = Report("refused", *self._why_stopped("before"))
            report = why if why is not None else self._do(job)
            job.out = True
            self.sense(anew=True)  # one who hears how it ended knows what the robot perceives then
            if job.why is not None:
                self.halter.ring()  # a motion that `do` began while it was being halted does not have the last word
            with self._desk:
                if job.end is None:
                    stop = job.why if job.why is not None and report.status != "done" else None
                    self._end(job, stop or report)
                self.job, self.next = self.next, None
                if self.job is not None:
                    self._work.release()

    def sense(self, anew: bool = False) -> None:
        """Tell what the robot perceives, where that has changed or is to be told `anew`."""
        if not self._sensing.acquire(timeout=STUCK_S / 2):
            return  # it has not come back from the last look
        try:
            try:
                sight = self.robot.sense()
                sight = sight if sight is None else Sight(*sight).check()
                anew |= self._sight is None or time.monotonic() - self._told_at > AGAIN_S
                picture = self.robot.picture() if anew and sight is not None else None
                shown = sight if sight is None or picture is None else sight._replace(picture=picture).check()
                news = sight is not None and (anew or not sight.like(self._sight or sight, MOVED_M))
            except Exception as err:  # noqa: BLE001 - it is the engineer's code
                words = f"`sense` of {self.name} failed: {type(err).__name__}: {err}."[:MOST_WORDS]
                if words != self._blind:
                    self._blind = words
                    self.tell({"on": "blind", "why": words})
                return
            self._blind = ""
            if news:
                self._sight, self._told_at = sight, time.monotonic()
                self.tell({"on": "sensed", "sight": shown})
        finally:
            self._sensing.release()

    def _do(self, job: Job) -> Report:
        try:
            report = self.robot.do(job.action, job)
            if not isinstance(report, Report):
                raise CoterieError(f"`do` returned {report!r:.80}; return done(...) or failed(...)")
            report = Report.of(report._replace(reason=str(report.reason), facts=tuple(report.facts)).told())
            if len(to_line(report.told())) > MOST_LINE // 2:
                raise CoterieError(f"what it reports has more than {MOST_LINE // 2:,} bytes")
            return report
        except Exception as err:  # noqa: BLE001 - it is the engineer's code; the robot must not be left moving
            self.halter.ring()
            words = f"The driver of {self.name} failed: {type(err).__name__}: {err}."
            return Report("failed", words[:MOST_WORDS], Cause(DRIVER, None, "during"))

    def _end(self, job: Job, end: Report) -> None:
        job.end = end
        self.kept.ended(job.name, end)
        self._told_end(job.name, end)

    def _told_end(self, name: str, end: Report) -> None:
        self.tell({"on": "ended", "name": name, **end.told()})

    def close(self, why: Report) -> None:
        """The driver ends: the robot stands still first."""
        for job in (self.next, self.job):
            if job is not None:
                job.call_off(why)
        self.halter.halted(self.halter.ring(), STUCK_S)
        until = time.monotonic() + STUCK_S
        while self.job is not None and time.monotonic() < until:
            time.sleep(0.005)
        self._closing = True
        self._work.release()
        self.halter.close()
        with self._desk:
            for job in (self.next, self.job):
                if job is not None and job.end is None:
                    self._end(job, why)
            self.kept.close()
        self.robot.close()
