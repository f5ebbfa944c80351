"""An episode as Foxglove's own messages: a scene, frame transforms, paths and words, and every event with its schema.

Everything is made from the log: what there is comes from the world's `Pictures.plan` and `Pictures.frame`. Arms, whose
pictures are no maps, are bodies with joints (`bodies`).
"""

from __future__ import annotations

import contextlib
import json
import math
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain, pairwise, starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.event import Event, to_line
from coterie.core.files import draft, replace_text, writing
from coterie.core.lazy import need
from coterie.core.records import KINDS
from coterie.core.visible import visible
from coterie.export.bodies import Bodies
from coterie.export.parts import (
    MAP,
    SCENE,
    TF,
    cube_at,
    fox,
    line_along,
    middle,
    ns,
    paint,
    pose_at,
    text_at,
    time_of,
    turned,
    vector,
)
from coterie.log.fold import states
from coterie.log.words import ASKED, event_words, in_confidence
from coterie.render import palette
from coterie.render.describe import Agent, FloorPlan, Frame, Item, Point
from coterie.render.map.floor import look
from coterie.render.pictures import Pictures

if TYPE_CHECKING:
    from coterie.log.file import Log
    from coterie.log.state import State

PLAN, GROUND, WORDS = "/plan", "/map", "/log"
TALL_M, THING_M, ROBOT_M = 0.7, 0.08, 0.35  # furniture without a height, things, and how wide robots are shown
LAYOUTS = Path(__file__).with_name("layouts")  # where Foxglove shows what
DEGREE_M = 111_195.0  # of latitude
SEND_S = 0.3  # in which the last messages go out
HERE = "127.0.0.1"
END_S = 1.0  # for the library to close its port
LOOK_S = 0.5  # between two looks whether the port is open
_JSON = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


class Sent(NamedTuple):
    """One message: its topic, when [s], and what; `schema` where it is an event as JSON."""

    topic: str
    t: float
    message: Any
    schema: Mapping[str, Any] | None = None


def check_mcap_path(path: Path) -> None:
    if path.suffix != ".mcap":
        raise CoterieError(f"'{path}' is no .mcap file; name one that ends with .mcap.")


def save_mcap(events: Sequence[Event], path: Path) -> Path:
    """Write an episode to an MCAP file, and beside it a layout that shows it (`FILE.layout.json`)."""
    check_mcap_path(path)
    sender = Sender("Files for Foxglove need")
    opened = sender.foxglove.open_mcap
    with writing(f"'{path}'"), draft(path) as part, opened(str(part), allow_overwrite=True, context=sender.context):
        for sent in messages(events):
            sender.send(sent)
    save_layout(path, _pictures(events[0].data))
    return path


class Sender:
    """Messages to the channels of a context: a file, or a server."""

    def __init__(self, what: str):
        self.foxglove = need("foxglove", "mcap", what, "foxglove-sdk")
        self.context = self.foxglove.Context()
        self.channels: dict[str, Any] = {}

    def send(self, sent: Sent) -> None:
        topic, t, message, schema = sent
        if topic not in self.channels:
            self.open(topic, type(message).get_schema() if schema is None else dict(schema))
        self.channels[topic].log(message.encode() if schema is None else message, log_time=ns(t))

    def open(self, topic: str, schema: Any) -> None:
        kind = "json" if isinstance(schema, dict) else "protobuf"
        made = self.foxglove.Channel(topic, schema=schema, message_encoding=kind, context=self.context)
        self.channels[topic] = made


