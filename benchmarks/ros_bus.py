"""A stand-in for rclpy on machines for which there are no wheels: nodes of one process, whose topics carry texts.

It replaces the library alone. The driver that is made of a TOML file (`coterie.link.ros2`), its host and everything
above them are the real ones; whatever is published is heard at once by whoever subscribed.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any


class String:
    def __init__(self, data: str = "") -> None:
        self.data = data

    @staticmethod
    def get_fields_and_field_types() -> dict[str, str]:
        return {"data": "string"}


class Node:
    hears: dict[str, list[Callable[[Any], None]]] = {}  # by topic, of all nodes

    def __init__(self, name: str) -> None:
        self.name = name

    def create_subscription(self, kind: type, topic: str, hear: Callable[[Any], None], qos: object) -> None:
        self.hears.setdefault(topic, []).append(hear)

    def create_publisher(self, kind: type, topic: str, qos_profile: object) -> Any:
        def publish(message: Any) -> None:
            for hear in self.hears.get(topic, ()):
                hear(message)

        return SimpleNamespace(publish=publish, get_subscription_count=lambda: len(self.hears.get(topic, ())))

    def destroy_node(self) -> None:
        self.hears.clear()


def install() -> bool:
    """Whether the stand-in is used: where rclpy itself is installed, it is not."""
    try:
        import rclpy  # noqa: F401
    except ImportError:
        over = threading.Event()
        executor = SimpleNamespace(spin=over.wait, add_node=lambda node: None)
        parts = {
            "rclpy": {"ok": lambda: True, "create_node": Node},
            "rclpy.qos": {"qos_profile_sensor_data": 10},
            "rclpy.executors": {"SingleThreadedExecutor": lambda: executor},
            "std_msgs": {},
            "std_msgs.msg": {"String": String},
        }
        for name, inside in parts.items():
            module = sys.modules[name] = ModuleType(name)
            vars(module).update(inside)
    return isinstance(getattr(sys.modules["rclpy"], "create_node", None), type)
