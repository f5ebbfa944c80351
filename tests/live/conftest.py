"""A real browser that watches real commands, where there is one."""

import contextlib
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.link.conftest import folder, serve  # noqa: F401
from tests.logs import log  # noqa: F401
from tests.page.conftest import NAMES

WIDE, NARROW = {"width": 1400, "height": 1000}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")  # its loop of events runs in this thread: other modules have loops of their own
def browser():
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no browser here: install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="nothing to drive a browser: install playwright")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def visit(browser):
    """`visit(link)`: a page in a browser of its own, which must not complain."""
    opened, wrong = [], []

    def look(link: str, size: dict = WIDE, **more):
        context = browser.new_context(viewport=size, **more)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda err: wrong.append(str(err)))
        page.on("dialog", lambda dialog: (wrong.append("a dialog"), dialog.dismiss()))
        opened.append(context)
        page.goto(link)
        return page

    yield look
    for context in opened:
        context.close()
    assert not wrong


class Begun:
    """A command that shows a page: its links, what it prints, and its end."""

    def __init__(self, words: tuple[str, ...], place: Path):
        command = [sys.executable, "-m", "coterie", *words]
        self.process = subprocess.Popen(
            command, cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.links: dict[str, str] = {}
        self.said: list[str] = []
        for line in self.process.stdout:
            found = re.match(r"page for (\S+): (http\S+)", line)
            if found:
                self.links[found[1]] = found[2]
            self.said.append(line)
            if "watcher" in self.links:
                break
        assert self.links, "".join(self.said)
        threading.Thread(target=lambda: self.said.extend(self.process.stdout), daemon=True).start()

    def end(self) -> None:
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()


@pytest.fixture
def begin(kept_grammars, tmp_path):
    """`begin("run", "pack-objects", "--live")`: the command, once it has said where its page is."""
    begun = []

    def start(*words: str) -> Begun:
        begun.append(Begun(words, tmp_path))
        return begun[-1]

    yield start
    for one in begun:
        one.end()
