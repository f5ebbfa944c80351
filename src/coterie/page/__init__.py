"""An episode as one HTML file to mail: map, timeline, what each robot knew, said, was asked and answered.

    from coterie.page import save_page
    save_page(read_log(path), Path("episode.html"))

The file needs no server and fetches nothing. Whatever the log holds is data in it: JSON in a block that no browser
runs, put on the page as text; the page's own script and style are the only ones that its policy allows.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.files import draft
from coterie.core.visible import visible
from coterie.episode.play import Played
from coterie.log.fold import AFTER, apply, beginning
from coterie.log.state import State
from coterie.log.words import task_name
from coterie.page.figures import figures, settings, verdict
from coterie.page.minds import Minds
from coterie.page.pool import Pool
from coterie.page.scenery import scenery
from coterie.page.story import Story
from coterie.render import palette
from coterie.render.pictures import Pictures
from coterie.worlds import pictures_of


class Saved(NamedTuple):
    """A page that was written."""

    path: Path
    size_bytes: int
    without: str  # why there are no pictures; empty: there are


def save_page(source: Played | Sequence[Event], path: str | Path) -> Saved:
    """Write a played episode, or the events of a log, as one HTML file for a browser."""
    path = Path(path)
    check_page_path(path)
    told = content(source.log.events if isinstance(source, Played) else source)
    text = page(told)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft(path) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as err:
        raise CoterieError(f"Cannot write the page '{path}': {err.strerror}.") from err
    return Saved(path, len(text.encode()), told["scenery"].get("none", ""))


def check_page_path(path: Path) -> None:
    if path.suffix.lower() not in (".html", ".htm"):
        raise CoterieError(f"'{path}' must end in .html.")


def page(told: Mapping[str, Any]) -> str:
    """The whole file, around what `content` found."""
    style, script = (files(__name__).joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    body = files(__name__).joinpath("page.html").read_text(encoding="utf-8")
    rule = f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; img-src data:"
    rule += "; base-uri 'none'; form-action 'none'"
    title = escape(f"{told['task']}: {told['verdict']['text']}")
    parts = {"RULE": rule, "TITLE": title, "STYLE": style, "SCRIPT": script, "DATA": embedded(told)}
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], body)  # in one go: nothing put in is looked at again


def embedded(data: Any) -> str:
    """JSON that cannot end the block it stands in, whatever it says."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for c in "<>&\u2028\u2029":
        text = text.replace(c, f"\\u{ord(c):04x}")
    return text


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def content(events: Sequence[Event]) -> dict[str, Any]:
    """Everything that the page tells, from one fold over the log."""
    if not events or events[0].kind != "start":
        raise CoterieError("This is not the log of an episode: its first line is missing.")
    state, lines, words = beginning(events[0]), Pool(), Pool()
    start, story, minds = state.start, Story(lines, str(state.start.config.get("protocol", ""))), Minds(words)
    pictures, none = _drawn_by(events[0])
    steps: list[dict[str, Any]] = [{"n": state.step, "t": 0.0, "e": []}]
    goal = ""
    for event in events[1:]:
        if event.step > state.step and event.kind not in AFTER:
            goal = _close(steps[-1], state, minds, pictures, goal)
            steps.append({"n": event.step, "t": event.t, "e": []})
        apply(state, event)
        steps[-1]["t"] = round(event.t, 2)
        steps[-1]["e"] += story.entries(event, len(steps) - 1)
    _close(steps[-1], state, minds, pictures, goal)
    colours = palette.robots(state.cards)
    return {
        "task": visible(task_name(start)),
        "scene": visible(str(start.scene.get("name") or start.config["scene"])),
        "settings": [visible(text) for text in settings(start.config, start.version)],
        "sees": visible(start.sees),
        "verdict": verdict(events),
        "figures": figures(events, state.cards),
        "robots": [_robot(name, card, colours[name]) for name, card in state.cards.items()],
        "steps": steps,
        "lines": lines.items,
        "words": words.items,
        "scenery": {"none": none} if none else scenery(pictures, events, [s["n"] for s in steps]),
    }


def _drawn_by(first: Event) -> tuple[Pictures, str]:
    """Who draws the log, or why nobody does."""
    try:
        return pictures_of(first.data), ""
    except CoterieError as err:  # a page without a map tells all the rest
        return Pictures(), visible(str(err))


def _close(step: dict[str, Any], state: State, minds: Minds, pictures: Pictures, goal: str) -> str:
    """What is so after a step; the goal is told where it is new."""
    news = minds.news(state)
    if news:
        step["b"] = {visible(name): rows for name, rows in news.items()}
    held = {visible(n): visible(str(r.holding)) for n, r in state.robots.items() if r.holding}
    at = {visible(n): visible(pictures.whereabouts(state, n)) for n in state.robots}
    gone = [visible(n) for n, r in state.robots.items() if not r.online]
    step |= {key: value for key, value in (("h", held), ("at", at), ("gone", gone)) if value}
    if state.goal_text != goal:
        step["g"] = visible(state.goal_text)
    return state.goal_text


def _robot(name: str, card: dict[str, Any], colour: str) -> dict[str, Any]:
    about = str(card.get("about") or "")
    skills = [visible(str(s)) for s in card.get("skills", ())]
    return {"name": visible(name), "body": visible(str(card.get("body", "robot"))), "colour": colour,
            "about": visible(about), "skills": skills}  # fmt: skip
