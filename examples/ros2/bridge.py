"""Rosa and Bob behind a rosbridge, without ROS: they stand in for robots whose ROS is on another machine.

    python examples/ros2/bridge.py

A small server of rosbridge's JSON protocol (version 2), written from its public description: topics, services and
actions. Rosa drives about and fetches, by `/rosa/goal_pose` or by the action `/rosa/navigate_to_pose`; Bob is an arm at
the table. They know nothing of Coterie. Rosa stops when nobody says any more that it is driven (/rosa/alive).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import signal
import threading
import time

try:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.server import serve
except ImportError:
    raise SystemExit("This needs websockets: pip install 'coterie[rosbridge]'") from None

TICK_S = 0.05
SEES_M = 2.5
ALIVE_S = 1.0
SUCCEEDED, CANCELED, ABORTED = 4, 5, 6  # of action_msgs/msg/GoalStatus


class Things:
    """What lies about, by kind: where, or who holds it."""

    def __init__(self):
        self.at = {"sponge": (4.9, 0.3, 1.1), "phone": (1.2, 0.45, 0.45), "banana": (9.2, 3.0, 0.75)}
        self.held = {}  # by robot: the kind


class Robot:
    def __init__(self, name, things, pose, speed, reach_m, publish):
        self.name, self.things, self.pose, self.speed, self.reach_m = name, things, pose, speed, reach_m
        self.publish = publish
        self.goal = self.target = self.by_action = None
        self.alive_at, self.watched, self.battery = 0.0, False, 1.0
        self.topics = {"goal_pose": self.go, "cmd_vel": self.stand_still, "target": self.aim, "alive": self.hear_alive}

    def say(self, words):
        print(f"{self.name} {words}", flush=True)

    def set_out(self, pose, by_action=None):
        at = pose.get("position", {})
        self.goal, self.by_action = (float(at.get("x", 0)), float(at.get("y", 0))), by_action
        self.alive_at = time.monotonic()
        self.say(f"goes to {self.goal[0]:.2f} {self.goal[1]:.2f}")

    def go(self, message):
        self.set_out(message.get("pose", {}))

    def end(self, status, words):
        goal, self.goal, self.by_action = self.by_action, None, None
        if words:
            self.say(words)
        if goal is not None:
            goal.end(status)

    def stand_still(self, message):
        if self.goal is not None and not any(map(any_number, message.values())):
            self.end(ABORTED, "stands still")

    def hear_alive(self, message):
        self.alive_at, self.watched = time.monotonic(), True

    def aim(self, message):
        self.target = tuple(float(message.get("point", {}).get(axis, 0)) for axis in "xyz")

    def grip(self, close):
        """Close the gripper around what is at the target, or let go of what it holds there."""
        held = self.things.held.get(self.name)
        if self.target is None or math.dist(self.target[:2], self.pose) > self.reach_m:
            return {"success": False, "message": "The target is out of reach."}
        if not close and held is None:
            return {"success": False, "message": "The gripper is empty."}
        if not close:
            self.things.at[self.things.held.pop(self.name)] = self.target
            self.say(f"lets go of the {held}")
            return {"success": True, "message": f"It has let go of the {held}."}
        near = [k for k, p in self.things.at.items() if math.dist(p, self.target) <= 0.3]
        if held is not None or not near:
            return {"success": False, "message": "There is nothing to take."}
        self.things.held[self.name] = near[0]
        del self.things.at[near[0]]
        self.say(f"takes the {near[0]}")
        return {"success": True, "message": f"It has the {near[0]}."}

    def tick(self):
        if self.goal is not None:
            if self.watched and time.monotonic() - self.alive_at > ALIVE_S:
                self.watched = False
                self.end(ABORTED, "is not driven any more and stands still")
                return
            gap = math.dist(self.goal, self.pose)
            part = min(1.0, self.speed * TICK_S / gap) if gap > 1e-6 else 1.0
            self.pose = tuple(p + part * (g - p) for p, g in zip(self.pose, self.goal))
            self.battery = max(0.0, self.battery - 1e-4)
            if self.by_action is not None:
                self.by_action.feedback({"distance_remaining": round((1 - part) * gap, 3)})
            if part == 1.0:
                self.end(SUCCEEDED, "")
        x, y = self.pose
        self.publish(f"/{self.name}/odom", {"pose": {"pose": {"position": {"x": x, "y": y, "z": 0.0}}}})
        near = [(k, p) for k, p in self.things.at.items() if math.dist(p[:2], self.pose) <= SEES_M]
        rows = [{"kind": k, "x": p[0], "y": p[1], "z": p[2]} for k, p in near]
        self.publish(f"/{self.name}/things", {"data": json.dumps({"things": rows})})
        self.publish(f"/{self.name}/hand", {"data": self.things.held.get(self.name, "")})
        self.publish(f"/{self.name}/battery", {"percentage": self.battery})


def any_number(value):
    """Whether a message, or a part of it, holds a number that is not zero."""
    return any(map(any_number, value.values())) if isinstance(value, dict) else bool(value)


class Goal:
    """A goal of an action, under way for one client."""

    def __init__(self, client, told):
        self.client, self.id, self.action = client, told.get("id"), told["action"]

    def feedback(self, values):
        self.client.send({"op": "action_feedback", "id": self.id, "action": self.action, "values": values})

    def end(self, status):
        told = {"op": "action_result", "id": self.id, "action": self.action, "values": {}, "status": status}
        self.client.send({**told, "result": status == SUCCEEDED})


class Client:
    def __init__(self, socket):
        self.socket, self.topics = socket, set()

    def send(self, told):
        with contextlib.suppress(ConnectionClosed):
            self.socket.send(json.dumps(told))


class Bridge:
    def __init__(self, speed):
        self.lock, self.clients, things = threading.RLock(), set(), Things()
        robots = (
            Robot("rosa", things, (3.0, 4.0), speed, 1.3, self.publish),
            Robot("bob", things, (1.9, 2.65), 0.0, 1.2, self.publish),
        )
        self.robots = {robot.name: robot for robot in robots}
        threading.Thread(target=self.live, daemon=True).start()

    def live(self):
        while True:
            time.sleep(TICK_S)
            with self.lock:
                for robot in self.robots.values():
                    robot.tick()

    def publish(self, topic, message):
        for client in [c for c in self.clients if topic in c.topics]:
            client.send({"op": "publish", "topic": topic, "msg": message})

    def attend(self, socket):
        client = Client(socket)
        self.clients.add(client)
        try:
            for text in socket:
                with self.lock:
                    self.take(client, json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            self.clients.discard(client)

    def take(self, client, told):
        op, name = told.get("op"), told.get("topic") or told.get("service") or told.get("action") or ""
        _, robot, what = (*name.split("/"), "", "")[:3]
        body = self.robots.get(robot)
        if op == "subscribe":
            client.topics.add(name)
        elif op == "publish" and body is not None and what in body.topics:
            body.topics[what](told.get("msg", {}))
        elif op == "call_service":
            good = body is not None and what == "grip"
            values = body.grip(bool(told.get("args", {}).get("data"))) if good else f"Service {name} does not exist"
            client.send(
                {"op": "service_response", "id": told.get("id"), "service": name, "values": values, "result": good}
            )
        elif op == "send_action_goal" and body is not None and what == "navigate_to_pose":
            body.set_out(told.get("args", {}).get("pose", {}).get("pose", {}), Goal(client, told))
        elif op == "send_action_goal":
            client.send(
                {"op": "status", "level": "error", "msg": f"Action {name} does not exist", "id": told.get("id")}
            )
        elif op == "cancel_action_goal" and body is not None:
            if body.by_action is not None and body.by_action.id == told.get("id"):
                body.end(CANCELED, "stands still")
        elif op not in ("advertise", "unsubscribe", "publish"):
            client.send({"op": "status", "level": "error", "msg": f"Unknown operation: {op}"})


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--speed", type=float, default=1.0, help="of Rosa [m/s] (default 1)")
    p.add_argument("--port", type=int, default=9090)
    args = p.parse_args()
    bridge = Bridge(args.speed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with serve(bridge.attend, "127.0.0.1", args.port, compression=None) as server:
        port = server.socket.getsockname()[1]
        print(f"rosa, bob: ready at ws://127.0.0.1:{port}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
