"""Two robots that speak ROS 2 and know nothing of Coterie: Rosa drives about and fetches, Bob is an arm at the table.

    python examples/ros2/robots.py

They stand in for real ones, so that docs/ros2.md can be followed without hardware: nodes of rclpy, with topics and
services as robots have them. Rosa stops when nobody says any more that it is driven (/rosa/alive).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import signal
import time

try:
    import rclpy
except ImportError:
    raise SystemExit("These robots are nodes of rclpy: see docs/ros2.md for how to get it.") from None
from geometry_msgs.msg import PointStamped, PoseStamped, Twist
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Bool, String
from std_srvs.srv import SetBool

TICK_S = 0.05
SEES_M = 2.5
ALIVE_S = 1.0


class Things:
    """What lies about, by kind: where, or who holds it."""

    def __init__(self):
        self.at = {"sponge": (4.9, 0.3, 1.1), "phone": (1.2, 0.45, 0.45), "banana": (9.2, 3.0, 0.75)}
        self.held = {}  # by robot: the kind


class RobotNode:
    def __init__(self, name, things, pose, speed, reach_m):
        self.name, self.things, self.pose, self.speed, self.reach_m = name, things, pose, speed, reach_m
        self.goal = self.target = None
        self.alive_at, self.watched = 0.0, False
        self.battery = 1.0
        self.node = rclpy.create_node(name)
        publisher, topic = self.node.create_publisher, f"/{name}".__add__
        self.odom = publisher(Odometry, topic("/odom"), 10)
        self.seen = publisher(String, topic("/things"), 10)
        self.hand = publisher(String, topic("/hand"), 10)
        self.charge = publisher(BatteryState, topic("/battery"), 10)
        hears = self.node.create_subscription
        hears(PoseStamped, topic("/goal_pose"), self.go, 10)
        hears(Twist, topic("/cmd_vel"), self.stand_still, 10)
        hears(PointStamped, topic("/target"), self.aim, 10)
        hears(Bool, topic("/alive"), self.hear_alive, 10)
        self.node.create_service(SetBool, topic("/grip"), self.grip)
        self.node.create_timer(TICK_S, self.tick)

    def say(self, words):
        print(f"{self.name} {words}", flush=True)

    def go(self, message):
        self.goal = (message.pose.position.x, message.pose.position.y)
        self.alive_at = time.monotonic()
        self.say(f"goes to {self.goal[0]:.2f} {self.goal[1]:.2f}")

    def stand_still(self, message):
        if self.goal is not None and message == Twist():
            self.goal = None
            self.say("stands still")

    def hear_alive(self, message):
        self.alive_at, self.watched = time.monotonic(), True

    def aim(self, message):
        self.target = (message.point.x, message.point.y, message.point.z)

    def grip(self, request, response):
        """Close the gripper around what is at the target, or let go of what it holds there."""
        held = self.things.held.get(self.name)
        if self.target is None or math.dist(self.target[:2], self.pose) > self.reach_m:
            response.message = "The target is out of reach."
        elif request.data:
            near = [k for k, p in self.things.at.items() if math.dist(p, self.target) <= 0.3]
            if held is None and near:
                self.things.held[self.name] = near[0]
                del self.things.at[near[0]]
                response.success = True
                self.say(f"takes the {near[0]}")
            response.message = f"It has the {near[0]}." if response.success else "There is nothing to take."
        elif held is None:
            response.message = "The gripper is empty."
        else:
            self.things.at[self.things.held.pop(self.name)] = self.target
            response.success, response.message = True, f"It has let go of the {held}."
            self.say(f"lets go of the {held}")
        return response

    def tick(self):
        if self.goal is not None:
            if self.watched and time.monotonic() - self.alive_at > ALIVE_S:
                self.goal = None
                self.say("is not driven any more and stands still")
                return
            gap = math.dist(self.goal, self.pose)
            part = min(1.0, self.speed * TICK_S / gap) if gap > 1e-6 else 1.0
            self.pose = tuple(p + part * (g - p) for p, g in zip(self.pose, self.goal))
            self.battery = max(0.0, self.battery - 1e-4)
            if part == 1.0:
                self.goal = None
        odom = Odometry()
        odom.pose.pose.position.x, odom.pose.pose.position.y = self.pose
        self.odom.publish(odom)
        near = [(k, p) for k, p in self.things.at.items() if math.dist(p[:2], self.pose) <= SEES_M]
        rows = [{"kind": k, "x": p[0], "y": p[1], "z": p[2]} for k, p in near]
        self.seen.publish(String(data=json.dumps({"things": rows})))
        self.hand.publish(String(data=self.things.held.get(self.name, "")))
        self.charge.publish(BatteryState(percentage=self.battery))


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--speed", type=float, default=1.0, help="of Rosa [m/s] (default 1)")
    args = p.parse_args()
    rclpy.init()
    things, executor = Things(), SingleThreadedExecutor()
    for robot in (
        RobotNode("rosa", things, (3.0, 4.0), args.speed, 1.3),
        RobotNode("bob", things, (1.9, 2.65), 0.0, 1.2),
    ):
        executor.add_node(robot.node)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print("rosa, bob: ready", flush=True)
    with contextlib.suppress(KeyboardInterrupt, ExternalShutdownException):
        executor.spin()


if __name__ == "__main__":
    main()