class FoxgloveServer(Sender):
    """An episode for Foxglove while it goes on: the messages of a file, over a websocket of this machine; use it with
    `with`, and give `follow` to `play`. Who comes late is sent plan, scene and places again."""

    def __init__(self, port: int = 0):
        super().__init__("A server for Foxglove needs")
        self.port = port
        self._last: dict[str, list[Sent]] = {}
        self._thread: threading.Thread | None = None
        self._over, self._lock = threading.Event(), threading.Lock()

    def __enter__(self) -> FoxgloveServer:
        try:
            self._server = self._listen()
        except (OSError, RuntimeError, ValueError) as err:
            raise CoterieError(f"Cannot open port {self.port} for Foxglove: {err}. Name another one.") from err
        self.port = self._server.port
        threading.Thread(target=self._keep, name="foxglove port", daemon=True).start()
        for kind in KINDS:  # so that nobody misses the first of a kind
            if kind not in ASKED:
                self.open(f"/events/{kind}", schema_of(kind))
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.join(2.0)
            time.sleep(SEND_S)
        self._over.set()
        with self._lock:
            self._stop()

    def _listen(self) -> Any:
        return self.foxglove.start_server(
            name="coterie", host=HERE, port=self.port, context=self.context, server_listener=self
        )

    def _stop(self) -> None:
        """The library waits for callers that say nothing, without end, and closes its port a little later."""
        stopping = threading.Thread(target=self._server.stop, name="foxglove end", daemon=True)
        stopping.start()
        stopping.join(END_S)
        end = time.monotonic() + END_S
        while not self._is_free() and time.monotonic() < end:
            time.sleep(0.01)

    def _is_free(self) -> bool:
        """Whether nobody listens at the port."""
        with contextlib.suppress(OSError), socket.socket() as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((HERE, self.port))
            return True
        return False

    def _keep(self) -> None:
        """Open the port again where the library has given it up: it does when the system has no descriptors left."""
        while not self._over.wait(LOOK_S):
            with self._lock, contextlib.suppress(OSError, RuntimeError):
                if self._is_free() and not self._over.is_set():
                    self._stop()
                    self._server = self._listen()

    def follow(self, log: Log) -> None:
        """Send on a log from now on, in a thread of its own."""
        self._thread = threading.Thread(target=self._follow, args=(log.follow(),), name="foxglove", daemon=True)
        self._thread.start()

    def _follow(self, events: Iterable[Event]) -> None:
        moves: list[Sent] = []
        for sent in messages(events, live=True):
            self.send(sent)
            if sent.topic == TF:
                moves.append(sent)
                continue
            self._last[sent.topic] = [sent]
            if sent.topic == SCENE:
                self._last[TF], moves = moves, []

    def on_subscribe(self, client: Any, channel: Any) -> None:
        """Called by the server, from a thread of its own."""
        for sent in self._last.get(channel.topic, ()):
            self.send(sent)

    def on_unsubscribe(self, client: Any, channel: Any) -> None:
        """Called by the server as well."""


def save_layout(beside: Path, pictures: Pictures | None) -> Path:
    """Write the layout that shows an episode of a world, which draws it so, beside its file."""
    path, jointed = beside.with_name(f"{beside.stem}.layout.json"), getattr(type(pictures), "jointed", None)
    kind = "arms" if jointed not in (None, Pictures.jointed) else "ground"
    replace_text(path, (LAYOUTS / f"{kind}.json").read_text(encoding="utf-8"))
    return path


# -- an episode -----------------------------------------------------------------------------------------------------
def messages(events: Iterable[Event], live: bool = False) -> Iterator[Sent]:
    """Everything that there is to send, as the events come; `live`: any page of a browser here can call the library's
    server, so nothing that was said in confidence."""
    waiting: list[Event] = []

    def passed() -> Iterator[Event]:
        for event in events:
            waiting.append(event)
            yield event

    coming = states(passed())
    first = next(coming)  # it goes on changing
    pictures, everything = _pictures(first.start.raw), chain([first], coming)
    shown: Iterable[Iterable[Sent]] = (() for _ in everything)
    jointed = pictures.jointed(first) if pictures is not None else None
    if jointed is not None:
        bodies = Bodies(jointed)
        yield Sent(PLAN, first.t, bodies.shapes(first.t))
        moments = ([moment for event in waiting for moment in pictures.poses(event)] for _ in everything)
        shown = (starmap(Sent, bodies.frame(some, first)) for some in moments)
    elif pictures is not None and type(pictures).plan is not Pictures.plan:
        plan = pictures.plan(first)
        yield Sent(PLAN, first.t, fox.SceneUpdate(entities=[_plan(plan, first.t)]))
        yield Sent(GROUND, first.t, fox.GeoJson(geojson=_ground(plan)))
        team = _Team()
        shown = (team.frame(frame, first) for frame in pictures.frames(everything, lambda state: True))
    for found in shown:
        yield from found
        while waiting:
            event = waiting.pop(0)
            if not (live and in_confidence(event)):
                yield from _told(event)


