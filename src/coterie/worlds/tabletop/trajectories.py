"""Motions of an episode for other controllers: every joint at 500 Hz, within its maker's limits, round corners.

A log holds where all joints were four times a second, and rests at every corner of a path. Those corners are kept, the
rests are not: straight stretches are joined by parabolas (Kunz and Stilman 2011) that pass a corner within `OFF_RAD`.
Arms stand still only where fingers open or close; in between each goes in its own time, where they keep clear of each
other so, and else in step, as they were checked.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.files import draft, replace_text, writing
from coterie.core.lazy import need
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.motion.needs import mujoco
from coterie.worlds.tabletop.captions import rounds

RATE = 500.0  # [Hz]
OFF_RAD = 0.005  # [rad or m] by which a corner may be missed
STILL = 1e-3  # [rad or m] less than this is no motion
FINE = 0.04  # [rad or m] between knots
HASTE = 4.0  # [1/s] acceleration over speed
CLEAR_M, CHECK = 0.01, 10  # between arms in their own times, looked at every so many points
MOVED = 1e-2  # [m or rad] what moves less rests
#: Speeds of the makers [rad/s]; of rails and fingers [m/s].
SPEEDS = {"UR5e": 3.14, "UR5eSuction": 3.14, "Panda": 2.175}
USUAL, RAIL, FINGER = 1.6, 1.0, 0.1


class Timed(NamedTuple):
    """Joint values over time."""

    t: np.ndarray  # (n,) [s]
    q: np.ndarray  # (n, joints)
    v: np.ndarray  # (n, joints)


def timed(knots: np.ndarray, speed: np.ndarray, push: np.ndarray, rate: float = RATE) -> Timed:
    """From rest to rest along straight lines between knots, past each of them without a stop."""
    d = np.diff(knots, axis=0)
    lasts = np.maximum((np.abs(d) / speed).max(axis=1), 2 / rate)
    for _ in range(200):
        v = d / lasts[:, None]
        jump = np.diff(np.vstack([0 * v[:1], v, 0 * v[:1]]), axis=0)
        blend = (np.abs(jump) / push).max(axis=1)
        off = np.zeros(len(knots))  # beside a corner; along the way nothing is missed
        on = v[1:] + v[:-1]
        on = on / np.maximum(np.linalg.norm(on, axis=1, keepdims=True), 1e-9)
        beside = jump[1:-1] - (jump[1:-1] * on).sum(axis=1, keepdims=True) * on
        off[1:-1] = (np.abs(beside) * blend[1:-1, None] / 8).max(axis=1, initial=0.0)
        crowded = (blend[:-1] + blend[1:]) / 2 / lasts
        slower = np.sqrt(np.maximum.reduce([np.ones(len(d)), crowded, off[:-1] / OFF_RAD, off[1:] / OFF_RAD]))
        if slower.max() <= 1 + 1e-6:
            break
        lasts = lasts * slower
    at = blend[0] / 2 + np.concatenate(([0.0], np.cumsum(lasts)))
    times = np.stack([at - blend / 2, at + blend / 2], axis=1).ravel()
    speeds = np.repeat(np.vstack([0 * v[:1], v, 0 * v[:1]]), 2, axis=0)[1:-1]
    dt = np.diff(times)[:, None]
    reached = knots[0] + np.concatenate(([0 * knots[0]], np.cumsum((speeds[1:] + speeds[:-1]) / 2 * dt, axis=0)))
    t = np.append(np.arange(0.0, times[-1], 1 / rate), times[-1])
    i = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    since, whole = (t - times[i])[:, None], np.maximum(dt[i], 1e-12)
    change = (speeds[i + 1] - speeds[i]) / whole
    return Timed(t, reached[i] + speeds[i] * since + change * since**2 / 2, speeds[i] + change * since)


def episode(
    model: Any, poses: Sequence[Sequence[float]], limits: Mapping[str, Any], rate: float = RATE
) -> tuple[list[str], Timed]:
    """The joints of all arms and where they are, one round after the other; `limits` are speeds by robot."""
    every = [model.joint(j).name for j in range(model.njnt)]
    joints = [j for j, name in enumerate(every) if "/" in name and name.partition("/")[0] in limits]
    names = [every[j] for j in joints]
    fingers = np.array(["/finger" in name for name in names])
    own = {r: iter(v) if isinstance(v, list) else repeat(v) for r, v in limits.items()}
    speed = np.array([_speed(name, own[name.partition("/")[0]]) for name in names])
    frames = np.array(poses)
    q = frames[:, model.jnt_qposadr[joints]]
    owners = np.array([name.partition("/")[0] for name in names])
    groups = [np.flatnonzero(owners == robot) for robot in dict.fromkeys(owners)]
    parts, now = [Timed(np.zeros(1), q[:1], 0 * q[:1])], 0.0
    for piece in _pieces(q, fingers):
        own_time = [np.arange(len(names))] if len(groups) == 1 else groups
        made = _side_by_side([_timed(q[piece][:, g], speed[g], rate) for g in own_time], own_time, len(names))
        if len(groups) > 1 and not apart(model, frames[piece], joints, owners, made):
            made = _timed(q[piece], speed, rate)
        parts.append(Timed(made.t[1:] + now, made.q[1:], made.v[1:]))
        now += float(made.t[-1])
    return names, Timed(*(np.concatenate(column) for column in zip(*parts)))


def _timed(knots: np.ndarray, speed: np.ndarray, rate: float) -> Timed:
    return timed(_finer(_corners(knots)), speed, HASTE * speed, rate)


def _side_by_side(ways: Sequence[Timed], groups: Sequence[np.ndarray], count: int) -> Timed:
    """Joints that begin together; those that arrive sooner rest."""
    t = max((way.t for way in ways), key=len)
    q, v = np.zeros((len(t), count)), np.zeros((len(t), count))
    for way, group in zip(ways, groups):
        q[:, group], v[: len(way.t), group] = way.q[np.minimum(np.arange(len(t)), len(way.t) - 1)], way.v
    return Timed(t, q, v)


def apart(model: Any, frames: np.ndarray, joints: Sequence[int], owners: np.ndarray, made: Timed) -> bool:
    """True if arms that move each in its own time, with what they carry, keep clear of each other. They do not where
    anything else moves: they lead it together, as a rope, or wait for it."""
    mj = mujoco()
    adr, frozen = model.jnt_qposadr, copy.copy(model)
    frozen.geom_margin[:] = CLEAR_M
    data = mj.MjData(frozen)
    data.qpos[:] = frames[0]
    mj.mj_kinematics(frozen, data)
    whose = {b: name.partition("/")[0] for b in range(model.nbody) if "/" in (name := model.body(b).name)}
    carried: list[tuple[slice, np.ndarray]] = []  # a thing, and how far along the frames it is at each moment
    hands = {r: data.site(f"{r}/ee").xpos.copy() for r in dict.fromkeys(owners)}
    for j in [j for j in range(model.njnt) if "/" not in model.joint(j).name]:
        loose = model.jnt_type[j] == mj.mjtJoint.mjJNT_FREE
        where = slice(adr[j], adr[j] + 7) if loose else slice(adr[j], adr[j] + 1)
        if np.ptp(frames[:, where], axis=0).max() < MOVED:
            continue
        if not loose:
            return False
        holder = min(hands, key=lambda r: float(np.linalg.norm(hands[r] - frames[0, adr[j] : adr[j] + 3])))
        own = np.flatnonzero(owners == holder)
        old, new = (_length(q) for q in (frames[:, adr[joints]][:, own], made.q[:, own]))
        carried.append((where, np.interp(new / max(new[-1], 1e-9), old / max(old[-1], 1e-9), np.arange(len(frames)))))
        whose[int(model.jnt_bodyid[j])] = holder
    team = np.array([whose.get(b, "") for b in range(model.nbody)])[model.geom_bodyid]
    for k in range(0, len(made.t), CHECK):
        data.qpos[adr[joints]] = made.q[k]
        for where, at in carried:
            before, share = int(at[k]), at[k] % 1
            data.qpos[where] = (1 - share) * frames[before, where] + share * frames[
                min(before + 1, len(frames) - 1), where
            ]
        mj.mj_kinematics(frozen, data)
        mj.mj_collision(frozen, data)
        one, other = team[data.contact.geom[:, 0]], team[data.contact.geom[:, 1]]
        if ((one != other) & (one != "") & (other != "")).any():
            return False
    return True


def _length(q: np.ndarray) -> np.ndarray:
    """How far joints have gone by each moment."""
    return np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))))


def _speed(name: str, own: Iterator[float]) -> float:
    return FINGER if "/finger" in name else RAIL if name.endswith("/slide") else next(own)


def _pieces(q: np.ndarray, fingers: np.ndarray) -> Iterator[list[int]]:
    """Frames between which something moves; arms and fingers take turns."""
    kept = [0]
    for k in range(1, len(q)):
        if np.abs(q[k] - q[kept[-1]]).max() > STILL:
            kept.append(k)
    grips = [bool(np.abs((q[b] - q[a])[fingers]).max(initial=0.0) > STILL) for a, b in pairwise(kept)]
    first = 0
    for _, run in groupby(grips):
        last = first + len(list(run))
        yield kept[first : last + 1]
        first = last


def _corners(knots: np.ndarray) -> np.ndarray:
    """The knots without those that lie on the straight line between others (Douglas and Peucker)."""
    a, b = knots[0], knots[-1]
    along = b - a
    share = np.clip((knots - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    off = np.abs(knots - a - share[:, None] * along).max(axis=1)
    k = int(off.argmax())
    if off[k] < OFF_RAD:
        return knots[[0, -1]]
    return np.concatenate([_corners(knots[: k + 1])[:-1], _corners(knots[k:])])


def _finer(knots: np.ndarray) -> np.ndarray:
    """The same way with more knots: a corner slows down its neighbourhood, and not all of a long stretch."""
    out = [knots[:1]]
    for a, b in pairwise(knots):
        count = max(1, int(np.ceil(np.abs(b - a).max() / FINE)))
        out.append(a + (b - a) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(out)


def save(model: Any, events: Sequence[Event], folder: Path) -> list[Path]:
    """A CSV and a JointTrajectory (JSON) for each robot, and all of them in one MCAP file."""
    start = read(StartEvent, events[0])
    told = start.raw.get("speeds", {})
    limits = {n: told.get(n) or SPEEDS.get(r["card"]["body"], USUAL) for n, r in start.robots.items()}
    poses = [pose for r in rounds(events) for pose in r.poses]
    if not poses:
        raise CoterieError("The log has no motion: no round holds the fact 'frames'.")
    names, made = episode(model, poses, limits)
    folder.mkdir(parents=True, exist_ok=True)
    written, messages = [], []
    for robot in limits:
        own = [i for i, name in enumerate(names) if name.startswith(f"{robot}/")]
        short = [names[i].partition("/")[2] for i in own]
        q, v = made.q[:, own].round(6), made.v[:, own].round(6)
        rows = [",".join(["time", *short, *(f"{n}_velocity" for n in short)])]
        rows += [",".join(map(str, (round(float(t), 6), *a, *b))) for t, a, b in zip(made.t, q.tolist(), v.tolist())]
        message = joint_trajectory(robot, names, made)
        messages.append((f"/{robot}/joint_trajectory", message))
        for path, text in ((f"{robot}.csv", "\n".join(rows) + "\n"), (f"{robot}.json", json.dumps(message) + "\n")):
            with writing(f"'{folder / path}'"):
                replace_text(folder / path, text)
            written.append(folder / path)
    return [*written, _mcap(folder / "trajectories.mcap", messages)]


def joint_trajectory(robot: str, names: Sequence[str], made: Timed) -> dict[str, Any]:
    """The `trajectory_msgs/JointTrajectory` message of one robot."""
    own = [i for i, name in enumerate(names) if name.startswith(f"{robot}/")]
    rows = zip(made.t.tolist(), made.q[:, own].round(6).tolist(), made.v[:, own].round(6).tolist())
    points = [
        {"positions": a, "velocities": b, "time_from_start": {"sec": int(t), "nanosec": int(t % 1 * 1e9)}}
        for t, a, b in rows
    ]
    return {"header": {"frame_id": robot}, "joint_names": [names[i].partition("/")[2] for i in own], "points": points}


def _mcap(path: Path, messages: Sequence[tuple[str, dict[str, Any]]]) -> Path:
    foxglove = need("foxglove", "mcap", "Trajectories as MCAP need", "foxglove-sdk")
    context = foxglove.Context()
    opened, form = foxglove.open_mcap, {"type": "object", "title": "trajectory_msgs/JointTrajectory"}
    with writing(f"'{path}'"), draft(path) as part, opened(str(part), allow_overwrite=True, context=context):
        for topic, message in messages:
            foxglove.Channel(topic, schema=form, message_encoding="json", context=context).log(message, log_time=0)
    return path
