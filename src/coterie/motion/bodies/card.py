"""An arm that was not written here: a card (TOML) beside a model (MJCF with its meshes in it), as `coterie arm import`
writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.bounds import MOST_WORD, read_bounded
from coterie.core.errors import CoterieError
from coterie.core.files import replace_text
from coterie.core.reader import Reader, load_toml
from coterie.motion import needs
from coterie.motion.bodies.parts import LAG, PASSIVE, Kit

SUFFIX = ".toml"
OWN, CUP, FINGERS = "own", "cup", "fingers"  # what the hand holds with: its maker's gripper, or one of ours
STIFF = 133.0  # [1/rad] of a servo, for each Nm that its joint may pull with
ARMATURE, STRONG = 0.1, 28.0  # [kg m^2] of a joint that pulls with so much [Nm]; weaker ones have less
MOST_MODEL = 64_000_000  # bytes
PINCH = {"slide": (400.0, 20.0, 0.05), "hinge": (8.0, 2.0, 5e-4)}  # stiffness, force and armature of a finger


class Joint(NamedTuple):
    """One joint between base and hand, by its maker's name."""

    name: str
    range: tuple[float, float]  # [rad or m]
    speed: float  # [rad/s or m/s]
    torque: float  # [Nm or N]


class Ends(NamedTuple):
    """A joint of the gripper, or what its maker's own controller is told, when it is open and when it is shut."""

    name: str
    open: float
    shut: float


class ArmCard(NamedTuple):
    """All that the table has to know of an arm."""

    body: str
    about: str
    home: tuple[float, ...]
    joints: tuple[Joint, ...]
    tool: str  # OWN, CUP or FINGERS
    tip_m: float
    opening_m: float  # half of the room between open fingers; 0 for a hand that takes hold with one face
    fingers: tuple[Ends, ...]
    sides: tuple[tuple[str, ...], ...]  # bodies that close from either side
    motors: tuple[Ends, ...]
    may_touch: tuple[tuple[str, str], ...]
    mjcf: str
    reach_m: float = 0.8  # from the axis of its base, the hand pointing down
    foot_m: float = 0.1  # half of its base, along y
    payload_kg: float = 1.0

    def add(self, spec: Any, kit: Kit, at: list[float], quat: list[float]) -> Any:
        """Put the arm into a scene, without a rail; returns its base."""
        mj = needs.mujoco()
        try:
            child = mj.MjSpec.from_string(self.mjcf)
            for joint in self.joints:
                _set(child.joint(joint.name), STIFF * joint.torque, joint.torque / STRONG * ARMATURE, joint.range)
            for finger in self.fingers:
                stiff, _, armature = PINCH[_kind(child.joint(finger.name))]
                _set(child.joint(finger.name), stiff, armature)
        except (ValueError, AttributeError) as err:
            raise CoterieError(f"The model of {self.body} cannot be used: {err}. Import the arm anew.") from err
        frame = spec.worldbody.add_frame(pos=at, quat=quat)
        spec.attach(child, prefix=f"{kit.name}/", frame=frame)
        for pair in self.may_touch:
            kit.exclude(pair)
        return spec.body(f"{kit.name}/base")

    def drive(self, kit: Kit) -> None:
        """Servos of joints and fingers, and the hand of those that come without a gripper of their own."""
        for joint in self.joints:
            kit.servo(joint.name, joint.range, STIFF * joint.torque, joint.torque)
        for finger in self.fingers:
            stiff, force, _ = PINCH[_kind(kit.spec.joint(f"{kit.name}/{finger.name}"))]
            low, high = sorted((finger.open, finger.shut))
            kit.servo(finger.name, (low, max(high, low + 1e-4)), stiff, force)
        if self.tool != OWN:
            kit.chain(self.tool, {})


def _kind(joint: Any) -> str:
    return "slide" if joint.type == needs.mujoco().mjtJoint.mjJNT_SLIDE else "hinge"


def _set(joint: Any, stiff: float, armature: float, limits: tuple[float, float] | None = None) -> None:
    joint.armature, joint.damping = min(ARMATURE, armature), [PASSIVE * LAG * stiff, 0.0, 0.0]
    if limits is not None:
        joint.range = list(limits)


