"""The wheel alone, in an environment of its own outside the source tree."""

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*words: str, cwd: Path, code: int = 0) -> str:
    """As a user would who has no source tree on any path."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == code, (words, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout + done.stderr


@pytest.mark.network("hatchling, numpy and rich")
def test_the_wheel_installs_and_runs_the_demo(tmp_path):
    quiet = ("--quiet", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", *quiet, "--no-deps", str(ROOT), "-w", "wheels", cwd=tmp_path)
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    data = [p for p in (ROOT / "src").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert {p.relative_to(ROOT / "src").as_posix() for p in data} <= held, "templates, cards, scenes, pages"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = next(name for name in held if name.endswith("METADATA"))
    meta = zipfile.ZipFile(wheel).read(told).decode()
    assert {line.removeprefix("Provides-Extra: ") for line in meta.splitlines() if "Provides-Extra" in line} == set(
        extras
    )
    run(sys.executable, "-m", "venv", "env", cwd=tmp_path)
    python, coterie = (str(tmp_path / "env" / "bin" / name) for name in ("python", "coterie"))
    run(python, "-m", "pip", "install", *quiet, str(wheel), cwd=tmp_path)
    assert "Done in 12 steps" in run(coterie, "demo", cwd=tmp_path)
    assert all((tmp_path / "runs" / f"demo.{kind}").stat().st_size for kind in ("jsonl", "svg", "html"))
    assert "table.md" in run(coterie, "bench", "smoke", "--episodes", "2", "--no-plots", cwd=tmp_path)
    assert "pip install 'coterie[plots]'" in run(coterie, "run", "pack-objects", "--gif", "x.gif", cwd=tmp_path, code=2)
    assert "pip install 'coterie[arms]'" in run(coterie, "run", "sort-cubes", cwd=tmp_path, code=2)
    code = "import json; from coterie import play, rows; print(json.dumps(rows(play(seed=4))[0]))"
    assert json.loads(run(python, "-c", code, cwd=tmp_path))["success"]
