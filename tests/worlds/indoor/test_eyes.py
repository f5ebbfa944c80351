"""Real robots that send pictures: a model behind an OpenAI-compatible endpoint names what is in them."""

import base64
import http.server
import io
import json
import math
import threading
from dataclasses import replace

import numpy as np
import pytest

from coterie import Config
from coterie.core.errors import CoterieError
from coterie.core.sight import Picture
from coterie.episode.play import play as playing
from coterie.models.openai import OpenAI
from coterie.models.wire import Endpoint as Wire
from coterie.render.svg import to_png
from coterie.worlds.indoor.eyes import spot_of
from coterie.worlds.indoor.real import RealHouse as World
from tests.worlds.indoor.test_real import Near

Image = pytest.importorskip("PIL.Image", reason="pillow is not installed (pip install 'coterie[plots]')")
WIDE, HIGH, FOV_DEG = 320, 240, 90.0
REAL = Config(task="pack-objects", seed=3, real="robots", synchronous=False, camera="vision")


def colour(kind, kinds):
    return (40 + 20 * sorted(kinds).index(kind), 200, 10)


def seen_by_colour(png, kinds):
    """What the model of this test says of a picture: a box for each patch of a kind's colour."""
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
    found = []
    for kind in kinds:
        rows, columns = np.nonzero((pixels == colour(kind, kinds)).all(axis=-1))
        if len(rows):
            box = [int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1]
            found.append({"kind": kind, "box": box})
    return found


class Endpoint(http.server.BaseHTTPRequestHandler):
    """Speaks chat completions with pictures."""

    kinds: list = []
    stages: list = []
    judges = staticmethod(lambda: "Yes.")

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        parts = asked["messages"][-1]["content"]
        urls = [p["image_url"]["url"] for p in parts if p["type"] == "image_url"]
        self.stages.append("judge" if len(urls) == 2 else "see")
        pngs = [base64.b64decode(url.partition(",")[2]) for url in urls]
        text = self.judges() if len(urls) == 2 else json.dumps(seen_by_colour(pngs[0], self.kinds))
        message = {"role": "assistant", "content": text}
        told = {"model": asked["model"], "choices": [{"message": message, "finish_reason": "stop"}], "usage": {}}
        raw = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        pass


@pytest.fixture
def endpoint(monkeypatch):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(Endpoint, "stages", [])
    yield OpenAI("eyes", Wire(f"http://127.0.0.1:{server.server_address[1]}/v1"))
    server.shutdown()
    server.server_close()


def photograph(at, target, things, kinds):
    """A picture towards a point, with a patch for each thing, drawn by a pinhole camera."""
    away = [t - a for t, a in zip(target, at)]
    heading, tilt = math.atan2(away[1], away[0]), math.atan2(away[2], math.hypot(away[0], away[1]))
    focal = WIDE / 2 / math.tan(math.radians(FOV_DEG) / 2)
    pixels = np.full((HIGH, WIDE, 3), 90, np.uint8)
    for kind, spot in things:
        x, y, z = (s - a for s, a in zip(spot, at))
        ahead, left = x * math.cos(heading) + y * math.sin(heading), -x * math.sin(heading) + y * math.cos(heading)
        depth, up = ahead * math.cos(tilt) + z * math.sin(tilt), z * math.cos(tilt) - ahead * math.sin(tilt)
        if depth > 0.2:
            u, v = round(WIDE / 2 - focal * left / depth), round(HIGH / 2 - focal * up / depth)
            pixels[max(0, v - 4) : max(0, v + 1), max(0, u - 2) : max(0, u + 3)] = colour(kind, kinds)
    data = base64.b64encode(to_png(np.dstack([pixels, np.full((HIGH, WIDE), 255, np.uint8)]))).decode("ascii")
    return Picture(data, tuple(at), math.degrees(heading), math.degrees(tilt), FOV_DEG)


def test_a_thing_is_where_its_line_of_sight_meets_the_first_surface(stand_in):
    house = stand_in.House(Config(task="pack-objects", seed=3), 5, 0.0, 1e9)
    kinds = [t.kind for t in house.things]
    for thing in house.things:
        x, y, z = thing.at
        picture = photograph((x + 0.6, y - 0.4, z + 0.7), (x, y + 0.1, z), [(thing.kind, thing.at)], kinds)
        [found] = seen_by_colour(base64.b64decode(picture.png), kinds)
        assert math.dist(spot_of(house.scene, picture, found["box"]), thing.at) < 0.05


