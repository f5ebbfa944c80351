"""ROS over rosbridge: its JSON protocol over a websocket, for machines without rclpy and for types that it lacks.

`Bridge` stands in for a node of rclpy, as far as drivers use one (`ros2.py`): publishers, subscriptions, clients of
services; and clients of actions. Types are the bridge's: what they lack it says itself.
"""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable
from itertools import count
from typing import Any

from coterie.core.bounds import load_json
from coterie.core.errors import CoterieError
from coterie.core.lazy import need

OPEN_S = 3.0  # for a connection to be there
AGAIN_S = 0.5  # between two attempts
CLOSE_S = 1.0  # for a bridge to take leave; one that is frozen does not
MOST = 4_000_000  # bytes of a message
MOST_WAITING = 1_000  # messages that wait to be sent
SUCCEEDED = 4  # of action_msgs/msg/GoalStatus


class Message(dict[str, Any]):
    """A message whose fields nobody here knows: they are there as soon as they are named."""

    def __missing__(self, field: str) -> Message:
        made = self[field] = Message()
        return made


class Type:
    """A type of messages, by its name."""

    Request = Goal = Message

    def __init__(self, name: str):
        self.name = name

    def __call__(self) -> Message:
        return Message()


class Answer:
    """The answer to a call or a goal."""

    def __init__(self, bridge: Bridge, op: dict[str, Any], channel: str):
        self.bridge, self.channel, self.id = bridge, channel, f"coterie:{next(bridge.numbers)}"
        self.feedback: dict[str, Any] = {}
        self._told: dict[str, Any] | None = None
        bridge.waiting[self.id] = self
        bridge.send({**op, "id": self.id})

    def done(self) -> bool:
        return self._told is not None

    def hear(self, told: dict[str, Any]) -> None:
        if told.get("op") == "action_feedback":
            values = told.get("values")
            self.feedback = values if isinstance(values, dict) else {}
        else:
            self._told = told
            self.bridge.waiting.pop(self.id, None)

    def result(self) -> Any:
        """The values that it gave; a sentence where it did not work."""
        told = self._told or {}
        values, status = told.get("values"), told.get("status", SUCCEEDED)
        if told.get("result") is False or status != SUCCEEDED:
            why = values if isinstance(values, str) and values else f"it ended with the status {status!r:.20}"
            raise CoterieError(f"{self.channel} did not do it: {why[:300]}.")
        return values if isinstance(values, dict) else {}

    def cancel(self) -> None:
        """Call off a goal that has not ended."""
        if self.bridge.waiting.pop(self.id, None) is not None:
            self.bridge.send({"op": "cancel_action_goal", "id": self.id, "action": self.channel})


class Publisher:
    def __init__(self, bridge: Bridge, kind: Type, name: str):
        self.bridge, self.name = bridge, name
        bridge.announce({"op": "advertise", "topic": name, "type": kind.name})

    def publish(self, message: Message) -> None:
        self.bridge.send({"op": "publish", "topic": self.name, "msg": message})

    def get_subscription_count(self) -> int:
        return int(self.bridge.open)  # who hears it only the bridge knows


class Client:
    """Of a service, or of an action."""

    def __init__(self, bridge: Bridge, name: str, action_type: str = ""):
        self.bridge, self.name, self.action_type = bridge, name, action_type

    def service_is_ready(self) -> bool:
        return self.bridge.open

    def call_async(self, message: Message) -> Answer:
        if not self.action_type:
            return Answer(self.bridge, {"op": "call_service", "service": self.name, "args": message}, self.name)
        goal = {"op": "send_action_goal", "action": self.name, "action_type": self.action_type, "args": message}
        return Answer(self.bridge, {**goal, "feedback": True}, self.name)

    def remove_pending_request(self, answer: Answer) -> None:
        if self.action_type:
            answer.cancel()
        self.bridge.waiting.pop(answer.id, None)