def _pictures(start: Mapping[str, Any]) -> Any:
    from coterie.worlds import pictures_of

    with contextlib.suppress(CoterieError):  # a world that cannot be drawn, or is not known here
        return pictures_of(start)
    return None


def _told(event: Event) -> Iterator[Sent]:
    """An event as JSON, and in words where it has some."""
    seq, step, t, kind, who, data, causes = json.loads(to_line(event))
    row = {"seq": seq, "step": step, "t": t, "who": who, "data": data, "causes": causes}
    yield Sent(f"/events/{kind}", event.t, row, schema_of(kind))
    words, bad = event_words(event)
    if words:
        level = fox.LogLevel.Warning if bad else fox.LogLevel.Info
        log = fox.Log(timestamp=time_of(t), level=level, message=visible(words), name=visible(who) or "team")
        yield Sent(WORDS, event.t, log)


def schema_of(kind: str) -> dict[str, Any]:
    """The JSON schema of events of a kind, from the fields of its record; `data` of kinds not known here is open."""
    known, data = KINDS.get(kind), dict[str, Any](type="object", additionalProperties=True)
    if known is not None:
        data["description"] = (known.__doc__ or "").partition("\n")[0]
        rows = {f.name: _JSON.get(str(f.type)) for f in fields(known) if f.name != "raw"}
        data["properties"] = {name: {"type": form} if form else {} for name, form in rows.items()}
    number = {"type": "integer"}
    row = {"seq": number, "step": number, "t": {"type": "number"}, "who": {"type": "string"}, "data": data}
    row["causes"] = {"type": "array", "items": number}
    return {"title": f"coterie.{kind}", "type": "object", "properties": row}


# -- worlds that are maps -------------------------------------------------------------------------------------------
def _plan(plan: FloorPlan, t: float) -> Any:
    lines = [line_along((*r.outline, r.outline[0]), palette.FAINT, 0.02) for r in plan.regions]
    lines += [line_along(wall, palette.WALL, plan.wall_m) for wall in plan.walls]
    lines += [line_along((d.a, d.b), palette.GOLD, 0.06) for d in plan.doors]
    texts = [text_at(r.label or r.name, middle(r.outline), 0.02, 0.25) for r in plan.regions]
    texts += [text_at(f.name, middle(f.outline), TALL_M + 0.15, 0.14) for f in plan.fixtures]
    cubes = []
    for f in plan.fixtures:
        (x0, x1), (y0, y1) = ((min(v), max(v)) for v in zip(*f.outline))
        high, above = (0.02, TALL_M) if f.on else (TALL_M, 0.0)  # platforms stand on furniture
        cubes.append(cube_at((x1 - x0, y1 - y0, high), middle(f.outline), above, look(f.look)[0], 0.8))
    return fox.SceneEntity(timestamp=time_of(t), frame_id=MAP, id="plan", lines=lines, cubes=cubes, texts=texts)


def _ground(plan: FloorPlan) -> str:
    """Rooms as GeoJSON. A house has no latitude: its origin is put at 0, 0."""
    rows = []
    for room in plan.regions:
        line = [(x / DEGREE_M, y / DEGREE_M) for x, y in (*room.outline, room.outline[0])]
        there = {"type": "Polygon", "coordinates": [line]}
        rows.append({"type": "Feature", "geometry": there, "properties": {"name": room.label or room.name}})
    return json.dumps({"type": "FeatureCollection", "features": rows})


