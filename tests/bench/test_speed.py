from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "speed.py"


@pytest.mark.long
def test_the_speed_script_prints_its_tables():
    words = [sys.executable, str(SCRIPT), "--episodes", "4", "--seconds", "0.05", "--suite", "smoke"]
    shown = subprocess.run(words, capture_output=True, text=True, check=True, timeout=600).stdout
    for part in ("actions/s and core, rules", "complete episodes/s", "ratio", "RSS after 4 episodes"):
        assert part in shown
