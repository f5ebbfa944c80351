"""One episode is one log, byte for byte: alone, after others in whatever order, resumed anywhere, in another process
with other hashes. Nothing that a process has worked out before may show."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from coterie.core.config import Config
from coterie.episode.play import play
from coterie.houses.names import _scene

#: They share houses, so that each finds there what the others have left; robots meet on their ways in all of them.
EPISODES = [
    {"task": "sort-solids", "team": "Ma-MoMa-Mo-UAV", "scene": "loft", "seed": 501, "level": "medium-search"},
    {"task": "pack-objects", "team": "Ma-MoMa-Mo-UAV", "scene": "loft", "seed": 501, "changes": ("rec@5:MoMa",)},
    {"task": "pack-objects", "team": "Ma-MoMa-Mo", "scene": "loft", "seed": 503, "changes": ("irz@5:rooms",)},
    {"task": "pack-objects", "team": "Ma-MoMa-MoMa-UAV", "scene": "house:501:6", "seed": 501, "level": "wide-search",
     "changes": ("door@2:any", "rec@4:any"), "radio": "range=15,loss=0.2,text=1", "synchronous": False},
]  # fmt: skip
PLAYED = [
    Config(**{"heartbeat": "off", "level": "medium-search", **e, "protocol": p})
    for n, e in enumerate(EPISODES)
    for p in (("rules", "expert") if n == 1 else ("rules",))
]


QUICK = (Phase.explicit, Phase.generate)  # a failure is told as it is: to make it smaller would take minutes


def same(one: list[str], other: list[str]) -> bool:
    """With the first line that differs, which is all that is wanted to be read."""
    pair = next(((a, b) for a, b in zip(one, other) if a != b), None)
    if pair is not None:
        pytest.fail(f"{pair[0]:.300}\n{pair[1]:.300}", pytrace=False)
    return len(one) == len(other)


def log_of(config: Config) -> list[str]:
    return list(play(config).log.lines())


@pytest.fixture(scope="module")
def alone() -> list[list[str]]:
    """Every episode in houses that nobody has looked for a way in."""
    logs = []
    for config in PLAYED:
        _scene.cache_clear()
        logs.append(log_of(config))
    return logs


@settings(max_examples=1, phases=QUICK)
@given(st.permutations(range(len(PLAYED))))
def test_after_others(alone, order):
    _scene.cache_clear()
    for n in order:
        assert same(log_of(PLAYED[n]), alone[n])


@settings(max_examples=5, phases=QUICK)
@given(st.integers(0, len(PLAYED) - 1), st.floats(0.0, 1.0), st.booleans())
def test_resumed(alone, tmp_path_factory, n, share, fresh):
    path = tmp_path_factory.mktemp("resumed") / "run.jsonl"
    path.write_text("".join(f"{line}\n" for line in alone[n][: round(share * len(alone[n]))]))
    if fresh:
        _scene.cache_clear()
    if not path.read_bytes():
        return
    play(PLAYED[n], path, resume=True)
    assert same(path.read_text().splitlines(), alone[n])


def test_in_another_process(alone):
    """Names hash differently there, so sets have other orders."""
    own = [hashlib.sha1("\n".join(lines).encode()).hexdigest() for lines in alone]
    program = (
        "import hashlib, json; from tests.e2e.test_same_again import PLAYED, log_of; "
        "print(json.dumps([hashlib.sha1('\\n'.join(log_of(c)).encode()).hexdigest() for c in PLAYED]))"
    )
    root = Path(__file__).parents[2]
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    theirs = json.loads(done.stdout)
    assert [PLAYED[i] for i in range(len(own)) if theirs[i] != own[i]] == []
