"""One file for an experiment: what is played, by whom, with which models and for how much (`experiment.toml`).

Names of files in it are relative to it. A copy with whole names is kept beside the results, and plays the same again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from coterie.bench.methods import parse_method
from coterie.bench.results import RESULTS
from coterie.bench.spec import FIRST_SEED, EpisodeSpec
from coterie.bench.suites import make_suite, sample
from coterie.core.errors import CoterieError
from coterie.core.files import replace_text
from coterie.core.reader import Reader, load_toml

FILE = "experiment.toml"
#: Keys that no task file has: by them an experiment is told from a task.
MARKS = frozenset(("suites", "tasks", "methods", "models", "teams", "seeds", "budget"))
MOST = 100_000  # episodes
BUDGET = {"episodes": MOST, "tokens": 10**12, "requests_per_minute": 10**7}


class Experiment:
    """The contents of an experiment file; complaints about it name the line and the fix."""

    def __init__(self, path: Path):
        data = load_toml(path, "experiment")
        r = Reader(data, str(path))
        self.path, self.text, self.lines = path, data.text, r
        self.files: dict[str, str] = {}  # as they are named -> their whole names
        self.kept = (path.parent / RESULTS).is_file()  # it is the copy beside its results
        self.name = path.parent.resolve().name if self.kept else path.stem
        r.text("about", most=2000)  # for readers
        self.suites, self.tasks = r.texts("suites"), self._whole(r.texts("tasks"))
        self.teams, self.scenes = r.texts("teams"), self._whole(r.texts("scenes"))
        self.of_tasks: dict[str, Any] = {"cards": self._whole(r.texts("cards")), "changes": r.texts("changes")}
        self.of_tasks["synchronous"] = not r.flag("async")
        self.of_tasks["teams"] = ",".join(self.teams) if r.flag("same_tasks") else ""
        self.of_all = {key: r.text(key) for key in ("noise", "radio", "heartbeat")}
        self.methods, self.models = r.texts("methods", required=True), r.texts("models")
        self.load, self.base_url = self._whole(r.texts("load")), r.text("base_url")
        self.seed = r.number("seed", FIRST_SEED, 0, 2**62, whole=True)
        self.seeds = r.number("seeds", None, 1, MOST, whole=True)
        budget = r.table("budget")
        self.budget = {key: budget.number(key, None, 1, most, whole=True) for key, most in BUDGET.items()}
        r.done()
        budget.done()
        if not self.suites and not self.tasks:
            raise r.fail('name what is played: `tasks = ["pack-objects"]` or `suites = ["smoke"]`.')
        if not self.tasks and (odd := [key for key in ("teams", "scenes", "seeds") if key in data]):
            raise r.fail(f"`{odd[0]}` goes with `tasks`; suites say themselves what is played.")

    def _whole(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names, those of files as they are found from anywhere."""
        for name in names:
            if Path(name).suffix in (".toml", ".py", ".json"):
                self.files[name] = str((self.path.parent / name).resolve())
        return tuple(self.files.get(name, name) for name in names)

    @contextmanager
    def naming(self, *keys: str) -> Iterator[None]:
        """Complaints about what the first of these keys that is in the file says name its line."""
        try:
            yield
        except CoterieError as err:
            key = next((k for k in keys if k in self.lines.data), keys[0])
            raise self.lines.fail(f"`{key}`: {err}") from err

    def specs(self) -> list[EpisodeSpec]:
        """Its episodes, each once: suites as they are, and each task with each team in each scene."""
        found: dict[str, EpisodeSpec] = {}
        with self.naming("suites"):
            for suite in self.suites:
                found |= {s.key: s for s in make_suite(suite, self.seed, **self.of_all)}
        with self.naming("tasks", "teams"):
            for task, team, scene in product(self.tasks, self.teams or (None,), self.scenes or (None,)):
                own = {**self.of_tasks, "team": team, "scene": scene}
                found |= {s.key: s for s in make_suite(task, self.seed, seeds=self.seeds, **self.of_all, **own)}
        return sample(list(found.values()), self.budget["episodes"])

    def compared(self) -> list[str]:
        """The names of its methods; with several models, each that asks one is there once for each of them."""
        names = []
        with self.naming("methods"):
            for name in self.methods:
                protocol, *extras = name.split("+")
                method = parse_method(name)
                several = self.models if method.needs_model and not method.model and len(self.models) > 1 else ()
                names += ["+".join([f"{protocol}@{model}", *extras]) for model in several] or [name]
        return names

    def keep(self, folder: Path) -> Path:
        """A copy beside the results, which plays the same from anywhere."""
        kept = folder / FILE
        if kept.resolve() != self.path.resolve():
            text = self.text
            for name, whole in self.files.items():
                for quote in "\"'":
                    text = text.replace(f"{quote}{name}{quote}", f"{quote}{whole}{quote}")
            folder.mkdir(parents=True, exist_ok=True)
            replace_text(kept, text)
        return kept


def find_experiment(name: str) -> Path | None:
    """The experiment that a word names: a file with keys of one, or the folder of its results."""
    path = Path(name)
    if path.is_dir() and (path / FILE).is_file():
        return path / FILE
    return path if name.endswith(".toml") and path.is_file() and MARKS & load_toml(path, "task").keys() else None
