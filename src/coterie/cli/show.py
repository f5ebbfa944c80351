"""Events as lines for a person: the same words in a live run, in a pipe and in a replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from coterie.core.event import Event
from coterie.view import palette
from coterie.view.state import reading
from coterie.view.words import action_words, change_words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NAME_W = 7


def console(plain_width: int = 160) -> Console:
    """Standard output. In a pipe lines are not broken and carry no colours."""
    from rich.console import Console

    terminal = Console(highlight=False)
    return terminal if terminal.is_terminal else Console(highlight=False, width=plain_width, soft_wrap=True)


class Lines:
    """Turns events into lines, one for each action, message, refusal, change and step of progress."""

    def __init__(self, start: dict[str, Any]):
        self.cards: dict[str, Any] = {n: r["card"] for n, r in start.get("robots", {}).items()}
        self._why: dict[str, str] = {}
        self._acts: dict[str, str] = {}

    def of(self, events: Iterable[Event]) -> Iterator[Text]:
        for event in events:
            with reading(event):
                yield from getattr(self, f"_{event.kind}", _nothing)(event)

    def _line(self, event: Event, who: str, *parts: tuple[str, str]) -> Text:
        from rich.text import Text

        colour = palette.robots(self.cards).get(who, palette.GREY)
        width = max([NAME_W, *(len(n) for n in self.cards)])
        return Text.assemble((f"{event.step:>3}  ", "dim"), (f"{who:<{width}} ", f"bold {colour}"), *parts)

    def _act(self, event: Event) -> Iterator[Text]:
        self._why[event.who] = event.data.get("why", "")
        self._acts[event.who] = action_words(event.data["skill"], event.data["args"])
        return iter(())

    def _outcome(self, event: Event) -> Iterator[Text]:
        status, reason = event.data["status"], event.data["reason"]
        words = self._acts.get(event.who, event.data["action"])
        why = self._why.get(event.who, "")
        thought = (f"  ({why})", "dim italic") if why else ("", "")
        if words == "wait" and status == "done":
            yield self._line(event, event.who, ("wait", "dim"), thought)
            return
        mark = ("ok", "green") if status == "done" else (status, "bold red")
        yield self._line(event, event.who, (f"{words}  ", "bold"), mark, (f"  {reason}", ""), thought)

    def _message(self, event: Event) -> Iterator[Text]:
        to = "all" if len(event.data["to"]) >= len(self.cards) - 1 else ", ".join(event.data["to"])
        said = f"“{' '.join(str(event.data['text']).split())}”"
        yield self._line(event, event.who, (f"to {to}: ", "dim"), (said, "italic"))

    _say = _message

    def _refused(self, event: Event) -> Iterator[Text]:
        action = event.data["action"]
        words = action_words(action["skill"], action["args"])
        yield self._line(
            event, event.who, (f"{words}  ", "bold"), ("refused", "yellow"), (f"  {event.data['reason']}", "")
        )

    def _option(self, event: Event) -> Iterator[Text]:
        why = f": {event.data['why']}" if event.data.get("why") else ""
        yield self._line(event, event.who, (f"option {event.data['name']} {event.data['state']}{why}", "dim"))

    def _change(self, event: Event) -> Iterator[Text]:
        if event.data["kind"] == "join":
            self.cards[event.data["robot"]] = event.data["card"]
        yield self._line(event, "change", (f" {change_words(event.data)} ", "black on #ffd75f"))

    def _status(self, event: Event) -> Iterator[Text]:
        percent = f"{round(100 * event.data['partial'])} %"
        yield self._line(event, "status", (f"{percent}  ", "bold green"), (event.data["text"], ""))


def _nothing(event: Event) -> Iterator[Text]:
    return iter(())
