"""A file or a folder in the right place is all it takes: what the pages show is copied into a copy of the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import coterie
from tests.e2e.test_docs import ROOT, blocks

HERE = Path(coterie.__file__).parent
MAID = """
body = "Maid"
mobility = "ground"
skills = ["navigate", "wipe", "wait"]
"""


class Copy:
    """A copy of the package with what was compiled of it, and its command line."""

    def __init__(self, folder: Path):
        self.src = folder / "src"
        shutil.copytree(HERE, self.src / "coterie")
        self.compiled = _compiled(self.src)
        if self.compiled and _compiled(HERE).is_dir():  # kept apart by PYTHONPYCACHEPREFIX
            shutil.copytree(_compiled(HERE), self.compiled / "coterie")

    def write(self, where: str, text: str) -> None:
        path = self.src / "coterie" / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def python(self, *words: str) -> str:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(self.src), os.environ.get("PYTHONPATH", "")])}
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=env)
        return done.stdout + done.stderr

    def __call__(self, *commands: str) -> list[str]:
        """What each of some command lines says, in one process."""
        code = "import shlex, sys; from coterie.cli import main; sys.stderr = sys.stdout\n"
        code += "for words in sys.argv[1:]: main(shlex.split(words)), print('\\f', flush=True)"
        return self.python("-c", code, *commands).split("\f")


def _compiled(folder: Path) -> Path | None:
    """Where bytecode of the files in a folder lies, if not beside them."""
    return Path(sys.pycache_prefix, *folder.parts[1:]) if sys.pycache_prefix else None


@pytest.fixture
def copy(tmp_path):
    made = Copy(tmp_path)
    yield made
    if made.compiled:
        shutil.rmtree(made.compiled, ignore_errors=True)


def snippet(page: str, start: str) -> str:
    (found,) = [b for b in blocks(page, "python") if start in b]
    return found


def test_each_is_found_by_lying_in_its_folder(copy, tmp_path):
    copy.write("worlds/indoor/skills/wipe.py", snippet("write-a-skill.md", "WIPE = Skill("))
    copy.write("worlds/indoor/bodies/maid.toml", MAID)
    copy.write("worlds/indoor/tasks/hurry.py", snippet("write-a-task.md", "def pack_in_a_hurry"))
    copy.write("houses/built_in/workshop.toml", (ROOT / "examples" / "workshop.toml").read_text())
    copy.write("worlds/ring/entry.py", (ROOT / "examples" / "corridor.py").read_text())
    copy.write("protocols/patrol.py", snippet("write-a-protocol.md", "class Patrol"))
    copy.write("protocols/oneq/__init__.py", snippet("write-a-protocol.md", "class OneQuestion"))
    copy.write("models/parrot.py", snippet("own_model.md", "class Parrot"))
    copy.write("bench/studies/lifts.py", snippet("benchmark.md", "studies.put"))
    kinds = {
        "skills": ["wipe(furniture)", "unlock("],
        "robots": ["Maid", "Warden"],
        "tasks": ["pack-in-a-hurry", "corridor-haul"],
        "scenes": ["workshop"],
        "worlds": ["corridor"],
        "protocols": ["patrol", "one-question", "porters"],
        "models": ["parrot"],
        "suites": ["beams"],
    }
    run = "run pack-in-a-hurry --team Ma-MoMa-Maid --protocol one-question --model parrot"
    *lists, said, _ = copy(*(f"list {kind}" for kind in kinds), run)
    assert "step limit after 15 steps" in said and "calls 45" in said
    for names, said in zip(kinds.values(), lists):
        listed = [line.split()[0] for line in said.splitlines() if line.strip()]
        assert all(any(word.startswith(name) for word in listed) for name in names), said
    # a card with a skill that nobody registered troubles only those who want it
    (copy.src / "coterie" / "worlds/indoor/skills/wipe.py").unlink()
    (tmp_path / "wipe.py").write_text(snippet("write-a-skill.md", "WIPE = Skill("))
    tasks, robots, run, loaded, _ = copy(
        "list tasks", "list robots", "run pack-objects --team Ma-Maid", f"list robots --load {tmp_path / 'wipe.py'}"
    )
    assert "wipe" not in tasks
    assert "No skill 'wipe'" in robots and "maid.toml" in robots
    assert "No robot 'Maid'" in run and "maid.toml" in run and "Traceback" not in run
    assert "navigate, wipe, wait" in loaded and "maid.toml" not in loaded


def test_models_that_nobody_asks_for_are_not_imported():
    code = (
        "import sys, coterie.episode.play\n"
        "from coterie.models import make_model, models\n"
        "make_model('none')\n"
        "print('coterie.models.embedded' in sys.modules, 'parrot' in models, 'coterie.models.embedded' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True"]
