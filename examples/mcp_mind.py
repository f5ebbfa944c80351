"""A mind behind the Model Context Protocol: a model that asks the tool `decide(robot, prompt)` of an MCP server.

    coterie run pack-objects --load examples/mcp_mind.py --protocol seat --model "mcp:python examples/mcp_agent.py"

What comes after `mcp:` is the command of a server that speaks over stdio, or the address of one that speaks HTTP. The
protocol `seat` gives it what a robot knows and its legal actions. Replies are in the log, so a resumed run asks nobody
about what was answered before.
"""

from __future__ import annotations

import asyncio
import shlex
import threading
from collections.abc import Sequence
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.lazy import need
from coterie.core.protocol import Ask, Reply
from coterie.models import Kind, Options, models

ANSWER_S = 120.0  # for one decision


class Elsewhere:
    """One server, asked from an event loop of its own."""

    def __init__(self, where: str, options: Options):
        self.name = f"mcp:{where}"
        mcp: Any = need("mcp", "mcp", "A mind behind MCP needs")
        command, *args = shlex.split(where)
        http = where.startswith(("http://", "https://"))
        self._server = where if http else mcp.StdioServerParameters(command=command, args=args)
        self._client: Any = None
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        """All robots that decide together are asked at once."""
        answers = asyncio.run_coroutine_threadsafe(self._ask(asks), self._loop)
        try:
            return answers.result(ANSWER_S)
        except Exception as error:
            raise CoterieError(f"The mind at '{self.name}' did not answer: {error or type(error).__name__}.") from error

    async def _ask(self, asks: Sequence[Ask]) -> list[Reply]:
        if self._client is None:
            from mcp import Client

            self._client = await Client(self._server).__aenter__()
        return list(await asyncio.gather(*map(self._one, asks)))

    async def _one(self, ask: Ask) -> Reply:
        answer = await self._client.call_tool("decide", {"robot": ask.robot, "prompt": ask.prompt[-1][1]})
        text = str(answer.content[0].text)[:2000]
        if answer.is_error:
            raise CoterieError(text)
        return Reply(text)


models.put("mcp", Kind("mcp:COMMAND", "a mind behind MCP: its tool `decide` is asked", Elsewhere))