class _Team:
    """Robots and things at each state, and how robots moved since the one before."""

    def __init__(self) -> None:
        self.at: dict[str, Point] = {}  # of each robot
        self.shown: set[str] = set()  # entities
        self.t = 0.0

    def frame(self, frame: Frame, state: State) -> Iterator[Sent]:
        t, agents = state.t, [a for a in frame.agents if a.at is not None]
        for agent in agents:
            way = list(_along(self._path(agent), agent.heading_deg))
            for share, here, heading in way:
                then = self.t + share * (t - self.t)
                where = {"translation": vector(*here, 0.0), "rotation": turned(heading)}
                moves = fox.FrameTransform(
                    timestamp=time_of(then), parent_frame_id=MAP, child_frame_id=agent.name, **where
                )
                yield Sent(TF, then, fox.FrameTransforms(transforms=[moves]))
            if len(way) > 1:
                poses = [pose_at(here, 0.02, heading) for _, here, heading in way]
                yield Sent(f"/path/{agent.name}", t, fox.PosesInFrame(timestamp=time_of(t), frame_id=MAP, poses=poses))
        for agent in agents:
            x, y = self._path(agent)[-1]
            some = {"frame_id": agent.name, "latitude": y / DEGREE_M, "longitude": x / DEGREE_M}
            yield Sent(f"/place/{agent.name}", t, fox.LocationFix(timestamp=time_of(t), **some))
        heights = {name: thing.spot[2] for name, thing in state.things.items() if thing.spot and len(thing.spot) > 2}
        entities = [_robot(a, t) for a in agents] + [_thing(i, heights.get(i.name, TALL_M), t) for i in frame.items]
        there = {f"robot {a.name}" for a in agents} | {i.name for i in frame.items}
        gone = [fox.SceneEntityDeletion(timestamp=time_of(t), id=name) for name in sorted(self.shown - there)]
        yield Sent(SCENE, t, fox.SceneUpdate(entities=entities, deletions=gone))
        self.at = {a.name: a.at for a in agents if a.at is not None}
        self.shown, self.t = there, t

    def _path(self, agent: Agent) -> Sequence[Point]:
        """From where it was, on which it came, to where it is."""
        assert agent.at is not None
        before = self.at.get(agent.name, agent.at)
        points = [before, *(p for p in agent.path if p not in (before, agent.at)), agent.at]
        return points if before != agent.at or len(points) > 2 else [agent.at]


def _along(path: Sequence[Point], last_deg: float) -> Iterator[tuple[float, Point, float]]:
    """The points of a path, each with the share of its length and the direction of the way there [deg]."""
    whole, gone = sum(math.dist(a, b) for a, b in pairwise(path)) or 1.0, 0.0
    for a, b in pairwise(path):
        yield gone / whole, a, math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) if a != b else last_deg
        gone += math.dist(a, b)
    yield 1.0, path[-1], last_deg


def _robot(agent: Agent, t: float) -> Any:
    high, above = (0.25, 1.5) if agent.mobility == "air" else (0.5, 0.0)
    size, hue = vector(ROBOT_M, ROBOT_M, high), paint(agent.colour, 1.0 if agent.online else 0.3)
    pose = pose_at((0.0, 0.0), above + high / 2)
    body = fox.CylinderPrimitive(pose=pose, size=size, bottom_scale=1.0, top_scale=0.7, color=hue)
    words = f"{agent.name}: {agent.said[:120]}" if agent.said else agent.name
    held = f" [{agent.held.name}]" if agent.held is not None else ""
    some = {"cylinders": [body], "texts": [text_at(words + held, (0.0, 0.0), above + 0.8, 0.18)]}
    return fox.SceneEntity(
        timestamp=time_of(t), frame_id=agent.name, frame_locked=True, id=f"robot {agent.name}", **some
    )


def _thing(item: Item, z: float, t: float) -> Any:
    hue = palette.thing(item.kind, item.colour)
    cube = cube_at((THING_M, THING_M, THING_M), item.at, z, hue, 0.35 if item.hidden else 1.0)
    texts = [text_at(item.name, item.at, z + 0.2, 0.1)] if item.wanted else []
    return fox.SceneEntity(timestamp=time_of(t), frame_id=MAP, id=item.name, cubes=[cube], texts=texts)
