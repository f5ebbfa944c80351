"""A real browser that looks at pages, where there is one."""

import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.logs import log  # noqa: F401

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", "--dump-dom")


class Seen(HTMLParser):
    """The page as the browser has made it: text by id, figures, tags, and the cards of robots."""

    def __init__(self, dom: str):
        super().__init__()
        self.tags: list[str] = []
        self.text: dict[str, str] = {}
        self.figures: dict[str, str] = {}
        self.cards: dict[str, str] = {}
        self.ready = ""
        self._open: list[tuple[str, dict[str, str]]] = []
        self.feed(dom)

    def handle_starttag(self, tag, attrs):
        found = {k: v or "" for k, v in attrs}
        self.tags.append(tag)
        self.ready = found.get("data-ready", self.ready)
        if tag not in ("meta", "input", "img", "br", "link"):
            self._open.append((tag, found))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if any(tag in ("script", "style") for tag, _ in self._open):
            return
        for _, attrs in self._open:
            for key, kept in (("id", self.text), ("data-figure", self.figures), ("data-robot", self.cards)):
                if key in attrs:
                    kept[attrs[key]] = kept.get(attrs[key], "") + data


@pytest.fixture(scope="session")
def browse(tmp_path_factory) -> Callable[..., Seen]:
    """`browse(html, "#step=3")`: what a browser makes of a page."""
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        pytest.skip("no browser here: install chromium")

    def look(html: str, at: str = "") -> Seen:
        path = Path(tmp_path_factory.mktemp("page")) / "page.html"
        path.write_text(html, encoding="utf-8")
        words = [browser, *FLAGS, f"--user-data-dir={path.parent / 'profile'}", f"file://{path}{at}"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=True)
        return Seen(done.stdout)

    return look
