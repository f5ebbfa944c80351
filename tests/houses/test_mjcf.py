"""Houses as models for MuJoCo: they load, things stay where they stand, doors swing, compartments are closed."""

import xml.etree.ElementTree as Xml
from dataclasses import replace

import pytest

from coterie.cli import main
from coterie.houses.mjcf import to_mjcf, unsettled
from coterie.houses.names import house

mujoco = pytest.importorskip("mujoco")


@pytest.mark.parametrize("name", ["flat", "hall", "house:17:12", "rooms:3:10002"])
def test_things_stay_where_they_stand(name):
    h = house(name)
    made = to_mjcf(h)
    assert made.things == len(h.things) > 5
    assert unsettled(h, made.xml) == []


def test_a_thing_that_hangs_in_the_air_does_not_stay():
    h = house("flat")
    one = to_mjcf(h).xml
    thing = h.things[0].name
    root = Xml.fromstring(one)
    body = next(b for b in root.iter("body") if b.get("name") == thing)
    x, y, z = body.get("pos").split()
    body.set("pos", f"{x} {y} {float(z) + 0.5}")
    assert [m.thing for m in unsettled(h, Xml.tostring(root, encoding="unicode"))] == [thing]


def test_a_door_is_as_open_as_the_house_has_it_and_swings():
    h = house("flat")
    h = replace(h, doors=tuple(replace(d, open=i > 0) for i, d in enumerate(h.doors)))
    model = mujoco.MjModel.from_xml_string(to_mjcf(h).xml)
    swinging = [d for d in h.doors if d.swings]
    assert {d.open for d in swinging} == {True, False}
    for door in swinging:
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        joint, body = model.joint(f"{door.name}_hinge"), model.body(door.name).id
        along = data.xmat[body].reshape(3, 3)[:2, 0] @ door.along
        assert abs(along) == pytest.approx(0.0 if door.open else 1.0, abs=1e-6), "a closed leaf lies in its wall"
        assert sorted(abs(v) for v in joint.range) == pytest.approx([0.0, 1.5708], abs=1e-3)
        push = max(joint.range, key=abs) * 10
        for _ in range(300):
            data.joint(f"{door.name}_hinge").qfrc_applied[:] = push
            mujoco.mj_step(model, data)
        assert abs(data.joint(f"{door.name}_hinge").qpos[0]) > 1.0


def test_what_opens_has_a_door_and_things_have_their_mass():
    h = house("flat")
    model = mujoco.MjModel.from_xml_string(to_mjcf(h).xml)
    for f in h.furniture:
        names = {model.joint(j).name for j in range(model.njnt)}
        assert (f"{f.name}_hinge" in names) == (f.opens and f.top_m - f.surface_m >= 0.15)
    for thing in h.things:
        assert model.body(thing.name).mass[0] == pytest.approx(thing.mass_kg or model.body(thing.name).mass[0])
        assert model.body(thing.name).mass[0] > 0


def test_the_command_writes_it(tmp_path, capsys):
    file = tmp_path / "house.xml"
    assert main(["export", "flat", "--mjcf", str(file), "--settle"]) == 0
    said = capsys.readouterr().out
    assert "3 doors on hinges" in said and "21 things stand where they stood" in said
    assert mujoco.MjModel.from_xml_path(str(file)).nbody > 30


@pytest.mark.parametrize("words", [["export", "nowhere", "--mjcf", "x.xml"], ["export", "flat", "--mjcf", "no/x.xml"]])
def test_what_cannot_be_written_is_said(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert "Traceback" not in capsys.readouterr().err