def save(card: ArmCard, out: Path) -> None:
    """Write a card, and its model beside it."""
    lines = ["# An arm for the table. `coterie arm import` wrote it; correct by hand what it could not know."]
    lines += [f"{key} = {_toml(getattr(card, key))}" for key in ("body", "about", "reach_m", "foot_m", "payload_kg")]
    lines += [f"model = {_toml(out.with_suffix('.xml').name)}"]
    lines += [f"{key} = {_toml(getattr(card, key))}" for key in ("home", "may_touch")]
    lines += _tables("joint", card.joints)
    lines += ["", "[gripper]", f"tool = {_toml(card.tool)}"]
    if card.tool == OWN:
        lines += [f"{key} = {_toml(getattr(card, key))}" for key in ("tip_m", "opening_m", "sides")]
        lines += [*_tables("gripper.finger", card.fingers), *_tables("gripper.motor", card.motors)]
    replace_text(out.with_suffix(".xml"), card.mjcf)
    replace_text(out, "\n".join(lines) + "\n")


def _tables(heading: str, parts: Sequence[Any]) -> list[str]:
    return [t for p in parts for t in ("", f"[[{heading}]]", *(f"{k} = {_toml(v)}" for k, v in p._asdict().items()))]


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "").replace('"', "'") + '"'
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(round(float(value), 6))


def load(path: str) -> ArmCard:
    """The arm of a card, from its file and the model beside it."""
    file = Path(path)
    data = load_toml(file, "arm")
    r = Reader(data, path)
    model = file.parent / Path(r.text("model", required=True)).name
    return _read(path, read_bounded(file, "arm"), read_bounded(model, "model of an arm", MOST_MODEL))


@lru_cache(maxsize=32)
def _read(path: str, text: bytes, model: bytes) -> ArmCard:
    r = Reader(load_toml(Path(path), "arm"), path)
    r.text("model")
    joints = tuple(_joint(t) for t in r.tables("joint", 30))
    gripper = r.table("gripper")
    tool = gripper.text("tool", OWN, (OWN, CUP, FINGERS))
    given = {k: gripper.number(k, 0.0, 0.0, 1.0) for k in ("tip_m", "opening_m")}
    usual = {CUP: (0.004, 0.0), FINGERS: (0.012, 0.042)}.get(tool, tuple(given.values()))
    fingers, motors = (tuple(map(_ends, gripper.tables(key, 30))) for key in ("finger", "motor"))
    card = ArmCard(
        body=r.text("body", required=True, most=MOST_WORD),
        about=r.text("about", "an arm"),
        reach_m=r.number("reach_m", 0.8, 0.05, 5.0),
        foot_m=r.number("foot_m", 0.1, 0.0, 1.0),
        payload_kg=r.number("payload_kg", 1.0, 0.0, 1000.0),
        home=tuple(r.numbers("home", len(joints), required=True)),
        joints=joints,
        tool=tool,
        tip_m=usual[0],
        opening_m=usual[1],
        fingers=fingers,
        sides=tuple(_names(gripper, "sides")),
        motors=motors,
        may_touch=tuple((a, b) for a, b in _names(r, "may_touch", 2)),
        mjcf=model.decode("utf-8", "replace"),
    )
    gripper.done()
    r.done()
    if not 2 <= len(joints) <= 20:
        raise r.fail(f"an arm has 2 to 20 joints, and this one {len(joints)}; head each with [[joint]].")
    return card


def _joint(t: Reader) -> Joint:
    low, high = t.numbers("range", 2, required=True)
    if not low < high:
        raise t.fail("`range` goes from the least value to the largest.")
    speed, torque = t.number("speed", math.pi, 1e-3, 100.0), t.number("torque", STRONG, 1e-3, 1e5)
    found = Joint(t.text("name", required=True), (low, high), speed, torque)
    t.done()
    return found


def _ends(t: Reader) -> Ends:
    found = Ends(*(t.text("name", required=True), *(t.number(end, required=True) for end in ("open", "shut"))))
    t.done()
    return found


def _names(r: Reader, key: str, count: int | None = None) -> list[tuple[str, ...]]:
    value = r.raw(key, [])
    lists = isinstance(value, list) and all(isinstance(v, list) and all(isinstance(n, str) for n in v) for v in value)
    if not lists or any(count not in (None, len(v)) for v in value):
        raise r.fail(f"`{key}` must be a list of lists of names, like [['a', 'b']].")
    return [tuple(v) for v in value]
