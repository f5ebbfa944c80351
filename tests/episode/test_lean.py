"""A run imports what it needs: the first step does not wait for other worlds, protocols and their readers."""

from __future__ import annotations

import subprocess
import sys

FIRST_STEP = """
import sys
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.protocols import protocols
from coterie.worlds import worlds

class Stepped(Exception): pass
def first(episode): raise Stepped
try: play(Config(), watch=first)
except Stepped: pass
print(*sys.modules)
print(*protocols)
print(*worlds)
"""


def test_the_first_step_does_without_other_worlds_and_minds():
    said = subprocess.run([sys.executable, "-c", FIRST_STEP], capture_output=True, text=True, check=True).stdout
    modules, protocols, worlds = said.splitlines()
    assert not {"numpy", "socket", "sqlite3", "ssl"} & set(modules.split())
    loaded = {name for name in modules.split() if name.startswith("coterie.")}
    assert "coterie.worlds.indoor.world" in loaded and "coterie.protocols.rules.mover" in loaded
    needless = ("worlds.household", "worlds.tabletop", "worlds.hospital", "protocols.dynahmrc", "mission", "memo")
    assert not [name for name in loaded if name.removeprefix("coterie.").startswith((*needless, "core.replies"))]
    assert worlds.split()[0] == "indoor" and {"household", "tabletop", "hospital"} < set(worlds.split())
    assert {"rules", "expert", "dynahmrc", "heuristic", "mission"} < set(protocols.split())


def test_a_run_and_its_score_do_without_numpy_and_the_memo(tmp_path):
    """From the command line to the last line; worlds that are seen cell by cell load numpy when they need it."""
    code = f"""
import sys
from coterie.cli import main
code = main(["run", "pack-objects", "--log", {str(tmp_path / "a.jsonl")!r}])
print(code, *sys.modules)
from coterie.core.area import NOTHING, Area
print(len(NOTHING), len(Area()), "numpy" in sys.modules)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    *_, modules, area = said.splitlines()
    assert modules.startswith("0 ") and area == "0 0 True"
    needless = {
        "numpy",
        "sqlite3",
        "ssl",
        "http.client",
        "coterie.memo",
        "coterie.core.replies.sections",
        "coterie.render.svg",
    }
    assert "coterie.bench.studies" in modules.split() and not needless & set(modules.split())


def test_a_run_that_shows_nothing_begins_without_what_shows_it(tmp_path):
    code = f"""
import os, sys
from coterie.cli import follow, main
def first(self, episode):
    print(*sys.modules, flush=True)
    os._exit(0)
follow.Follower.step = first
main(["run", "pack-objects", "--json", "--log", {str(tmp_path / "a.jsonl")!r}])
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    needless = {"rich", "socket", "difflib", "traceback", "coterie.cli.live", "coterie.cli.show", "coterie.log.fold"}
    assert "coterie.episode.loop" in said.split() and not needless & set(said.split())
