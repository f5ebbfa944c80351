"""Imports run downwards, and the lower layers need the standard library and numpy alone."""

import ast
import subprocess
import sys
from pathlib import Path

import coterie

ROOT = Path(coterie.__file__).parent
#: Lower layers first; a module may import from its own layer and from those before it.
LAYERS = [
    {"core"},
    {"motion"},
    {"skills"},
    {"robots"},
    {"worlds"},
    {"memo"},
    {"llm", "prompts"},
    {"protocols"},
    {"tasks"},
    {"episodes"},
    {"bench", "view", "testing"},
    {"cli", "__main__"},
]
LEVEL = {name: i for i, layer in enumerate(LAYERS) for name in layer}


def imports(path: Path) -> set[str]:
    """The parts of the package that a file imports when it runs (not for type checking alone)."""
    tree = ast.parse(path.read_text())
    hidden = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
        for node in ast.walk(block)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("coterie."):
            found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {a.name.split(".")[1] for a in node.names if a.name.startswith("coterie.")}
    return found


def test_imports_run_downwards():
    wrong = []
    for path in ROOT.rglob("*.py"):
        part = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        for other in imports(path):
            if LEVEL[other] > LEVEL[part]:
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
    assert not wrong, wrong


def test_lower_layers_need_numpy_alone():
    code = (
        "import sys, coterie.episodes, coterie.protocols, coterie.llm\n"
        "heavy = {'rich', 'matplotlib', 'PIL', 'xllamacpp', 'gguf', 'unified_planning', 'hypothesis', 'pytest'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nothing_below_the_command_line_prints():
    for path in ROOT.rglob("*.py"):
        if path.relative_to(ROOT).parts[0] == "cli":
            continue
        calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
        assert not any(isinstance(c.func, ast.Name) and c.func.id == "print" for c in calls), path
