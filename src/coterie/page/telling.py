"""An episode for a page, event by event: rows for one that follows it, and all of it for a file.

    telling = Telling(first)
    for event in events:
        for row in telling.take(event): ...
    telling.close()

A row is a dictionary. `i` is the frame (step of the page) that it is about:

    {"head": ...}                   task, settings, robots, and what kind of picture there is
    {"i": 3, "n": 2, "t": 14.0}     a frame begins: the step and the time of the log
    {"i": 3, "k": 0, "e": entry}    entry number `k` of a frame, or the same once more with what became of it
    {"i": 3, "s": ..., "f": ...}    what is so after it, goals among them, and its picture; again whenever that changes
    {"end": ...}                    the verdict and the figures

`lines`, `words`, `shapes` and `signs` are what is new in the pools that entries and pictures refer to by number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from coterie.bench.metrics import episode_metrics, questions, stage_costs, talk
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import EndEvent
from coterie.core.visible import visible
from coterie.log.fold import AFTER, apply, beginning, last_step
from coterie.log.state import BEGINNING, State
from coterie.log.words import scene_name, setting_words, task_name
from coterie.page.goals import Goals
from coterie.page.minds import Minds
from coterie.page.scenery import Moving, Pool, jpeg
from coterie.page.story import Story
from coterie.render import palette
from coterie.render.pictures import Pictures
from coterie.worlds import pictures_of

Figure = tuple[str, str, str, str]  # key, value, name, what it means


def figures(events: Sequence[Event], robots: Collection[str]) -> list[Figure]:
    """Of an episode that has not ended there are fewer."""
    said = talk(events, robots)
    found: list[Figure] = []
    if events[-1].kind == "end":
        numbers = episode_metrics(events)
        found += [
            ("success", "yes" if numbers["success"] else "no", "success", "is the goal reached?"),
            ("ps", f"{round(100 * numbers['ps'])} %", "of the goal", f"PS {numbers['ps']:g}"),
            ("steps", str(numbers["steps"]), "steps", f"of {numbers['limit']}" if numbers["limit"] else "no limit"),
            ("time_s", _clock(numbers["time_s"]), "simulated", f"{numbers['time_s']:g} s"),
            ("as", f"{numbers['as']:.2f}", "actions a robot", "AS: without waiting"),
            ("failed", str(numbers["failed"]), "failed actions", f"and {numbers['refused']} refused by guard rails"),
        ]
        calls, tokens = numbers["calls"], numbers["tokens"]
    else:
        found.append(("steps", str(last_step(events) + 1), "steps", "so far: the log ends before the episode does"))
        stages = stage_costs(questions(events)[0])
        calls, tokens = (sum(s[key] for s in stages.values()) for key in ("calls", "tokens"))
    found.append(("messages", str(said["messages"]), "messages", f"that cost a step; {said['message_bytes']} bytes"))
    if said["said"]:
        words = f"talk that costs no step; {said['said_bytes']} bytes"
        found.append(("talk", str(said["said"]), "said in decisions", words))
    if calls:
        found += [("calls", str(calls), "calls", "of a model"), ("tokens", str(tokens), "tokens", "read and written")]
    return found


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d} min" if minutes else f"{rest} s"


def verdict(events: Sequence[Event]) -> dict[str, Any]:
    if events[-1].kind != "end":
        return {"ok": None, "text": "not finished"}
    end = read(EndEvent, events[-1])
    if end.success:
        return {"ok": True, "text": f"Done in {end.steps} step{'' if end.steps == 1 else 's'}"}
    return {"ok": False, "text": f"Not achieved: {end.status}"}


def settings(config: dict[str, Any], version: str) -> list[str]:
    parts = [f"team {config['team']}", f"protocol {config['protocol']}", f"seed {config['seed']}"]
    return [*parts, *setting_words(config), *([f"Coterie {version}"] if version else [])]


Row = dict[str, Any]
MOST_STILLS = 6  # pictures of pixels of one step, where they are drawn while it goes on


class Telling:
    """Folds an episode into what a page tells. `live`: pictures of pixels are drawn step by step, too."""

    def __init__(self, first: Event, live: bool = False):
        if first.kind != "start":
            raise CoterieError("This is not the log of an episode: its first line is missing.")
        self.state, self.lines, self.words = beginning(first), Pool(), Pool()
        start = self.state.start
        self.events: list[Event] = [first]
        self.pictures, self.none = _drawn_by(first)
        self.moving = Moving()
        self.steps: list[Row] = [{"n": self.state.step, "t": 0.0, "e": []}]
        self._story, self._minds = Story(self.lines, str(start.config.get("protocol", ""))), Minds(self.words)
        self._stages = self.pictures.stages(self._states())
        self._goals, self._wanted = Goals(start.world, self.words), list[Row]()
        self._goal, self._told = "", Row()
        self._sent = {"lines": 0, "words": 0, "shapes": 0, "signs": 0}
        self._places: dict[int, tuple[int, int]] = {}  # of entries that may be completed: their frame and number
        self.draws = not self.none
        self._films = live and not self.none and type(self.pictures).stills is not Pictures.stills
        self._known: list[str] = []
        self._true = self._filmed = 0  # states of the world that were told, and those that there are pictures of

    def _states(self) -> Iterator[State]:
        while True:
            yield self.state

    # -- rows -------------------------------------------------------------------------------------------------------
    def head(self) -> Row:
        start = self.state.start
        self._known = list(self.state.cards)
        config = {**start.config, "team": start.about.get("team") or start.config["team"]}  # of a mission's place
        return {
            "task": visible(task_name(start)),
            "scene": visible(scene_name(start)),
            "settings": [visible(text) for text in settings(config, start.version)],
            "sees": visible(start.sees),
        }

    def undrawn(self) -> None:
        """Tell without pictures from now on."""
        self.draws = self._films = False

    def pictures_only(self, event: Event) -> Iterator[Row]:
        """Take in one event; the row with the picture of a step that it ends."""
        if event.step > self.state.step and event.kind not in AFTER:
            yield self.picture()
            self.steps.append({"n": event.step, "t": event.t, "e": []})
        self._keep(event)
        apply(self.state, event)
        if event.kind == "end":
            yield self.picture()

    def picture(self) -> Row:
        """The picture of what is so now."""
        return self._fresh({"i": len(self.steps) - 1, **self._picture()}, "shapes", "signs")

    def take(self, event: Event) -> Iterator[Row]:
        """Take in one event; the rows that it gives. What a log says that is no log of ours is a `CoterieError`."""
        if event.step > self.state.step and event.kind not in AFTER:
            yield self.close()
            self.steps.append({"n": event.step, "t": event.t, "e": []})
            yield {"i": len(self.steps) - 1, "n": event.step, "t": event.t}
        self._keep(event)
        self._goals.take(event)
        apply(self.state, event)
        i, step = len(self.steps) - 1, self.steps[-1]
        step["t"] = round(event.t, 2)
        for entry in self._story.entries(event, i):
            step["e"].append(entry)
            self._places[event.seq] = (i, len(step["e"]) - 1)
            yield self._fresh({"i": i, "k": len(step["e"]) - 1, "e": entry}, "lines")
        for seq in event.causes if event.kind in ("reply", "outcome", "radio") else ():
            if seq in self._places:
                at, k = self._places[seq]
                yield self._fresh({"i": at, "k": k, "e": self.steps[at]["e"][k]}, "lines")
        if list(self.state.cards) != self._known:
            self._known = list(self.state.cards)
            yield {"robots": self.robots()}
        if event.kind == "end":
            yield self.close()
            yield {"end": self.result()}

    def _keep(self, event: Event) -> None:
        if self._films and event.kind == "truth":  # a picture takes a while: a few of a step are enough
            self._true += 1
            rows = [[*row[:2], _some(row[2])] if row[0] == "frames" else row for row in event.data["facts"]]
            event = event._replace(data={**event.data, "facts": rows})
        self.events.append(event)

    def close(self) -> Row:
        """The final row of the last step."""
        step, state = self.steps[-1], self.state
        news = self._minds.news(state)
        if news:
            step["b"] = {visible(name): rows for name, rows in news.items()}
        if state.goal_text != self._goal:
            step["g"] = visible(state.goal_text)
        self._goal = state.goal_text
        row = self._after() | {"done": 1}
        self._wanted = step.get("goals", self._wanted)
        return row

    def now(self) -> Row | None:
        """The state while a step goes on, if a page does not know it yet."""
        told = self._told
        row = self._after()
        return row if row.get("f") or row.get("p") or self._told != told else None

    def _after(self) -> Row:
        step, state = self.steps[-1], self.state
        held = {visible(n): visible(str(r.holding)) for n, r in state.robots.items() if r.holding}
        at = {visible(n): visible(self.pictures.whereabouts(state, n)) for n in state.robots}
        gone = [visible(n) for n, r in state.robots.items() if not r.online]
        power = {visible(n): share for n in state.robots if (share := _power(state, n)) is not None}
        wanted = list(self._goals.rows())
        wanted = [] if wanted == self._wanted else wanted  # as at the end of the step before
        for key, value in (("h", held), ("at", at), ("gone", gone), ("power", power), ("goals", wanted)):
            step.pop(key, None)
            step |= {key: value} if value else {}
        self._told = {key: value for key, value in step.items() if key != "e"}
        row: Row = {"i": len(self.steps) - 1, "s": self._told}
        return self._fresh(row | self._picture(), "words", "shapes", "signs")

    def stills(self, events: Sequence[Event], since: int = BEGINNING) -> list[tuple[int, bytes]]:
        """Pictures of pixels from a step on, each with its step, of a world that is not drawn in shapes."""
        try:
            return [] if self.none else list(self.pictures.stills(events, since))
        except Exception as err:  # noqa: BLE001 - a user's own world may draw; a page without pictures tells the rest
            self.none, self.draws, self._films = why(err), False, False
            return []

    def _picture(self) -> Row:
        """How the map changes, or the pixels of this step; or why there are none."""
        try:
            if self._films and self._filmed == self._true and self._true:
                return {}
            if self._films:
                self._filmed = self._true
                found = [jpeg(data) for _, data in self.stills(self.events, self.state.step)]
                return {"none": self.none} if self.none else {"p": found}
            if self.draws:
                frame = self.moving.add(next(self._stages))
                return {"f": frame} | ({"ground": self.moving.ground()} if len(self.moving.frames) == 1 else {})
        except Exception as err:  # noqa: BLE001 - the same
            self.none, self.draws = why(err), False
            return {"none": self.none}
        return {}

    def _fresh(self, row: Row, *pools: str) -> Row:
        """With what the row brings into the pools."""
        shapes, signs = self.moving.shapes, self.moving.signs
        known = {"lines": self.lines, "words": self.words, "shapes": shapes, "signs": signs}
        for name in pools:
            items, sent = known[name].items, self._sent[name]
            if len(items) > sent:
                row[name] = [sent, items[sent:]]
                self._sent[name] = len(items)
        return row

    def result(self) -> Row:
        return {"verdict": verdict(self.events), "figures": figures(self.events, self.state.cards)}

    def robots(self) -> list[Row]:
        cards = self.state.cards
        colours = palette.robots(cards)
        return [_robot(name, card, colours[name]) for name, card in cards.items()]


def _some(frames: Sequence[Any]) -> list[Any]:
    """A few of the moments of a step, the last among them."""
    return [*frames[: -1 : max(1, -(-(len(frames) - 1) // (MOST_STILLS - 1)))], *frames[-1:]]


def _power(state: State, robot: str) -> float | None:
    """How full the battery of a robot is, in worlds that have such."""
    left, whole = state.true.get(("battery", robot)), state.robots[robot].card.get("battery_steps")
    good = isinstance(left, (int, float)) and isinstance(whole, (int, float)) and whole > 0
    return round(left / whole, 3) if good and left is not None and whole is not None else None


def _drawn_by(first: Event) -> tuple[Pictures, str]:
    """The pictures that draw the log, or why there are none."""
    try:
        return pictures_of(first.data), ""
    except Exception as err:  # noqa: BLE001 - the same
        return Pictures(), why(err)


def why(err: Exception, otherwise: str = "It cannot be drawn") -> str:  # for errors of worlds that users wrote
    return visible(str(err) if isinstance(err, CoterieError) else f"{otherwise}: {err!r}.")


def _robot(name: str, card: dict[str, Any], colour: str) -> Row:
    about = str(card.get("about") or "")
    skills = [visible(str(s)) for s in card.get("skills", ())]
    return {"name": visible(name), "body": visible(str(card.get("body", "robot"))), "colour": colour,
            "about": visible(about), "skills": skills}  # fmt: skip