def team(stand_in):
    """Robots that tell nothing apart themselves: they know where they are and what they hold, and send pictures."""
    house = stand_in.House(Config(task="pack-objects", seed=3), 5, 0.0, 1e9)
    Endpoint.kinds = sorted({t.kind for t in house.things})

    class Eyed(stand_in.StandIn):
        def sense(self):
            return super().sense()._replace(things=(), places=())

        def picture(self):
            told = super().sense()
            if not told.places:
                return None
            x, y = house.poses[self.name]
            stands = house.scene.stand_poses.items()
            near = {p: min([math.dist(at, (x, y)) for (q, _), at in stands if q == p] or [9.0]) for p in told.places}
            place = min(told.places, key=near.get)
            f = house.scene.piece[place]
            here = [place, *(p.name for p in house.platforms.values() if p.on == place)]
            lying = [(t.kind, t.at) for t in house.things if t.on in here]
            dx, dy = x - f.centre[0], y - f.centre[1]
            back = 1 + 1.2 / max(0.1, math.hypot(dx, dy))  # a camera behind the robot sees all of it
            camera = (f.centre[0] + back * dx, f.centre[1] + back * dy, 2.8)
            picture = photograph(camera, (*f.centre, f.surface_m), lying, Endpoint.kinds)
            return picture._replace(places=(place,))

    return house, {name: Shows(Eyed(name, house)) for name in house.cards}


class Shows(Near):
    """Sends a picture with each report for which it shows something new."""

    last = None

    def sensed(self, robot, wait_s=0.0):
        [sight] = super().sensed(robot, wait_s)
        picture = self.robot.picture()
        new, self.last = picture != self.last, picture
        return [sight._replace(picture=picture if new else None).check()]


class Enough(Exception):
    """The episode has shown what it is to show."""


def play_for(seconds, camera, drivers, model):
    """An episode up to a moment."""
    held = []

    def watch(episode):
        held[:] = [episode]
        if episode.world.now >= seconds:
            raise Enough

    with pytest.raises(Enough):
        playing(replace(REAL, camera=camera), watch=watch, drivers=drivers, model=model)
    return held[0]


@pytest.mark.parametrize("camera", ["vision", "vision+success"])
def test_a_team_finds_and_packs_what_a_model_names_in_its_pictures(stand_in, endpoint, camera):
    house, drivers = team(stand_in)
    episode = play_for(2.0, camera, drivers, endpoint)
    assert set(Endpoint.stages) == ({"see", "judge"} if "success" in camera else {"see"})
    asks = [e for e in episode.log.events if e.kind == "ask"]
    assert len(asks) == len(Endpoint.stages) and {e.data["stage"] for e in asks} == set(Endpoint.stages)
    where = {t.kind: t.on for t in house.things}
    assert where["apple"] == "tray", "it was named, taken and put there"
    for kind in ("stapler", "spoon"):
        assert episode.world.truth["where", f"{kind}_0"] == where[kind]
    assert episode.world.truth["where", "book_0"] is None, "nobody has shown a picture of it yet"


def test_what_a_model_does_not_believe_the_robot_hears_as_failed(stand_in, endpoint, monkeypatch):
    answers = iter(["no"])
    monkeypatch.setattr(Endpoint, "judges", staticmethod(lambda: next(answers, "yes")))
    heard, hear = [], World.looked
    monkeypatch.setattr(World, "looked", lambda *args: heard.append(hear(*args)) or heard[-1])
    play_for(1.0, "vision+success", team(stand_in)[1], endpoint)
    judged = [outcome for told in heard for outcome in told.values()]
    assert [(o.status, o.cause.clause) for o in judged if not o.ok] == [("failed", "judged")]


def test_cameras_that_are_none_are_a_sentence():
    for real, camera, words in (("", "vision", "--camera with --real"), ("robots", "x-ray", "No camera 'x-ray'")):
        with pytest.raises(CoterieError, match=words):
            playing(Config(task="pack-objects", real=real, camera=camera))
