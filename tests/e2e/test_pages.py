"""Every page: its Python runs somewhere in the tests, its commands can be typed, its tables say what the code says."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from coterie.cli.app import COMMANDS, parser
from coterie.core import expr
from coterie.episode.play import play
from coterie.episode.radio import Radio
from coterie.worlds.hospital.chance import RATES
from coterie.worlds.household import setting as household
from coterie.worlds.indoor import setting as indoor
from coterie.worlds.indoor.declared import KINDS
from tests.e2e.test_docs import ROOT, execute

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Pages with Python, and the test that runs it.
RUN_BY = {
    "api.md": "e2e/test_pages.py",
    "benchmark.md": "bench/test_study.py",
    "first-hour.md": "e2e/test_docs.py",
    "drivers.md": "link/test_commands.py",
    "gym.md": "gym/test_learning.py",
    "learn.md": "learn/test_page.py",
    "logs.md": "e2e/test_pages.py",
    "memo.md": "memo/test_command.py",
    "mission.md": "mission/test_docs.py",
    "models.md": "models/test_small.py",
    "own_model.md": "models/test_small.py",
    "own_mission.md": "worlds/hospital/test_places.py",
    "recipes.md": "e2e/test_pages.py",
    "strangers.md": "e2e/test_pages.py",
    "talk-reference.md": "e2e/test_pages.py",
    "write-a-protocol.md": "e2e/test_docs.py",
    "write-a-skill.md": "e2e/test_docs.py",
    "write-a-suite.md": "e2e/test_own_folder.py",
    "write-a-task.md": "e2e/test_in_tree.py",
    "write-a-world.md": "e2e/test_docs.py",
}


def test_the_python_of_every_page_is_run_somewhere():
    with_python = {page.name for page in PAGES if "```python\n" in page.read_text()}
    assert with_python == set(RUN_BY)
    for page, test in RUN_BY.items():
        assert page in (ROOT / "tests" / test).read_text(), f"{test} does not run {page}"


def test_recipes(own_names, capsys):
    space = execute("recipes.md")
    said = capsys.readouterr().out
    assert "True" in said and "p = 0.0" in said and r"\toprule" in said and "Anna" in said
    assert len(space["failed"]) > 2 and space["frame"]["success"].all()
    assert "dynahmrc:no-leader" in said and Path("runs/good.svg").read_text().startswith("<svg")


def test_the_page_of_names(own_names, capsys):
    execute("api.md", 1)
    assert "'method': 'waiter'" in capsys.readouterr().out and Path("waiter.jsonl").is_file()


def test_the_page_of_logs(capsys):
    play(__import__("coterie").Config(seed=4), Path("log.jsonl"))
    space = execute("logs.md", path=Path("log.jsonl"))
    assert "pick" in capsys.readouterr().out and space["state"].robots["Alice"]


def test_the_page_of_strangers(own_names):
    execute("strangers.md")
    from coterie import Config

    log = play(Config(task="tidy", scene="rooms:2", level="1", seed=1, stranger="explorer@1")).log.events
    (who,) = [e.who for e in log if e.kind == "join"]
    assert any(e.kind in ("act", "did") and e.who == who for e in log)


def test_the_page_of_talk(quick):
    execute("talk-reference.md")


def command_lines() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for block in re.findall(r"```(?:sh|console)?\n(.*?)```", page.read_text(), re.S):
            text = block.replace("\\\n", "")
            for line in text.splitlines():
                match = re.match(r"(?:\$ |\.venv/bin/)?coterie ([a-z].*)", line)
                if match:
                    found.append((page.name, match[1]))
    return found


def test_commands_of_every_page_can_be_typed():
    top, lines = parser(list(COMMANDS)), command_lines()
    assert len(lines) > 60
    for page, line in lines:
        words = shlex.split(line, comments=True)
        words = [w for w in words if w not in ("&",)]
        try:
            top.parse_args(words)
        except (SystemExit, Exception) as err:  # noqa: BLE001
            pytest.fail(f"{page}: coterie {line}: {err}")


def rows_of(page: str, head: str) -> list[list[str]]:
    """The cells of the table whose first line begins so."""
    lines = (ROOT / "docs" / page).read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {head}"))
    table = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


def test_kinds_of_noise_are_those_that_there_are():
    world, told = "", {}
    for name, kind, _, real in rows_of("noise.md", "world"):
        world = name or world
        told[world, kind.strip("`")] = real
    for where, module in (("indoor", indoor), ("household", household)):
        rates = {f.name: f"{getattr(module.Noise.real, f.name):g}" for f in fields(module.Noise)}
        assert {kind: real for (world, kind), real in told.items() if world == where} == rates
    assert "pickup" in RATES and ("hospital", "the name of a skill") in told
    radio = {name.strip("`"): usual for name, _, usual in rows_of("noise.md", "property of a radio")}
    assert list(radio) == [f.name for f in fields(Radio)] and radio["resend"] == str(Radio().resend)


def test_all_kinds_and_expressions_are_told():
    kinds = {name for row in rows_of("write-a-skill.md", "kind of") for name in re.findall(r"`(\w+)`", row[0])}
    assert kinds == {k.name for k in KINDS}
    written = " ".join(row[0] for row in rows_of("write-a-skill.md", "written"))
    makers = {n for n, f in vars(expr).items() if callable(f) and getattr(f, "__module__", "") == expr.__name__}
    makers = {n for n in makers if n.islower() and not n.startswith("_")} - {
        "compile_expr", "compile_term", "turns_on", "fluents",
    }  # fmt: skip
    assert all(f"{name}(" in written for name in makers), makers
    assert '"in"' in written and set(expr.OPS) - {"in"} == {"==", "!=", "<", "<=", ">", ">="}


def test_what_pip_is_told_to_install_is_there():
    """In pages and in messages of the program: the extras exist, and so does what they are said to bring."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    texts = [*PAGES, *sorted((ROOT / "src").rglob("*.py")), *sorted((ROOT / "examples").rglob("*.ipynb"))]
    found = set()
    for path in texts:
        for names in re.findall(r"coterie\[([a-z0-9, _-]+)\]", path.read_text()):
            for name in re.split(r", *", names):
                assert name in extras, f"{path.name} names the extra '{name}'"
                found.add(name)
        for line in re.findall(r"pip install +(?!-)(?:'|\")?([\w.-]+)", path.read_text()):
            assert line in ("coterie", "pettingzoo", "mkdocs", "torch", "."), f"{path.name}: pip install {line}"
    assert {"plots", "arms", "mission", "planning", "gym", "docs", "frames"} <= found


