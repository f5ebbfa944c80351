"""A fresh machine for every test: a home, a cache and a current folder of its own, no network, nobody's keys.

What a test finds it has made itself, so tests pass in any order, on any machine, and leave nothing behind.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import gc
import gzip
import importlib
import json
import os
import pickle
import pkgutil
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import coterie
from coterie.core.errors import CoterieError
from coterie.core.registry import Registry
from coterie.episode import plugins
from coterie.models.store import NO_REGISTRY, fetched
from examples import yard
from tests.offline import sitecustomize as offline

HERE = Path(__file__).parent
OURS = ("COTERIE_", "OPENAI_")  # settings and keys of the person who runs the tests
DATA = ("COTERIE_HOUSES",)  # but for where data for tests lies
TERMINAL = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
MODEL = "the embedded model"  # as tests that fetch it name it
SCRATCH = pytest.StashKey[Path]()
MEMORY = Path("/dev/shm")  # on a disk, deleting a file may take milliseconds, and a memo tens of them
ENOUGH = 2 * 10**9  # [bytes]; containers may have next to nothing


# -- the whole run, and each process of pytest-xdist -----------------------------------------------------------------
def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--network", action="store_true", help="also run the tests that fetch something")


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is imported. Fixtures that outlive a test have the home of the process."""
    light = "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH
    scratch = Path(tempfile.mkdtemp(prefix="coterie-tests-", dir=MEMORY if light else None))
    if light:
        (scratch / "tmp").mkdir()
        os.environ["TMPDIR"] = tempfile.tempdir = str(scratch / "tmp")
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # what tests that failed leave to be looked at
    config.stash[SCRATCH] = scratch
    plugins._loaded[Path(yard.__file__)] = yard  # tests play in it as if it were built in
    _keep_pip_working()
    for name in [n for n in os.environ if n.startswith(OURS) and n not in DATA]:
        del os.environ[name]
    os.environ |= _home(scratch / "home")
    os.environ[offline.NOTES] = str(scratch / "attempts")
    if not hasattr(config, "workerinput"):  # once for all processes
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE / "offline"), os.environ.get("PYTHONPATH")]))
        os.environ["MPLCONFIGDIR"] = str(scratch / "matplotlib")  # its list of fonts takes seconds to make
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(scratch / "hypothesis")
    # No examples of earlier runs, and nobody is too slow; what fails prints how to try it again. Thirty examples catch
    # what a hundred did, but for chance: every run draws others.
    busy = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile(
        "fresh", max_examples=30, database=None, deadline=None, print_blob=True, suppress_health_check=busy
    )
    hypothesis.settings.load_profile("fresh")
    _spare_hypothesis_its_reading(scratch / "hypothesis")


def _spare_hypothesis_its_reading(folder: Path) -> None:
    """Each process would parse our sources for constants to draw, and try every letter in UTF-8: nine seconds."""
    with contextlib.suppress(ImportError, AttributeError):  # other versions may do without
        from hypothesis.internal.conjecture import providers

        nothing = providers._local_constants
        providers._get_local_constants = lambda: nothing
    known = folder / "unicode_data" / unicodedata.unidata_version / "codec-v2-utf-8.json.gz"
    known.parent.mkdir(parents=True)
    known.write_bytes(gzip.compress(json.dumps([[[0, 0xD7FF], [0xE000, sys.maxunicode]], []]).encode()))


def pytest_unconfigure(config: pytest.Config) -> None:
    if SCRATCH in config.stash:
        shutil.rmtree(config.stash[SCRATCH], ignore_errors=True)


def _home(home: Path) -> dict[str, str]:
    """The variables of an empty home."""
    home.mkdir(parents=True)
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "COTERIE_CACHE": str(home / ".cache" / "coterie"),
    }


