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
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.files import drafted

if TYPE_CHECKING:
    from coterie.episode.play import Played


class Saved(NamedTuple):
    """A page that was written."""

    path: Path
    size_bytes: int
    without: str  # why there are no pictures; empty: there are


def save_page(source: Played | Sequence[Event], path: str | Path) -> Saved:
    """Write a played episode, or the events of a log, as one HTML file for a browser."""
    path = Path(path)
    check_page_path(path)
    from coterie.episode.play import Played

    told = content(source.log.events if isinstance(source, Played) else source)
    text = page(told)
    with drafted(path, "the page") as part:
        part.write_text(text, encoding="utf-8")
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
    from coterie.page.scenery import small
    from coterie.page.telling import Telling

    if not events:
        raise CoterieError("This is not the log of an episode: its first line is missing.")
    telling = Telling(events[0])
    pixels = telling.stills(events)
    telling.draws = telling.draws and not pixels
    for event in events[1:]:
        for _ in telling.take(event):
            pass
    if events[-1].kind != "end":
        telling.close()
    if telling.none:
        scenery: dict[str, Any] = {"none": telling.none}
    elif pixels:
        scenery = {"stills": list(small(pixels, [s["n"] for s in telling.steps]))}
    else:
        scenery = {"map": telling.moving.whole()}
    return {
        **telling.head(),
        **telling.result(),
        "robots": telling.robots(),
        "steps": telling.steps,
        "lines": telling.lines.items,
        "words": telling.words.items,
        "scenery": scenery,
    }
