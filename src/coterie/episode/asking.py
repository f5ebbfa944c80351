"""Putting the requests of minds to a model: in one order, with seeds of their own, and never twice for one reply."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply, sound_reply
from coterie.core.seeds import seed_of
from coterie.log.file import Log

MOST_TEXT = 200_000  # characters of a reply; far beyond any true one, so that no model fills a disk

Asked = Generator[list[Ask], Sequence[Reply], Any]


class Asking:
    def __init__(self, log: Log, seed: int):
        self.log, self.seed = log, seed
        self._asked: dict[tuple[str, str, int, int], int] = {}

    def seeded(self, ask: Ask) -> Ask:
        """A seed from who asks, when and how often; asynchronous robots may ask several times within one step."""
        key = (ask.robot, ask.stage, ask.step, ask.attempt)
        again = self._asked.get(key, 0)
        self._asked[key] = again + 1
        seed = seed_of(self.seed, *key, *([again] if again else []))
        return Ask(*key, ask.prompt, ask.choices, seed)

    def answer(self, asks: list[Ask]) -> Generator[list[Ask], Sequence[Reply], list[Reply]]:
        """The replies, from the log as far as it goes and from the model beyond it; both end up in the log."""
        if not asks:
            return []
        causes = []
        for ask in asks:
            data = {"stage": ask.stage, "attempt": ask.attempt, "prompt": ask.prompt, "seed": ask.seed}
            causes.append(self.log.add("ask", ask.robot, data))
        replies: list[Reply] = []
        while len(replies) < len(asks):
            recorded = self.log.recorded("reply")
            if recorded is None:
                break
            replies.append(_recorded(recorded))
            self._note(asks[len(replies) - 1], replies[-1], causes[len(replies) - 1])
        rest = asks[len(replies) :]
        if rest:
            fresh = yield rest
            if len(fresh) != len(rest):
                raise CoterieError(f"The model gave {len(fresh)} replies to {len(rest)} requests.")
            for ask, reply in zip(rest, map(_cut, fresh)):
                self._note(ask, reply, causes[len(replies)])
                replies.append(reply)
            self.log.flush()
        return replies

    def _note(self, ask: Ask, reply: Reply, cause: int) -> None:
        data = {k: v for k, v in reply._asdict().items() if v or k != "served"}
        self.log.add("reply", ask.robot, data, (cause,))


def _recorded(data: dict[str, Any]) -> Reply:
    try:
        return sound_reply(Reply(**data))
    except TypeError as err:
        raise CoterieError(f"The log holds a reply that is none: {err}.") from None


def _cut(reply: Reply) -> Reply:
    """A reply as it is read and kept."""
    if len(sound_reply(reply).text) <= MOST_TEXT:
        return reply
    note = f"The reply was cut: it had {len(reply.text):,} characters."
    return reply._replace(text=reply.text[:MOST_TEXT], error=f"{reply.error} {note}".lstrip())
