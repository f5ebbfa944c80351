"""Real robots over the link: the stand-in simulator in a process of its own, a coordinator in another."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from coterie.log.file import read_log

ROOT = Path(__file__).parents[2]


def test_a_team_packs_in_another_process_s_house_although_a_robot_is_lost_and_a_thing_moved(tmp_path):
    env = {**os.environ, "COTERIE_ROBOTS": str(tmp_path / "robots")}
    example = [sys.executable, str(ROOT / "examples" / "stand_in.py"), "pack-objects", "--seed", "3", "--speed", "20"]
    lost = ["--lose", "Alice@2-4", "--carry-off", "1"]
    house = subprocess.Popen([*example, *lost], env=env, stdout=subprocess.PIPE, text=True)
    try:
        names = house.stdout.readline().partition(":")[0].replace(", ", ",")
        log = tmp_path / "log.jsonl"
        words = ["run", "pack-objects", "--seed", "3", "--real", "--drive", names, "--log", str(log)]
        ran = subprocess.run([sys.executable, "-m", "coterie", *words], env=env, capture_output=True, text=True)
    finally:
        house.send_signal(signal.SIGTERM)
        told = house.communicate(timeout=60)[0]
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "nothing is simulated" in ran.stdout
    assert "Alice is gone" in told and "carried off" in told
    sensed = {e.who for e in read_log(log) if e.kind == "input" and e.data["kind"] == "sensed"}
    assert sensed == set(names.split(","))
