"""A robot that speaks ROS 2: a driver made of a small TOML file that names its topics, services and message fields.

    coterie robot examples/ros2/rosa.toml Rosa

Needs the extra `ros2`, or an installation of ROS 2 whose Python this is; or a rosbridge, over which actions of ROS are
spoken, too (`rosbridge.py`). docs/ros2.md says what stands in the file.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import platform
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.action import COMMUNICATE, WAIT, Action, Cause
from coterie.core.bounds import brief, load_json
from coterie.core.causes import DRIVER
from coterie.core.errors import CoterieError
from coterie.core.lazy import need
from coterie.core.reader import Reader, load_toml
from coterie.core.sight import Detection, Sight
from coterie.link.robot import Job, Report, Robot, done, failed
from coterie.link.rosbridge import OPEN_S, Bridge, Message, Type

ALIVE_S = 0.1  # between two words that the robot is still driven
LISTENER_S = 3.0  # for a topic or service to be there
TICK_S = 0.02  # between two looks at how far a step is
_PARTS = {"topic": "msg", "service": "srv", "action": "action"}


def _rclpy() -> Any:
    try:
        return need("rclpy", "ros2", "Robots that speak ROS 2 need")
    except CoterieError as err:
        if sys.platform == "linux" and platform.machine() == "x86_64":
            raise
        words = str(err).partition(" Get it with")[0]
        raise CoterieError(f"{words} There are no wheels for {platform.machine()}: see docs/ros2.md.") from err


class Frame(NamedTuple):
    """Where the frame of a robot lies in the map: its origin [m], and how far it is turned [rad]."""

    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        cos, sin = math.cos(self.yaw), math.sin(self.yaw)
        return self.x + cos * x - sin * y, self.y + sin * x + cos * y

    def from_map(self, x: float, y: float) -> tuple[float, float]:
        cos, sin, dx, dy = math.cos(self.yaw), math.sin(self.yaw), x - self.x, y - self.y
        return cos * dx + sin * dy, cos * dy - sin * dx


class Channel(NamedTuple):
    """A topic, a service or an action, with what is put into its message."""

    name: str
    kind: Any  # the class of its messages
    how: str
    fields: tuple[tuple[str, Any], ...] = ()
    place: str = ""  # in the file, for complaints

    def blank(self) -> Any:
        made = {"topic": self.kind, "service": getattr(self.kind, "Request", None)}.get(self.how)
        return self.kind.Goal() if made is None else made()

    def message(self, values: Mapping[str, Any]) -> Any:
        """A message with these fields; texts that begin with $ are looked up in `values`."""
        made = self.blank()
        for path, value in self.fields:
            wanted = _looked_up(value, values) if isinstance(value, str) and value.startswith("$") else value
            _put(made, path, wanted, self.place)
        return made


class Step(NamedTuple):
    """One thing to do for a skill, and how its end is known."""

    channel: Channel
    near_m: float | None  # of the stand pose: it ends when the robot is that near
    holds: bool | None  # it ends when the gripper holds something, or nothing
    ok: str  # the field of a service's answer that says whether it worked; empty: an answer is enough
    words: str  # the field that says why
    feedback: str  # the field of an action's feedback that is told on the way
    timeout_s: float
    wait_s: float  # afterwards, before the next step


class Source:
    """The last message of a topic, and when it came."""

    def __init__(self, table: Reader, node: Any, required: Sequence[str], optional: Sequence[str] = ()):
        self.channel = _channel(table, node, topic_only=True)
        self.json = table.text("json", default="")
        self.paths = {key: table.text(key, required=True) for key in required}
        self.paths |= {key: path for key in optional if (path := table.text(key, default=""))}
        self.message: Any = None
        self.at = -math.inf
        known = (
            {"each": self.paths["each"]} if "each" in self.paths else self.paths
        )  # rows are seen when there are some
        for key, path in ({"json": self.json} if self.json else known).items():
            _get(self.channel.kind(), path, f"{table.place}: {key}")
        best_effort: Any = None
        if not isinstance(node, Bridge):
            best_effort = importlib.import_module("rclpy.qos").qos_profile_sensor_data  # hears reliable ones as well
        node.create_subscription(self.channel.kind, self.channel.name, self._take, best_effort)

    def _take(self, message: Any) -> None:
        self.message, self.at = message, time.monotonic()

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.at

    def read(self, key: str) -> Any:
        return _get(self._content(), self.paths[key], self.channel.name)

    def rows(self) -> list[Callable[[str], Any]]:
        """Readers of the members of the list `each`: each takes a key of this source."""
        found = _get(self._content(), self.paths["each"], self.channel.name)
        return [lambda key, row=row: _get(row, self.paths[key], self.channel.name) for row in found]  # type: ignore[misc]

    def _content(self) -> Any:
        if not self.json:
            return self.message
        text = _get(self.message, self.json, self.channel.name)
        try:
            return load_json(str(text))
        except ValueError as err:
            raise CoterieError(f"{self.channel.name} does not hold JSON: {err}.") from err


class Ros2Robot(Robot):
    def __init__(self, name: str, file: Path, bridge: str = ""):
        super().__init__(name)
        r = Reader(load_toml(file, "ROS 2 robot"), str(file))
        url = bridge or r.text("bridge", default="")
        self._ready, self._halted = False, threading.Event()
        self._halted.set()
        self._goals: list[Any] = []  # of actions that are under way
        self._lost = 0  # how often the bridge was gone when an action began
        self.node = Bridge(url, self._back) if url else _node(f"coterie_{name.lower()}")
        try:
            self._read(r, file)
        except CoterieError:
            self.node.destroy_node()
            raise
        self._ready = True
        if url and not self.node.wait(OPEN_S):
            self.node.destroy_node()
            raise CoterieError(f"There is no rosbridge at {url}. Start one where ROS is: see docs/ros2.md.")

    def _read(self, r: Reader, file: Path) -> None:
        r.raw("bridge")
        sources = {key: r.table(key) for key in ("pose", "battery", "things", "holds")}
        asked = {key: table for key, table in sources.items() if table.data}
        pose = sources["pose"]
        x, y, degrees = pose.numbers("origin", 3, default=[0.0, 0.0, 0.0])
        self.frame = Frame(x, y, math.radians(degrees))
        self.silent_s = pose.number("silent_s", 2.0, low=0.1, high=60.0)
        self.looks, self.places = sources["things"].flag("looks"), sources["things"].texts("places")
        keys: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
            "pose": (("x", "y"), ()),
            "battery": (("share",), ()),
            "things": (("each", "kind", "x", "y"), ("z", "name")),
            "holds": (("field",), ()),
        }
        self.sources = {key: Source(table, self.node, *keys[key]) for key, table in asked.items()}
        self.skills = self._skills(r.table("skills"))
        self.halting = self._outgoing(r.table("halt"))
        self.alive = self._outgoing(r.table("alive"))
        card = r.text("card", default="")
        for table in asked.values():
            table.done()
        r.done()
        if self.halting is None:
            raise r.fail("`halt` is missing: say how the robot stands still, like [halt] with a topic and its type.")
        self._check_card(r, file.parent / card if card else None)
        self._out: dict[str, Any] = {}  # by topic or service
        for channel in self._channels():
            self._open(channel)
        self._at = ""  # the furniture that it was sent to and has reached
        self._goal: tuple[float, float] | None = None
        self._opened: dict[str, bool] = {}
        self._grasped = ""
        self._driven = threading.Event()
        if self.alive is not None:
            self.node.create_timer(ALIVE_S, self._say_alive)

    # -- the file ---------------------------------------------------------------------------------------------------
    def _skills(self, table: Reader) -> dict[str, list[Step]]:
        found = {}
        for name in table.data:
            steps = []
            for row in table.tables(name):
                channel = _channel(row, self.node)
                near, holds = row.number("near_m", None, low=0.01, high=10.0), row.raw("holds")
                if holds is not None and (type(holds) is not bool or "holds" not in self.sources):
                    raise row.fail("`holds` is true or false, and needs a table [holds].")
                if near is not None and "pose" not in self.sources:
                    raise row.fail("`near_m` needs a table [pose] that says where the robot is.")
                ok, words, feedback = (row.text(key, default="") for key in ("ok", "words", "feedback"))
                timeout_s = row.number("timeout_s", 60.0, low=0.1, high=3600.0)
                wait_s = row.number("wait_s", 0.0, low=0.0, high=600.0)
                steps.append(Step(channel, near, holds, ok, words, feedback, timeout_s, wait_s))
                row.done()
            found[name] = steps
        return found

    def _outgoing(self, table: Reader) -> Channel | None:
        if not table.data:
            return None
        channel = _channel(table, self.node)
        table.done()
        return channel

    def _check_card(self, r: Reader, path: Path | None) -> None:
        if path is None:
            return
        able = Reader(load_toml(path, "robot card"), str(path)).texts("skills", required=True)
        missing = [s for s in able if s not in self.skills and s not in (WAIT, COMMUNICATE)]
        if missing:
            raise r.fail(f"its card says that it can {missing[0]}; say how with [[skills.{missing[0]}]].")

    def _channels(self) -> list[Channel]:
        steps = [s.channel for steps in self.skills.values() for s in steps]
        return [c for c in (*steps, self.halting, self.alive) if c is not None]

    def _open(self, c: Channel) -> None:
        _check_fields(c)
        if c.name not in self._out:
            topic = c.how == "topic"
            made = self.node.create_publisher if topic else self.node.create_client
            self._out[c.name] = made(c.kind, c.name, **({"qos_profile": 10} if topic else {}))

    # -- what it does -----------------------------------------------------------------------------------------------
    def do(self, action: Action, job: Job) -> Report:
        steps = self.skills.get(action.skill)
        if steps is None:
            return failed(f"{self.name} does not know {action.skill}.")
        self._driven.set()
        self._lost = getattr(self.node, "lost", 0)
        try:
            early = self._until(self._halted.is_set, LISTENER_S, job, f"{self.name} has not been halted yet.")
            if early is not None:
                return early
            values = self._values(action)
            if any(s.near_m is not None for s in steps):
                self._at = ""
            words = ""
            for step in steps:
                report = self._carry_out(step, values, job)
                if not report.ok:
                    return report
                if step.wait_s and job.wait(step.wait_s):
                    return job.stopped()
                words = report.reason or words
            self._remember(action, steps)
            return done(words or f"{self.name} has done {action}.")
        finally:
            self._driven.clear()

    def _values(self, action: Action) -> dict[str, Any]:
        """The names that a message may use: $1 is the first argument of the action, $spot.x what is known of one."""
        values: dict[str, Any] = {str(i): arg for i, arg in enumerate(action.args, 1)}
        for fact in action.facts:
            value: Any = fact.value
            if isinstance(value, tuple):
                point = (*self.frame.from_map(*value[:2]), *value[2:])
                values |= {f"{fact.pred}.{axis}": number for axis, number in zip("xyz", point)}
                if fact.pred == "stand_pose":
                    self._goal = tuple(value[:2])
            else:
                values[fact.pred] = value
        return values

    def _carry_out(self, step: Step, values: Mapping[str, Any], job: Job) -> Report:
        channel, out = step.channel, self._out[step.channel.name]
        try:
            message = channel.message(values)
        except KeyError as err:
            return failed(f"{self.name} was not told {err.args[0]}.")
        topic = channel.how == "topic"
        ready = out.service_is_ready if not topic else lambda: out.get_subscription_count() > 0
        early = self._until(ready, LISTENER_S, job, f"Nobody serves or hears {channel.name}.")
        if early is not None:
            return early
        if topic:
            out.publish(message)
            return self._until_done(step, job)
        answer = out.call_async(message)
        if channel.how == "action":
            self._goals.append(answer)
        late = f"{channel.name} did not answer in {step.timeout_s:g} s."
        try:
            early = self._until(lambda: self._answered(answer, step, job), step.timeout_s, job, late)
        finally:
            self._goals = [goal for goal in self._goals if goal is not answer]
        if early is not None:
            out.remove_pending_request(answer)
            return early
        try:
            said = answer.result()
        except CoterieError as err:  # of a bridge
            return failed(str(err), Cause(DRIVER, None, "during"))
        words = str(_get(said, step.words, channel.name)) if step.words else ""
        if step.ok and not _get(said, step.ok, channel.name):
            return failed(words or f"{channel.name} says that it did not work.", Cause(DRIVER, None, "during"))
        later = self._until_done(step, job)
        return later if not later.ok else done(words)

    def _answered(self, answer: Any, step: Step, job: Job) -> bool:
        if step.feedback and getattr(answer, "feedback", None):
            job.progress(0.5, f"{step.feedback} {brief(_get(answer.feedback, step.feedback, step.channel.name))}")
        return bool(answer.done())

    def _until_done(self, step: Step, job: Job) -> Report:
        late = f"{self.name} did not come to an end within {step.timeout_s:g} s."
        if step.near_m is not None:
            goal, near = self._goal, step.near_m
            if goal is None:
                return failed(f"{self.name} was not told where to go.")
            early = self._until(
                lambda: math.dist(self._pose() or (math.inf, 0.0), goal) <= near, step.timeout_s, job, late
            )
        elif step.holds is not None:
            early = self._until(lambda: bool(self._held()) == step.holds, step.timeout_s, job, late)
        else:
            early = None
        return early or done("")

    def _until(self, true: Callable[[], bool], seconds: float, job: Job, late: str) -> Report | None:
        """Wait; a report where that is not to be waited for any longer."""
        end = time.monotonic() + seconds
        while not true():
            if job.wait(TICK_S):
                return job.stopped()
            gone = getattr(self.node, "lost", 0) != self._lost
            words = f"The rosbridge at {self.node.url} was gone." if gone else self._silence()
            if words or time.monotonic() > end:
                self.halt()
                said = getattr(self.node, "said", "")
                more = f" The bridge says: {said}" if said and not words else ""
                return failed((words or late) + more, Cause(DRIVER, None, "during"))
        return None

    def _silence(self) -> str:
        pose = self.sources.get("pose")
        if pose is None or pose.age_s <= self.silent_s:
            return ""
        return f"{self.name} said nothing on {pose.channel.name} for {self.silent_s:g} s."

    def _remember(self, action: Action, steps: Sequence[Step]) -> None:
        """Remember the state that the robot has brought about: where it stands, what it took, what is open."""
        first = str(action.args[0]) if action.args else ""
        if any(s.near_m is not None for s in steps):
            self._at = first
        if any(s.holds for s in steps):
            self._grasped = first
        if action.skill in ("open", "close"):
            self._opened[first] = action.skill == "open"

    def halt(self) -> None:
        assert self.halting is not None
        pose = self.sources.get("pose")
        here = {} if pose is None or pose.message is None else {f"pose.{k}": float(pose.read(k)) for k in ("x", "y")}
        try:
            out, message = self._out[self.halting.name], self.halting.message(here)
        except KeyError as err:
            raise CoterieError(f"{self.name} cannot be halted before it has said where it is: {err}.") from err
        for goal in list(self._goals):
            goal.cancel()
        if self.halting.how == "topic":
            out.publish(message)
        else:
            out.call_async(message)

    def _back(self) -> None:
        """A bridge is there, or there again: then the robot is halted first, which nobody could say meanwhile."""
        if self._ready and self.node.lost:
            self._halted.clear()
            threading.Thread(target=self._halt_anew, args=(time.monotonic(),), daemon=True).start()

    def _halt_anew(self, since: float) -> None:
        pose = self.sources.get("pose")
        while pose is not None and pose.at < since:  # where it is now, if it is sent there to stand still
            time.sleep(TICK_S)
            if not self.node.open:
                return
        with contextlib.suppress(CoterieError):
            self.halt()
        self._halted.set()

    def _say_alive(self) -> None:
        if self._driven.is_set() and self.alive is not None:
            self._out[self.alive.name].publish(self.alive.message({}))

    # -- what it perceives ------------------------------------------------------------------------------------------
    def _pose(self) -> tuple[float, float] | None:
        pose = self.sources.get("pose")
        if pose is None or pose.message is None:
            return None
        return self.frame.to_map(float(pose.read("x")), float(pose.read("y")))

    def _held(self) -> str | None:
        source = self.sources.get("holds")
        if source is None or source.message is None:
            return None
        value = source.read("field")
        return (self._grasped if value else "") if isinstance(value, bool) else str(value)

    def sense(self) -> Sight | None:
        if words := self._silence():
            raise CoterieError(words)
        pose = self._pose()
        battery = self.sources.get("battery")
        here = self._at and pose is not None and self._goal is not None and math.dist(pose, self._goal) < 1.0
        return Sight(
            pose=pose,
            things=self._things(),
            places=(*self.places, *((self._at,) if here and self.looks else ())),
            open=tuple(self._opened.items()),
            holds=self._held(),
            battery=float(battery.read("share")) if battery is not None and battery.message is not None else None,
        )

    def _things(self) -> tuple[Detection, ...]:
        source = self.sources.get("things")
        if source is None or source.message is None:
            return ()
        found = []
        for row in source.rows():
            x, y = self.frame.to_map(float(row("x")), float(row("y")))
            z = float(row("z")) if "z" in source.paths else 0.0
            found.append(Detection(str(row("kind")), (x, y, z), str(row("name")) if "name" in source.paths else ""))
        return tuple(found)

    def close(self) -> None:
        self.node.destroy_node()


# -- messages ---------------------------------------------------------------------------------------------------------
def _channel(table: Reader, node: Any, topic_only: bool = False) -> Channel:
    named = {how: name for how in _PARTS if (name := table.text(how, default=""))}
    if len(named) != 1 or (topic_only and "topic" not in named):
        raise table.fail("name a `topic`" + ("." if topic_only else ", or a `service`, and not both; or an `action`."))
    [(how, name)] = named.items()
    fields = table.raw("set", {})
    if not isinstance(fields, dict):
        raise table.fail("`set` is a table of fields and values, like set = {data = true}.")
    kind = _class_of(table.text("type", required=True), how, table, node)
    return Channel(name, kind, how, tuple(fields.items()), table.place)


def _class_of(name: str, how: str, table: Reader, node: Any) -> Any:
    package, _, rest = name.partition("/")
    part, _, last = rest.partition("/")
    if part != _PARTS[how] or not last:
        raise table.fail(f"`type` is {brief(name)}; write it like std_msgs/msg/Bool, or std_srvs/srv/SetBool.")
    if isinstance(node, Bridge):
        return Type(name)
    if how == "action":
        raise table.fail("actions are spoken over a rosbridge: name one with `bridge` (docs/ros2.md).")
    try:
        return getattr(importlib.import_module(f"{package}.{part}"), last)
    except (ImportError, AttributeError) as err:
        raise table.fail(f"there is no {name} on this machine ({err}); install the package {package}.") from err


def _check_fields(channel: Channel) -> None:
    made = channel.blank()
    for path, value in channel.fields:
        looked_up = isinstance(value, str) and value.startswith("$")
        before = _get(made, path, channel.place)
        if not looked_up:
            _put(made, path, value, channel.place)
        elif isinstance(before, (list, tuple)):
            raise CoterieError(f"{channel.place}: {path} holds several values; {value} is one.")


def _looked_up(word: str, values: Mapping[str, Any]) -> Any:
    if word[1:] not in values:
        raise KeyError(word)
    return values[word[1:]]


def _get(message: Any, path: str, where: str) -> Any:
    """The field of a message, or of what JSON gave: `pose.position.x`, `results.0.id`; a dot alone is all of it."""
    found = message
    for part in filter(None, path.split(".")):
        try:
            if isinstance(found, Mapping):
                found = found[part]
            else:
                found = found[int(part)] if part.isdigit() else getattr(found, part)
        except (AttributeError, LookupError, TypeError) as err:
            known = ", ".join(getattr(message, "get_fields_and_field_types", dict)()) if found is message else ""
            raise CoterieError(
                f"{where}: there is no field '{part}' of '{path}'" + (f"; there are: {known}." if known else ".")
            ) from err
    return found


def _put(message: Any, path: str, value: Any, where: str) -> None:
    *way, last = path.split(".")
    holder = _get(message, ".".join(way), where)
    before = _get(holder, last, where)
    if isinstance(before, bool) and not isinstance(value, bool):
        raise CoterieError(f"{where}: {path} is true or false, and cannot be {brief(value)}.")
    if isinstance(holder, Message):  # of a bridge, which knows the types
        holder[last] = value
        return
    try:
        setattr(holder, last, type(before)(value) if isinstance(before, (int, float, str)) else value)
    except (AssertionError, TypeError, ValueError) as err:
        raise CoterieError(f"{where}: {path} cannot be {brief(value)}: {err}.") from err


# -- one node a robot, one thread for all -----------------------------------------------------------------------------
_spinning: list[Any] = []


def _node(name: str) -> Any:
    rclpy = _rclpy()
    if not rclpy.ok():
        no_signals = importlib.import_module("rclpy.signals").SignalHandlerOptions.NO
        rclpy.init(args=[], signal_handler_options=no_signals)
    if not _spinning:
        _spinning.append(importlib.import_module("rclpy.executors").SingleThreadedExecutor())
        threading.Thread(target=_spinning[0].spin, name="ros2", daemon=True).start()
    node = rclpy.create_node(name)
    _spinning[0].add_node(node)
    return node
