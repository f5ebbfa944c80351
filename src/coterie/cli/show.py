"""Events as lines for a person: the same words in a live run, in a pipe and in a replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie.core import records
from coterie.core.action import WAIT
from coterie.core.event import Event
from coterie.core.visible import visible
from coterie.log.fold import reading
from coterie.log.words import (
    action_words,
    back_words,
    change_words,
    driven_words,
    gone_words,
    scene_name,
    seen_words,
    setting_words,
    standing_words,
    task_name,
)
from coterie.render import palette

if TYPE_CHECKING:
    from rich.text import Text

NAME_W = 7


def line(*parts: object) -> Text:
    """One line of words, each by itself or in a pair with its style. Whatever they hold, it stays one line."""
    from rich.text import Text

    pairs = (p if isinstance(p, tuple) else (p, "") for p in parts)
    return Text.assemble(*((visible(str(words)), style) for words, style in pairs))


def title(start: records.StartEvent, *more: str) -> Text:
    """Return the title of a run or a replay: task, scene, team, protocol and model."""
    config = start.config
    team = start.about.get("team") or config["team"]
    head = f"{task_name(start)} in {scene_name(start)}, {team}, {config['protocol']}"
    rest = ", ".join([f"seed {config['seed']}", *setting_words(config), *more])
    return line((head, "bold"), (f"  {rest}", "dim"))


class Row(NamedTuple):
    step: int
    who: str  # whose line it is; empty: it concerns everybody
    text: Text


class Lines:
    """Turns events into lines, one for each action, message, refusal, change and step of progress.

    Robots come in the order of the roster, and those that only wait share a line. With a `robot` there are its lines
    and the changes alone, and also what it saw and heard before each decision; with a `step` those of that step.
    """

    def __init__(self, start: records.StartEvent, robot: str | None = None, step: int | None = None):
        self.cards: dict[str, Any] = {n: r["card"] for n, r in start.robots.items()}
        self._met()
        self._real = bool(start.config.get("real"))
        self.robot, self.step = robot, step
        self._why: dict[str, str] = {}
        self._acts: dict[str, str] = {}
        self._ended: list[Event] = []  # outcomes of one moment, and the messages among them
        self._senses: list[Event] = []  # what the robot saw and heard since it last decided
        self._missed: dict[int, Event] = {}  # messages that have not reached it
        self._gone: set[str] = set()  # robots of which no `change` tells that they left

    def _met(self) -> None:
        """Update colours and widths for the robots that are present."""
        self._colours = palette.robots(self.cards)
        self._width = max([NAME_W, *map(len, self.cards)])
        self._order = {name: i for i, name in enumerate(self.cards)}

    def of(self, events: Iterable[Event]) -> Iterator[Text]:
        """All events must come here, since lines need what came before."""
        for row in self._rows(events):
            if self.step in (None, row.step) and (self.robot is None or row.who in ("", self.robot)):
                yield row.text

    def _rows(self, events: Iterable[Event]) -> Iterator[Row]:
        for event in events:
            with reading(event):
                if self._ended and not self._same_moment(event):
                    yield from self._moment()
                if self.robot is not None:
                    yield from self._sense(event)
                if event.kind == "outcome" or self._ended:
                    self._ended.append(event)
                else:
                    yield from getattr(self, f"_{event.kind}", _nothing)(event)
        yield from self._moment()

    def _same_moment(self, event: Event) -> bool:
        first = self._ended[0]
        return event.kind in ("outcome", "message", "radio") and (event.step, event.t) == (first.step, first.t)

    def _moment(self) -> Iterator[Row]:
        """Return the lines of actions that ended together, in the order of the roster; waiting comes last."""
        order, last = self._order, len(self._order)
        ended, self._ended = sorted(self._ended, key=lambda e: order.get(e.who, last)), []
        waiting = []
        for event in ended:
            with reading(event):
                if self.robot is None and self._only_waited(event):
                    waiting.append(event.who)
                else:
                    yield from getattr(self, f"_{event.kind}")(event)
        if waiting:
            words = line((f"{ended[0].step:>3}  ", "dim"), (f"waiting: {', '.join(waiting)}", "dim"))
            yield Row(ended[0].step, "", words)

    def _only_waited(self, event: Event) -> bool:
        if event.kind != "outcome" or self._acts.get(event.who) != WAIT:
            return False
        return records.OutcomeEvent.from_event(event).status == "done"

    def _sense(self, event: Event) -> Iterator[Row]:
        """Gathers what the robot sees and hears, and tells it when the robot makes use of it."""
        mine = event.who == self.robot
        if event.kind == "radio" and event.causes:
            told, (seq, *_) = records.RadioEvent.from_event(event), event.causes
            if any(self.robot in names for names in told.missed.values()):
                self._missed |= {e.seq: e for e in self._senses if e.seq == seq}
                self._senses = [e for e in self._senses if e.seq != seq]
            elif told.heard and mine and seq in self._missed:
                self._senses.append(self._missed.pop(seq))
        talk = records.MessageEvent.from_event(event) if event.kind in ("message", "say") and not mine else None
        heard = talk is not None and {"all", self.robot} & set(talk.to)
        if heard or (mine and event.kind == "see"):
            self._senses.append(event)
        elif mine and event.kind in ("ask", "option", "refused", "say", "act", "did"):
            seen = records.DidEvent.from_event(event).see if event.kind == "did" else None
            sensed, self._senses = [*self._senses, *([event._replace(kind="see", data=seen)] if seen else ())], []
            for sense in sensed:
                with reading(sense):
                    yield from self._sensed(event, sense)

    def _sensed(self, event: Event, sense: Event) -> Iterator[Row]:
        if sense.kind != "see":
            yield self._line(event, event.who, ("heard ", "dim"), (f"{sense.who}: ", "dim"), (_quoted(sense), "italic"))
            return
        words = seen_words(records.SeeEvent.from_event(sense).rows(sense.who), sense.who)
        if words:
            yield self._line(event, event.who, (words, "dim"))

    def _line(self, event: Event, who: str, *parts: tuple[str, str]) -> Row:
        colour = self._colours.get(who, palette.GREY)
        text = line((f"{event.step:>3}  ", "dim"), (f"{who:<{self._width}} ", f"bold {colour}"), *parts)
        text.rstrip()
        return Row(event.step, who, text)

    def _act(self, event: Event) -> Iterator[Row]:
        told = records.ActEvent.from_event(event)
        self._why[event.who] = told.why
        self._acts[event.who] = action_words(told.skill, told.args)
        return iter(())

    def _did(self, event: Event) -> Iterator[Row]:
        """Small steps are many: told are those that do something to something, and all where one robot is followed."""
        told = records.DidEvent.from_event(event)
        self._acts[event.who], self._why[event.who] = action_words(told.skill, told.args), told.why
        if told.args or self.robot is not None or self.step is not None:
            thought = (f"  ({told.why})", "dim italic") if told.why else ("", "")
            yield self._line(event, event.who, (f"{self._acts[event.who]}  ", "bold"), ("ok", "green"), thought)
        yield from self._worn_out(event, event.who, told.now.get("battery"))

    def _truth(self, event: Event) -> Iterator[Row]:
        for pred, args, value in records.TruthEvent.from_event(event).facts:
            if pred == "battery":
                yield from self._worn_out(event, str(args[0]), value)

    def _worn_out(self, event: Event, robot: str, battery: Any) -> Iterator[Row]:
        """Why nothing more is told of a robot."""
        if battery == 0 and battery is not False:
            yield self._line(event, robot, ("battery flat: it stays where it is", "yellow"))

    def _outcome(self, event: Event) -> Iterator[Row]:
        told = records.OutcomeEvent.from_event(event)
        status, reason = told.status, told.reason
        words = self._acts.get(event.who, told.action)
        why = self._why.get(event.who, "")
        thought = (f"  ({why})", "dim italic") if why else ("", "")
        if words == WAIT and status == "done":
            yield self._line(event, event.who, (WAIT, "dim"), thought)
            return
        mark = ("ok", "green") if status == "done" else (status, "bold red")
        yield self._line(event, event.who, (f"{words}  ", "bold"), mark, (f"  {reason}", ""), thought)

    def _message(self, event: Event) -> Iterator[Row]:
        to = records.MessageEvent.from_event(event).to
        names = "all" if "all" in to or len(to) >= len(self.cards) - 1 else ", ".join(to)
        yield self._line(event, event.who, (f"to {names}: ", "dim"), (_quoted(event), "italic"))

    _say = _message

    def _radio(self, event: Event) -> Iterator[Row]:
        told = records.RadioEvent.from_event(event)
        if told.heard:
            yield self._line(event, event.who, (f"heard {told.heard} at last, after {told.tries} tries", "dim"))
        elif told.missed:
            words = "; ".join(f"{why} for {', '.join(who)}" for why, who in told.missed.items())
            yield self._line(event, event.who, (f"the message is {words}", "yellow"))

    def _refused(self, event: Event) -> Iterator[Row]:
        told = records.RefusedEvent.from_event(event)
        words = action_words(told.skill, told.args)
        yield self._line(event, event.who, (f"{words}  ", "bold"), ("refused", "yellow"), (f"  {told.reason}", ""))

    def _option(self, event: Event) -> Iterator[Row]:
        told = records.OptionEvent.from_event(event)
        why = f": {told.why}" if told.why else ""
        yield self._line(event, event.who, (f"option {told.name} {told.state}{why}", "dim"))

    def _change(self, event: Event) -> Iterator[Row]:
        told = records.ChangeEvent.from_event(event)
        if told.kind == "join":
            self.cards[told.robot] = told.card
            self._met()
        yield self._changed(event, change_words(told))

    def _leave(self, event: Event) -> Iterator[Row]:
        self._gone.add(event.who)
        yield self._changed(event, gone_words(event.who, records.LeaveEvent.from_event(event).dropped))

    def _join(self, event: Event) -> Iterator[Row]:
        """Tell that a robot is back; a new one is told by a change."""
        if event.who in self._gone:
            self._gone.remove(event.who)
            yield self._changed(event, back_words(event.who))

    def _changed(self, event: Event, words: str) -> Row:
        return self._line(event, "change", (words, "black on #ffd75f"))._replace(who="")

    def _input(self, event: Event) -> Iterator[Row]:
        """Tell stops and contact of driven robots; words and changes of people have their own lines."""
        told = records.InputEvent.from_event(event)
        words = ""
        if told.kind == "stop":
            whom = "everybody" if "all" in told.names else ", ".join(told.names)
            words = f"{told.by} {'stops' if told.on else 'releases'} {whom}"
        elif told.kind == "standing":
            words = standing_words(told)
        elif told.kind == "driven":
            words = driven_words(told.names, self.cards, self._real)
        if words:
            who = told.robot or ("stop" if told.kind == "stop" else "drivers")
            yield self._line(event, who, (words, "black on #ffd75f"))._replace(who=told.robot)

    def _status(self, event: Event) -> Iterator[Row]:
        told = records.StatusEvent.from_event(event)
        percent = f"{round(100 * told.partial)} %"
        yield self._line(event, "status", (f"{percent}  ", "bold green"), (told.text, ""))


def _quoted(event: Event) -> str:
    return f"“{' '.join(str(records.MessageEvent.from_event(event).text).split())}”"


def _nothing(event: Event) -> Iterator[Row]:
    return iter(())
