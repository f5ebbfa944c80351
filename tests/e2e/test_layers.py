"""Imports run downwards and never in circles, and the lower layers need the standard library and numpy alone."""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path

import coterie
from coterie.worlds import worlds

ROOT = Path(coterie.__file__).parent
#: Lower layers first; a module may import from its own layer and from those before it.
LAYERS = [
    {"core"},
    {"log"},
    {"motion", "planning", "models", "render"},
    {"memo"},
    {"houses"},
    {"worlds"},
    {"protocols"},
    {"link"},
    {"talk"},
    {"mission"},
    {"episode"},
    {"bench", "gym", "testing"},
    {"page", "learn", "export", "mcp"},
    {"live"},
    {"api"},
    {"cli", "__main__"},
]
ABOUT_HOUSES = {"coterie.houses.procthor.generate"}  # the name in its seeds
LEVEL = {name: i for i, layer in enumerate(LAYERS) for name in layer}
MODULES = {
    ".".join(("coterie", *p.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): p
    for p in ROOT.rglob("*.py")
}


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a program, also within others; most of a tree are expressions."""
    for one in body:
        yield one
        for inner in ("body", "handlers", "orelse", "finalbody", "cases"):
            yield from statements(getattr(one, inner, ()))


def imports(path: Path) -> set[str]:
    """The modules of the package that a file names, also within functions and for type checking alone."""
    found = set()
    for node in statements(ast.parse(path.read_text()).body):
        if isinstance(node, ast.ImportFrom):
            if node.module and node.module.split(".")[0] == "coterie":
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    found.add(whole if whole in MODULES else node.module)
        elif isinstance(node, ast.Import):
            found |= {a.name for a in node.names if a.name in MODULES}
    return found


@functools.cache
def graph() -> dict[str, set[str]]:
    return {name: imports(path) - {name} for name, path in MODULES.items()}


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one module (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                found.append(sorted(group))

    for node in edges:
        if node not in index:
            visit(node)
    return found


def test_imports_run_downwards():
    wrong = []
    for name, others in graph().items():
        part = name.split(".")[1] if "." in name else None
        for other in others:
            if part is not None and "." in other and LEVEL[other.split(".")[1]] > LEVEL[part]:
                wrong.append(f"{name} imports {other}")
    assert not wrong, wrong


def test_there_are_no_circles():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert circles(graph()) == []


def test_no_world_reaches_into_another_and_nobody_else_knows_one_by_name():
    worlds = [p.name for p in (ROOT / "worlds").iterdir() if (p / "entry.py").is_file()]
    assert {"indoor", "tabletop"} <= set(worlds)
    wrong = []
    for name, others in graph().items():
        parts = name.split(".")
        for other in others:
            there = other.split(".")
            if there[:2] == ["coterie", "worlds"] and len(there) > 2:
                within = parts[:3] == there[:3]
                general = name == "coterie.worlds" and there[3:] == ["entry"]
                meant = parts[1] in ("protocols", "testing") or parts[1:3] == ["bench", "studies"]
                if not (within or general or meant):
                    wrong.append(f"{name} imports {other}")
    assert not wrong, wrong


def test_nobody_else_names_a_world_or_its_skills():
    """Words that only one world has, as values in the code; words that mean something else, too, are left out."""
    ours = [(name, entry) for name, entry in worlds.items() if type(entry).__module__.startswith("coterie.")]
    every = {name: set(entry.skills) - {"wait", "communicate"} for name, entry in ours}
    common = {"open", "close", "left", "right", "up", "down", "move", "put", "Report"}
    words = {*every, *(s for skills in every.values() for s in skills)} - common
    assert {"indoor", "navigate", "pick", "tabletop", "sweep"} <= words
    quoted = re.compile(f"""["']({"|".join(map(re.escape, words))})["']""")
    wrong = []
    for name, path in MODULES.items():
        parts = name.split(".")
        meant = {"worlds", "protocols"} & set(parts[1:2]) or "studies" in parts or name in ABOUT_HOUSES
        everyday = parts[1:3] in (["mission", "language"], ["mission", "dialogue"], ["learn", "sentences"])
        meant = meant or everyday or parts[1:2] == ["talk"]
        if not meant and quoted.search(source := path.read_text()):  # or nobody need look at all of it
            nodes = ast.walk(ast.parse(source))
            found = [n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value in words]
            wrong += [f"{name}, line {node.lineno}: '{node.value}'" for node in found]
    assert not wrong, wrong


def test_the_bench_knows_no_study_by_name():
    """Studies register themselves; whoever needs them imports the folder, which brings all that lie in it."""
    wrong = []
    for name, others in graph().items():
        studying = name.startswith("coterie.bench.studies")
        wrong += [f"{name} imports {o}" for o in others if o.startswith("coterie.bench.studies.") and not studying]
    assert not wrong, wrong


def test_lower_layers_need_numpy_alone():
    code = (
        "import sys, coterie.episode.play, coterie.protocols, coterie.models\n"
        "heavy = {'rich', 'matplotlib', 'PIL', 'xllamacpp', 'gguf', 'unified_planning', 'hypothesis', 'pytest'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_below_the_reader_nobody_looks_at_text():
    """The dialogue works on meanings: no module of it has a pattern, and the conversation is a plain record."""
    for path in sorted((ROOT / "mission" / "dialogue").glob("*.py")):
        tree = ast.parse(path.read_text())
        imports = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
        assert "re" not in imports, path.name
    from coterie.mission.dialogue.effects import Conversation

    assert is_dataclass(Conversation) and Conversation.__bases__ == (object,)