class Bridge:
    """One connection, which is made again when it was lost. `back` is called whenever it is there."""

    def __init__(self, url: str, back: Callable[[], None]):
        self._websockets = need("websockets.sync.client", "rosbridge", "Robots behind a rosbridge need")
        if not url.startswith(("ws://", "wss://")):
            raise CoterieError(f"A rosbridge has an address like ws://robot:9090, not '{url[:80]}'.")
        self.url, self._back = url, back
        self.numbers = count(1)
        self.waiting: dict[str, Answer] = {}
        self.lost = 0  # how often the connection was
        self.said = ""  # the last complaint of the bridge
        self.open = False
        self._greeting: list[dict[str, Any]] = []
        self._heard: dict[str, Callable[[Any], None]] = {}
        self._out: queue.Queue[str | None] = queue.Queue()
        self._closing = threading.Event()
        self._socket: Any = None
        threading.Thread(target=self._keep, name="rosbridge", daemon=True).start()

    # -- as a node of rclpy -----------------------------------------------------------------------------------------
    def create_subscription(self, kind: Type, name: str, take: Callable[[Any], None], _: object = None) -> None:
        self._heard[name] = take
        self.announce({"op": "subscribe", "topic": name, "type": kind.name})

    def create_publisher(self, kind: Type, name: str, **_: Any) -> Publisher:
        return Publisher(self, kind, name)

    def create_client(self, kind: Type, name: str) -> Client:
        return Client(self, name, kind.name if "/action/" in kind.name else "")

    def create_timer(self, seconds: float, call: Callable[[], None]) -> None:
        def run() -> None:
            while not self._closing.wait(seconds):
                call()

        threading.Thread(target=run, name="alive", daemon=True).start()

    def destroy_node(self) -> None:
        self._closing.set()
        self._out.put(None)
        socket = self._socket
        if socket is not None:
            threading.Thread(target=socket.close, name="rosbridge: leave", daemon=True).start()  # it may hang

    # -- the connection ---------------------------------------------------------------------------------------------
    def announce(self, op: dict[str, Any]) -> None:
        """Say it now, and whenever the connection is made again."""
        self._greeting.append(op)
        if self.open:
            self.send(op)

    def send(self, op: dict[str, Any]) -> None:
        """Never waits. While there is no connection nothing is sent, as what it asks for may be wanted no more."""
        if self.open and self._out.qsize() < MOST_WAITING:
            self._out.put(json.dumps(op))

    def _keep(self) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(OSError, self._errors(), TimeoutError):
                self._talk()
            if self.open:
                self.open, self.lost = False, self.lost + 1
                self._out.put(None)
                for answer in list(self.waiting.values()):
                    answer.hear({"result": False, "values": f"the rosbridge at {self.url} has gone"})
            self._closing.wait(AGAIN_S)

    def _errors(self) -> Any:
        return need("websockets.exceptions", "rosbridge", "Robots behind a rosbridge need").WebSocketException

    def _talk(self) -> None:
        limits = {"open_timeout": OPEN_S, "close_timeout": CLOSE_S, "max_size": MOST, "ping_interval": None}
        with self._websockets.connect(self.url, compression=None, **limits) as socket:
            self._socket, self._out = socket, queue.Queue()
            self.open = True
            threading.Thread(target=self._write, args=(socket, self._out), name="rosbridge: out", daemon=True).start()
            for op in list(self._greeting):
                self.send(op)
            self._back()
            for text in socket:
                if self._closing.is_set():
                    return
                self._take(text)

    def _write(self, socket: Any, out: queue.Queue[str | None]) -> None:
        with contextlib.suppress(OSError, self._errors()):
            while (text := out.get()) is not None:
                socket.send(text)

    def _take(self, text: str | bytes) -> None:
        try:
            told = load_json(text) if isinstance(text, str) else None
        except ValueError:
            return
        if not isinstance(told, dict):
            return
        op = told.get("op")
        if op == "publish" and told.get("topic") in self._heard:
            self._heard[told["topic"]](told.get("msg"))
        elif op in ("service_response", "action_feedback", "action_result"):
            answer = self.waiting.get(str(told.get("id")))
            if answer is not None:
                answer.hear(told)
        elif op == "status" and told.get("level") == "error":
            self.said = str(told.get("msg"))[:300]

    def wait(self, seconds: float) -> bool:
        """Wait for the connection, at most so long; True if it is there."""
        end = time.monotonic() + seconds
        while not self.open and time.monotonic() < end:
            time.sleep(0.02)
        return self.open
