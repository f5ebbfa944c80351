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
    loaded = {name for name in modules.split() if name.startswith("coterie.")}
    assert "coterie.worlds.indoor.world" in loaded and "coterie.protocols.rules.mover" in loaded
    needless = ("worlds.household", "worlds.tabletop", "worlds.hospital", "protocols.dynahmrc", "mission", "memo")
    assert not [name for name in loaded if name.removeprefix("coterie.").startswith((*needless, "core.spoken"))]
    assert worlds.split()[0] == "indoor" and {"household", "tabletop", "hospital"} < set(worlds.split())
    assert {"rules", "expert", "dynahmrc", "heuristic", "mission", "tidier"} < set(protocols.split())