def _keep_pip_working() -> None:
    """Tests that may fetch do it as the user would, whose registry is perhaps named in the home they do not see."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    for file in (config / "pip" / "pip.conf", Path.home() / ".pip" / "pip.conf"):
        if file.is_file():
            os.environ.setdefault("PIP_CONFIG_FILE", str(file))


# -- the network -----------------------------------------------------------------------------------------------------
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        mark = item.get_closest_marker("network")
        if mark is None:
            continue
        if len(mark.args) != 1:
            raise pytest.UsageError(f"{item.nodeid} does not say what it fetches: @pytest.mark.network('what')")
        if not config.getoption("--network"):
            item.add_marker(pytest.mark.skip(reason=f"fetches {mark.args[0]}; to run it: make test-network"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is there now stays: nobody has to look again and again whether all those modules and tests are garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    mark = item.get_closest_marker("network")
    if mark is not None and item.config.getoption(
        "--network"
    ):  # here: fixtures of a module come before those of a test
        os.environ.pop(offline.NOTES, None)
        if mark.args[0].startswith(MODEL) and (why := _not_fetched()):
            pytest.skip(why)
    yield from _blamed(item)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield from _blamed(item)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield from _blamed(item)
    os.environ[offline.NOTES] = str(_notes(item))


@functools.cache
def _not_fetched() -> str:
    """Why the embedded model cannot be had from the registry; nothing where it is here. That is no fault of a change;
    a file with another content is."""
    try:
        fetched()
    except CoterieError as err:
        if NO_REGISTRY not in str(err):
            raise
        return str(err)
    return ""


def _blamed(item: pytest.Item) -> Iterator[None]:
    """Fails a test for its attempts to reach another machine, whatever became of them."""
    try:
        yield
    except BaseException as err:
        words = _attempts(item)
        if words and isinstance(err, (pytest.skip.Exception, pytest.xfail.Exception)):
            pytest.fail(words, pytrace=False)  # no way out
        if words and words not in str(err):
            err.add_note(words)
        raise
    words = _attempts(item)
    if words:
        pytest.fail(words, pytrace=False)


def _notes(item: pytest.Item) -> Path:
    return item.config.stash[SCRATCH] / "attempts"


def _attempts(item: pytest.Item) -> str:
    """Those since the last look."""
    try:
        words = _notes(item).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    _notes(item).unlink()
    return "\n".join(dict.fromkeys(words.splitlines()))


# -- each test -------------------------------------------------------------------------------------------------------
@pytest.fixture(autouse=True)
def fresh(request: pytest.FixtureRequest) -> Iterator[None]:
    """An empty home and an empty current folder. A test that may fetch keeps the home of the process, for what it
    fetches is fetched once."""
    network = request.node.get_closest_marker("network") is not None
    own = Path(tempfile.mkdtemp(dir=request.config.stash[SCRATCH]))
    (own / "work").mkdir()
    before = dict(os.environ)
    with contextlib.chdir(own / "work"):
        for name in [n for n in os.environ if n in TERMINAL or (n.startswith(OURS) and n != "COTERIE_CACHE")]:
            del os.environ[name]
        if not network:
            os.environ |= _home(own / "home")
            for name in PROXIES:  # one on this machine would lead a test out
                os.environ.pop(name, None), os.environ.pop(name.lower(), None)
        yield
    after = dict(os.environ)
    for name in after.keys() - before.keys():
        del os.environ[name]
    os.environ |= before.items() - after.items()
    shutil.rmtree(own, ignore_errors=True)


@pytest.fixture
def kept_grammars(fresh: None, request: pytest.FixtureRequest) -> None:
    """Commands of people's words that a test starts find the parsers that earlier ones have made."""
    shared = request.config.stash[SCRATCH] / "grammars"
    shared.mkdir(exist_ok=True)
    cache = Path(os.environ["COTERIE_CACHE"])
    cache.mkdir(parents=True)
    (cache / "grammars").symlink_to(shared)


@pytest.fixture
def own_names() -> Iterator[None]:
    """What a test registers (protocols, tasks, skills, models, robots, worlds) is gone after it."""
    kept = [(r, {n: v.copy() for n, v in vars(r).items() if isinstance(v, (dict, list))}) for r in _registries()]
    files = dict(plugins._loaded)
    yield
    beside = {str(f) for path in plugins._loaded.keys() - files.keys() for f in plugins.with_siblings(path)}
    for name in [n for n, m in sys.modules.items() if getattr(m, "__file__", None) in beside]:
        del sys.modules[name]
    plugins._loaded.clear()
    plugins._loaded.update(files)  # a file that registers something is loaded again when it is next named
    for registry, tables in kept:
        for name, table in tables.items():
            setattr(registry, name, table)


@functools.cache
def _registries() -> list[Registry]:
    """All of them, with all that is built in: what came by an import during a test would not come again."""
    for module in pkgutil.walk_packages(coterie.__path__, "coterie."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # what training needs is not among what tests need
                importlib.import_module(module.name)
    gc.unfreeze()  # or it does not tell them; commands freeze what is there, too
    found = [thing for thing in gc.get_objects() if isinstance(thing, Registry)]
    gc.freeze()
    return found


# -- plans of missions ------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def quick() -> Iterator[None]:
    """The first plan that is found is taken, and found once for all tests that ask the same; what can be done in a
    moment is found once for all goals: the engine has tests of its own. Where it is to answer in another process it
    does."""
    from coterie.mission.planner import MissionPlanner
    from coterie.planning import own
    from coterie.planning.answer import Limits

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MissionPlanner, "usual", Limits(states=5000, tries=1, polish=0))
        patch.setattr(MissionPlanner, "judges", False)
        patch.setattr(MissionPlanner, "_sought", _found_once(MissionPlanner._sought))
        patch.setattr(own, "ground", _grounded_once)
        yield


_FOUND: dict[bytes, Any] = {}


def _found_once(seek: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(seek)
    def sought(planner: Any, question: Any) -> Any:
        if planner.apart:
            return seek(planner, question)
        asked = pickle.dumps((question, planner.engine, planner.limits, planner._judged))
        if asked not in _FOUND:
            found = seek(planner, question)
            if found.status not in ("plan", "none"):
                return found
            _FOUND[asked] = found
        return _FOUND[asked]

    return sought


_GROUNDED: dict[bytes, Any] = {}
MOST_GROUNDED = 24  # each takes some megabytes


def _grounded_once(question: Any) -> Any:
    """As `ground` does; nothing but the goal and the unit of numbers depends on what the goal is."""
    from coterie.planning.forms import normal
    from coterie.planning.own.ground import _Grounder, _scale

    moment = dataclasses.replace(question, goal=())
    key = pickle.dumps(moment)
    if key not in _GROUNDED:
        grounder = _Grounder(moment)
        _GROUNDED[key] = grounder, grounder.made()
        if len(_GROUNDED) > MOST_GROUNDED:
            del _GROUNDED[next(iter(_GROUNDED))]
    grounder, made = _GROUNDED[key] = _GROUNDED.pop(key)  # the one that was asked for last is forgotten last
    if _scale(question) != grounder.scale:
        return _Grounder(question).made()
    reach = copy.copy(grounder.reach)
    reach.question, reach.goal = question, [normal(g, question.fluents) for g in question.goal]
    goal = tuple(grounder._all([g], {}, {}) for g in reach.goal)
    return dataclasses.replace(made, question=question, goal=goal, reach=reach)