def test_what_is_locked_is_all_that_is_required():
    """With hashes, for what `make demo`, its model and `make test` install; `make lock` renews it."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    def needed(names: str) -> set[str]:
        found = {"numpy", "rich", "hatchling", "editables"}  # with what the editable install itself is made
        for line in (line for name in names.split(",") for line in extras[name]):
            more = re.match(r"coterie\[(.*)\]", line)
            found |= needed(more[1]) if more else {re.match(r"[\w-]+", line)[0].replace("_", "-").lower()}
        return found

    demo = re.search(r"^DEMO_EXTRAS := (.*)$", (ROOT / "Makefile").read_text(), re.M)[1]
    for file, names in {"demo": demo, "embedded": f"{demo},embedded", "dev": "dev"}.items():
        text = (ROOT / "requirements" / f"{file}.txt").read_text()
        pinned = re.findall(r"^([\w.-]+)(?:\[.*?\])?==.*\\\n +--hash=sha256:", text, re.M)
        assert needed(names) <= {name.replace("_", "-").lower() for name in pinned}, "make lock"


def test_the_site_has_every_page():
    nav = re.findall(r"^ +- (?:\w+: )?([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M)
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    of_the_root = {"index.md", "changelog.md", "contributing.md", "conduct.md", "security.md"}
    assert set(nav) == pages | of_the_root and len(nav) == len(set(nav))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built strictly: a link or an anchor that leads nowhere ends it."""
    pytest.importorskip("mkdocs", reason="the site needs mkdocs: pip install 'coterie[docs]'")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "excluded" not in done.stderr, done.stderr
    return folder


def test_the_site_reads_without_a_network(site):
    front = (site / "index.html").read_text()
    assert 'href="write-a-world.html"' in front and 'href="examples/first_hour.ipynb"' in front
    assert (site / "examples" / "corridor.py").is_file() and not list(site.rglob("__pycache__"))
    assert 'class="codehilite"' in front and ".codehilite" in (site / "assets" / "code.css").read_text()
    for page in site.glob("*.html"):
        assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//', page.read_text()), page.name


@pytest.mark.long
def test_the_site_is_searched_without_a_server(site):
    sync = pytest.importorskip("playwright.sync_api", reason="nothing to drive a browser: install playwright")
    chromium = shutil.which("chromium") or pytest.skip("no browser here: install chromium")
    with sync.sync_playwright() as driver:
        page = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page()
        page.goto(f"{(site / 'search.html').as_uri()}?q=ad+hoc+teamwork")
        page.wait_for_selector("#mkdocs-search-results a", timeout=20_000)
        links = page.locator("#mkdocs-search-results a")
        assert any("words.html" in (links.nth(i).get_attribute("href") or "") for i in range(min(5, links.count())))
