"""An episode as Foxglove's own messages: a scene, frame transforms, paths and words, and every event with its schema.

`save_mcap` writes them to a file; `serve` sends the same to Foxglove while a log is being written. Everything is made
from the log: what there is comes from the world's `Pictures.plan` and `Pictures.frame`, and of arms from their model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.event import Event, to_line
from coterie.core.extras import need
from coterie.core.files import draft, replace_text, writing
from coterie.core.records import KINDS, ActEvent, DidEvent, OutcomeEvent, read
from coterie.core.visible import visible
from coterie.log.fold import states
from coterie.log.words import action_words, change_words
from coterie.render import palette
from coterie.render.describe import Agent, FloorPlan, Frame, Item, Point
from coterie.render.map.floor import look

if TYPE_CHECKING:
    from coterie.log.state import State

MAP, PLAN, SCENE, TF, WORDS = "map", "/plan", "/scene", "/tf", "/log"
TALL_M, THING_M, ROBOT_M = 0.7, 0.08, 0.35  # furniture without a height, things, and how wide robots are shown
_NS = 1_000_000_000


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
    foxglove = _foxglove()
    context = foxglove.Context()
    opened = foxglove.open_mcap
    with writing(f"'{path}'"), draft(path) as part, opened(str(part), allow_overwrite=True, context=context):
        _send(context, messages(events))
    replace_text(path.with_name(f"{path.stem}.layout.json"), layout())
    return path


def serve(events: Iterable[Event], port: int) -> str:
    """Send an episode to whoever connects to this port, on this machine alone; return the address at its end."""
    foxglove = _foxglove()
    context = foxglove.Context()
    try:
        server = foxglove.start_server(name="coterie", host="127.0.0.1", port=port, context=context)
    except (OSError, RuntimeError) as err:
        raise CoterieError(f"Port {port} cannot be served: {err}.") from err
    try:
        _send(context, messages(events))
    finally:
        server.stop()
    return f"ws://127.0.0.1:{port}"


def _foxglove() -> Any:
    return need("foxglove", "mcap", "Files for Foxglove need", "foxglove-sdk")


def _send(context: Any, found: Iterable[Sent]) -> None:
    from foxglove import Channel

    channels: dict[str, Any] = {}
    for topic, t, message, schema in found:
        if topic not in channels:
            form = dict(schema) if schema is not None else type(message).get_schema()
            kind = "json" if schema is not None else "protobuf"
            channels[topic] = Channel(topic, schema=form, message_encoding=kind, context=context)
        data = message if schema is not None else message.encode()
        channels[topic].log(data, log_time=max(0, round(t * _NS)))
    for channel in channels.values():
        channel.close()


# -- an episode -----------------------------------------------------------------------------------------------------
def messages(events: Iterable[Event]) -> Iterator[Sent]:
    """Everything that there is to send, as the events come."""
    waiting: list[Event] = []
    now: list[State] = []

    def passed() -> Iterator[Event]:
        for event in events:
            waiting.append(event)
            yield event

    def seen() -> Iterator[State]:
        for state in states(passed()):
            now[:] = [state]
            yield state

    def told() -> Iterator[Sent]:
        while waiting:
            yield from _told(waiting.pop(0))

    from foxglove.messages import SceneUpdate

    coming = seen()
    first = next(coming)
    pictures = _pictures(first)
    everything = chain([first], coming)
    if pictures is None:
        shown: Iterable[Iterator[Sent]] = (iter(()) for _ in everything)
    elif (solid := pictures.solid(waiting[0])) is not None:
        from coterie.export.solids import bodies

        yield Sent(SCENE, first.t, SceneUpdate(entities=bodies(solid[0], _time(first.t))))
        shown = (_moved(solid[0], solid[1], pictures.poses(state)) for state in everything)
    else:
        scenery = _Scenery()
        yield from scenery.plan(pictures.plan(first), first.t)
        frames = pictures.frames(everything, lambda state: True)
        shown = (scenery.frame(frame, now[0]) for frame in frames)
    for messages_of_state in shown:
        yield from messages_of_state
        yield from told()
    yield from told()


def _moved(model: Any, data: Any, poses: Sequence[tuple[float, Sequence[float]]]) -> Iterator[Sent]:
    """How the bodies of a model moved since the state before."""
    import mujoco
    from foxglove.messages import FrameTransforms

    from coterie.export.solids import transforms

    for t, pose in poses:
        if len(pose) != model.nq:
            raise CoterieError(f"A frame of the log has {len(pose)} positions, the scene has {model.nq}.")
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        yield Sent(TF, t, FrameTransforms(transforms=transforms(model, data, _time(t))))


def _pictures(state: State) -> Any:
    from coterie.worlds import pictures_of

    try:
        return pictures_of(state.start.raw)
    except CoterieError:  # a world that cannot be drawn, or is not known here
        return None


def _told(event: Event) -> Iterator[Sent]:
    """An event as JSON, and in words where it has some."""
    from foxglove.messages import Log, LogLevel

    seq, step, t, kind, who, data, causes = json.loads(to_line(event))
    row = {"seq": seq, "step": step, "t": t, "who": who, "data": data, "causes": causes}
    yield Sent(f"/events/{kind}", event.t, row, schema_of(kind))
    words, bad = _words(event)
    if words:
        level = LogLevel.Warning if bad else LogLevel.Info
        yield Sent(WORDS, event.t, Log(timestamp=_time(event.t), level=level, message=words, name=event.who or "team"))


def _words(event: Event) -> tuple[str, bool]:
    """What a line of the log says, and whether it is bad news."""
    kind, data = event.kind, event.data
    if kind in ("act", "did"):
        act: Any = read(ActEvent if kind == "act" else DidEvent, event)
        return visible(f"{action_words(act.skill, act.args)}{f' ({act.why})' if act.why else ''}"), False
    if kind == "outcome":
        end = read(OutcomeEvent, event)
        return visible(f"{end.status}: {end.reason}" if end.reason else end.status), end.status != "done"
    if kind == "change":
        return visible(change_words(read(KINDS[kind], event))), True  # type: ignore[arg-type]
    if kind in ("say", "message", "status", "refused", "end"):
        words = data.get("text") or data.get("reason") or data.get("status") or ""
        return visible(f"{kind}: {words}"), kind == "refused"
    return "", False


_JSON = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


def schema_of(kind: str) -> dict[str, Any]:
    """The JSON schema of events of a kind, from the fields of its record; `data` of kinds not known here is open."""
    known = KINDS.get(kind)
    data: dict[str, Any] = {"type": "object", "additionalProperties": True}
    if known is not None:
        data["description"] = (known.__doc__ or "").partition("\n")[0]
        rows = {f.name: _JSON.get(str(f.type)) for f in fields(known) if f.name != "raw"}
        data["properties"] = {name: {"type": form} if form else {} for name, form in rows.items()}
    number = {"type": "integer"}
    return {
        "title": f"coterie.{kind}",
        "type": "object",
        "properties": {
            "seq": number,
            "step": number,
            "t": {"type": "number"},
            "who": {"type": "string"},
            "data": data,
            "causes": {"type": "array", "items": number},
        },
    }


# -- worlds that are maps -------------------------------------------------------------------------------------------
class _Scenery:
    """What stands where, and how robots move between two states."""

    def __init__(self) -> None:
        self.at: dict[str, Point] = {}  # of each robot, at the state before
        self.shown: set[str] = set()  # entities of things and robots
        self.t = 0.0

    def plan(self, plan: FloorPlan, t: float) -> Iterator[Sent]:
        from foxglove.messages import SceneEntity, SceneUpdate

        lines = [_line(r.outline, "#b9b7b0", 0.02, closed=True) for r in plan.regions]
        lines += [_line(w, palette.WALL, plan.wall_m) for w in plan.walls]
        lines += [_line((d.a, d.b), palette.GOLD, 0.06) for d in plan.doors]
        cubes = [
            _block(f.outline, look(f.look)[0], 0.02 if f.on else TALL_M, TALL_M if f.on else 0.0) for f in plan.fixtures
        ]
        texts = [_text(r.label or r.name, _middle(r.outline), 0.02, 0.25) for r in plan.regions]
        texts += [_text(f.name, _middle(f.outline), TALL_M + 0.15, 0.14) for f in plan.fixtures]
        entity = SceneEntity(
            timestamp=_time(t),
            frame_id=MAP,
            id="plan",
            lines=lines,
            cubes=cubes,
            texts=texts,
            metadata=_notes(plan.title),
        )
        yield Sent(PLAN, t, SceneUpdate(entities=[entity]))

    def frame(self, frame: Frame, state: State) -> Iterator[Sent]:
        from foxglove.messages import (
            FrameTransforms,
            PosesInFrame,
            SceneEntityDeletion,
            SceneUpdate,
        )

        t, agents = state.t, [a for a in frame.agents if a.at is not None]
        for agent in agents:
            path = self._path(agent)
            for share, here, heading in _along(path, agent.heading_deg):
                then = self.t + share * (t - self.t)
                moved = _transform(agent.name, here, heading, then)
                yield Sent(TF, then, FrameTransforms(transforms=[moved]))
            if len(path) > 1:
                poses = [_pose(*here, 0.02, heading) for _, here, heading in _along(path, agent.heading_deg)]
                yield Sent(f"/path/{agent.name}", t, PosesInFrame(timestamp=_time(t), frame_id=MAP, poses=poses))
        heights = {name: thing.spot[2] for name, thing in state.things.items() if thing.spot and len(thing.spot) > 2}
        entities = [_robot(a, t) for a in agents] + [_thing(i, heights.get(i.name, TALL_M), t) for i in frame.items]
        there = {f"robot {a.name}" for a in agents} | {i.name for i in frame.items}
        gone = [SceneEntityDeletion(timestamp=_time(t), id=name) for name in sorted(self.shown - there)]
        yield Sent(SCENE, t, SceneUpdate(entities=entities, deletions=gone))
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
    lengths = [math.dist(a, b) for a, b in pairwise(path)]
    whole, gone = sum(lengths) or 1.0, 0.0
    for (a, b), length in zip(pairwise(path), lengths):
        yield gone / whole, a, math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) if length else last_deg
        gone += length
    yield 1.0, path[-1], last_deg


def _robot(agent: Agent, t: float) -> Any:
    from foxglove.messages import CylinderPrimitive, SceneEntity, Vector3

    high = 0.25 if agent.mobility == "air" else 0.5
    body = CylinderPrimitive(
        pose=_pose(0.0, 0.0, high / 2 + (1.5 if agent.mobility == "air" else 0.0)),
        size=Vector3(x=ROBOT_M, y=ROBOT_M, z=high),
        bottom_scale=1.0,
        top_scale=0.7,
        color=_colour(agent.colour, 1.0 if agent.online else 0.3),
    )
    words = f"{agent.name}: {agent.said}" if agent.said else agent.name
    held = f" [{agent.held.name}]" if agent.held is not None else ""
    text = _text(visible(words[:120] + held), (0.0, 0.0), 2.0 if agent.mobility == "air" else 0.8, 0.18)
    return SceneEntity(
        timestamp=_time(t),
        frame_id=agent.name,
        frame_locked=True,
        id=f"robot {agent.name}",
        cylinders=[body],
        texts=[text],
        metadata=_notes(agent.doing),
    )


def _thing(item: Item, z: float, t: float) -> Any:
    from foxglove.messages import CubePrimitive, SceneEntity, Vector3

    size = Vector3(x=THING_M, y=THING_M, z=THING_M)
    hue = _colour(palette.thing(item.kind, item.colour), 0.35 if item.hidden else 1.0)
    cube = CubePrimitive(pose=_pose(*item.at, z + THING_M / 2), size=size, color=hue)
    texts = [_text(item.name, item.at, z + 0.2, 0.1)] if item.wanted else []
    return SceneEntity(timestamp=_time(t), frame_id=MAP, id=item.name, cubes=[cube], texts=texts)


def _transform(name: str, at: Point, heading_deg: float, t: float, z: float = 0.0) -> Any:
    from foxglove.messages import FrameTransform, Vector3

    return FrameTransform(
        timestamp=_time(t),
        parent_frame_id=MAP,
        child_frame_id=name,
        translation=Vector3(x=float(at[0]), y=float(at[1]), z=z),
        rotation=_turned(heading_deg),
    )


# -- small parts of messages ----------------------------------------------------------------------------------------
def _time(t: float) -> Any:
    from foxglove.messages import Timestamp

    ns = max(0, round(t * _NS))
    return Timestamp(sec=ns // _NS, nsec=ns % _NS)


def _turned(deg: float) -> Any:
    from foxglove.messages import Quaternion

    half = math.radians(deg) / 2
    return Quaternion(x=0.0, y=0.0, z=math.sin(half), w=math.cos(half))


def _pose(x: float, y: float, z: float, heading_deg: float = 0.0) -> Any:
    from foxglove.messages import Pose, Vector3

    return Pose(position=Vector3(x=float(x), y=float(y), z=float(z)), orientation=_turned(heading_deg))


def _colour(colour: str, alpha: float = 1.0) -> Any:
    from foxglove.messages import Color

    r, g, b = (v / 255 for v in palette.rgb(colour))
    return Color(r=r, g=g, b=b, a=alpha)


def _line(points: Sequence[Point], colour: str, wide_m: float, closed: bool = False) -> Any:
    from foxglove.messages import LinePrimitive, LinePrimitiveLineType, Point3

    kind = LinePrimitiveLineType.LineLoop if closed else LinePrimitiveLineType.LineStrip
    some = [Point3(x=float(x), y=float(y), z=0.01) for x, y in points]
    return LinePrimitive(type=kind, pose=_pose(0.0, 0.0, 0.0), thickness=wide_m, points=some, color=_colour(colour))


def _block(outline: Sequence[Point], colour: str, high_m: float, above_m: float) -> Any:
    from foxglove.messages import CubePrimitive, Vector3

    (x0, x1), (y0, y1) = ((min(v), max(v)) for v in zip(*outline))
    pose = _pose((x0 + x1) / 2, (y0 + y1) / 2, above_m + high_m / 2)
    return CubePrimitive(pose=pose, size=Vector3(x=x1 - x0, y=y1 - y0, z=high_m), color=_colour(colour, 0.8))


def _text(words: str, at: Point, z: float, size_m: float) -> Any:
    from foxglove.messages import TextPrimitive

    return TextPrimitive(
        pose=_pose(*at, z), billboard=True, font_size=size_m, color=_colour(palette.INK), text=visible(words)
    )


def _middle(outline: Sequence[Point]) -> Point:
    xs, ys = zip(*outline)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _notes(words: str) -> list[Any]:
    from foxglove.messages import KeyValuePair

    return [KeyValuePair(key="words", value=visible(words))] if words else []


def layout() -> str:
    """A layout for Foxglove as JSON: the scene from above, what is said and done, and the events as they stand."""
    import foxglove.layouts as fl

    scene = fl.ThreeDeePanel(config=fl.ThreeDeeConfig(follow_tf=MAP, topics={t: _visible() for t in (PLAN, SCENE)}))
    words = fl.LogPanel(config=fl.LogConfig(topic_to_render=WORDS))
    acts = fl.RawMessagesPanel(config=fl.RawMessagesConfig(topic_path="/events/act"))
    right = fl.SplitContainer(
        direction="column",
        items=[fl.SplitItem(proportion=2, content=words), fl.SplitItem(proportion=1, content=acts)],
    )
    both = fl.SplitContainer(
        direction="row", items=[fl.SplitItem(proportion=2, content=scene), fl.SplitItem(proportion=1, content=right)]
    )
    return str(fl.Layout(content=both).to_json())


def _visible() -> Any:
    import foxglove.layouts as fl

    return fl.BaseRendererSceneUpdateTopicSettings(visible=True)
