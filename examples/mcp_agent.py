"""An agent behind MCP for examples/mcp_mind.py: it takes what lies in reach, or else goes where it has not been."""

from __future__ import annotations

import json

from mcp.server import MCPServer

server = MCPServer("a simple agent", log_level="WARNING")
been: dict[str, list[str]] = {}


@server.tool()
def decide(robot: str, prompt: str) -> str:
    """One of the legal actions that the prompt lists."""
    told = json.loads(prompt)
    if told.get("last", {}).get("status") == "failed":
        been.setdefault(robot, []).append(told["last"]["action"])
    able = [
        a for a in told["legal"] if a not in been.setdefault(robot, []) and not a.startswith(("communicate", "move"))
    ]
    order = {"place": 0, "pick": 1, "open": 2, "wait": 9}  # all else comes in between
    choice = min(able, key=lambda a: order.get(a.partition("(")[0], 5), default="wait()")
    been[robot].append(choice)
    return choice


server.run("stdio")
