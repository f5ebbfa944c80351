"""README's first table, and the model card's by kind of change: the embedded mind, its teacher, minds without a model,
the model before its training, and rivals that were trained likewise, on test seeds.

    python benchmarks/first_table.py FOLDER [--jobs 4] [--batch 24] [--episodes N] [--model auto|gpu|embedded]
                                     [--samples 40000] [--compile] [--without-rivals] [--dry-run]

On a GPU (`pip install 'coterie[learn]'`) the packaged adapter is served to all processes, the untrained model plays 108
of the episodes, and rivals are trained and play the same. On a processor `dynahmrc@embedded` plays, and these are left
out: say --episodes 40 for a sample. What was played or trained is not done again: the same command goes on where it was
stopped, and writes FOLDER/table.md.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from training import ASKING_NOBODY, SUITES, cells_of, rivals, rows_in, slug, weighed, won_of
from training import chosen as trainings

from coterie.bench.table import markdown

ALL = 1_134  # episodes of the suites
RIVALS = "as it is,coela,coherent"
RIVAL_EPISODES = 108
SEARCHING = "mcts:100"
SETTINGS = ("static", "static-search", "cto", "irz", "anc", "rec")
PAPER = ("", "0.853", "0.805", "0.982", "0.874", "0.792")  # of the DynaHMRC paper's model of four billion weights
MIND, TEACHER, UNTRAINED = "dynahmrc@embedded", "dynahmrc@oracle", "dynahmrc@embedded:untrained"
#: What README says of each.
ASKED = {
    MIND: "135 million weights{where}, replies held to a grammar",
    TEACHER: "its teacher: reads the same prompts, by rules",
    "rules": "no model; each robot has what it saw and heard",
    SEARCHING: "no model; one search in what all know together",
    "random-legal": "no model; whatever may be done",
    UNTRAINED: "the same weights before their training, held to the same grammar",
}
LEARNT = {
    "dynahmrc": "the same weights, trained on {samples:,} samples alone",
    "coela": "likewise: a message first, then a choice among options",
    "coherent": "likewise: one planner who sees everybody's state",
}
#: As measured: an episode on two cores of a processor; all of them on one H200 with 15 processes; a training there with
#: its demonstrations and its play.
CPU_EPISODE_S, GPU_ALL_S, GPU_TRAINING_S = 90.0, 240.0, 300.0


def on_gpu(model: str) -> bool:
    if model != "auto":
        return model == "gpu"
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return bool(torch.cuda.is_available())


def run(words: Sequence[str]) -> None:
    if subprocess.run([sys.executable, *words]).returncode:
        raise SystemExit(f"python {' '.join(words)} failed. The same command goes on once that is mended.")


def socket_of(folder: Path) -> Path:
    """The same for a folder each time, for results go by its name; short, for systems take no long ones."""
    name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:12]
    own = Path(tempfile.gettempdir()) / f"coterie-{os.getuid()}-{name}"
    own.mkdir(mode=0o700, exist_ok=True)
    if own.stat().st_uid != os.getuid():
        raise SystemExit(f"'{own}' belongs to somebody else.")
    return own / "mind"


@contextlib.contextmanager
def served(folder: Path, *trained: str) -> Iterator[str]:
    """The packaged adapter on a GPU, or what is named, for as long as it is needed."""
    log, socket = folder / "mind.log", socket_of(folder)
    socket.unlink(missing_ok=True)  # of one that was killed
    with log.open("w", encoding="utf-8") as out:
        serving = subprocess.Popen(
            [sys.executable, "-m", "coterie", "learn", "serve", *trained, "--socket", str(socket)],
            stdout=out,
            stderr=out,
        )
    try:
        while not socket.exists():
            if serving.poll() is not None:
                raise SystemExit(f"The mind cannot be served: {log.read_text(encoding='utf-8').strip()[-400:]}")
            time.sleep(0.2)
        yield f"shared:{socket}"
    finally:
        serving.terminate()
        serving.wait()
        socket.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            socket.parent.rmdir()


def bench(args: argparse.Namespace, methods: Sequence[str], into: str, episodes: int | None) -> None:
    words = ["-m", "coterie", "bench", args.suites, "--methods", ",".join(methods), "--jobs", str(args.jobs)]
    words += ["--batch", str(args.batch), "--seed", str(args.seed), "--out", str(args.folder / into), "--no-plots"]
    run([*words, *(["--episodes", str(episodes)] if episodes else [])])


def minds(args: argparse.Namespace, model: str) -> None:
    bench(args, [f"dynahmrc@{model}", TEACHER, *ASKING_NOBODY, SEARCHING], "minds", args.episodes)


def likewise(args: argparse.Namespace) -> None:
    words = [str(Path(__file__).with_name("training.py")), str(args.folder / "rivals"), "--only", RIVALS]
    words += ["--ways", "test", "--test-seed", str(args.seed), "--suites", args.suites, "--jobs", str(args.jobs)]
    words += ["--samples", str(args.samples), "--episodes", str(min(RIVAL_EPISODES, args.episodes or RIVAL_EPISODES))]
    words += ["--base", str(args.base)] if args.base else []
    run([*words, *(["--compile"] if args.compile else [])])


# -- what was seen ----------------------------------------------------------------------------------------------------
def played(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Episodes by who played them, in the order of README's table."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in ASKED}
    for row in rows_in(folder / "minds"):
        name = row["method"]
        found[MIND if name.startswith("dynahmrc@shared:") else name].append(row)
    if (folder / "untrained" / "results.jsonl").exists():
        found[UNTRAINED] = rows_in(folder / "untrained")
    return {name: rows for name, rows in found.items() if rows}


def learnt(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Episodes of those that were trained likewise."""
    found = {}
    for one in trainings(RIVALS):
        where = folder / "rivals" / f"{slug(one.name)}-test"
        if (where / "done").exists():
            found[one.protocol] = rows_in(where)
    return found


def readme(folder: Path, gpu: bool, samples: int) -> str:
    """The table of README: what each won of all, and of those that everybody played."""
    asked = {name: words.format(where=" on a GPU" if gpu else " on a processor") for name, words in ASKED.items()}
    rows = [(name, asked[name], found) for name, found in played(folder).items()]
    rows += [(name, LEARNT[name].format(samples=samples), found) for name, found in learnt(folder).items()]
    shared = set.intersection(*({row["key"] for row in found} for _, _, found in rows))
    most = max(len(found) for _, _, found in rows)
    head = ["mind", "what it is", f"won, of {most:,}", f"of {len(shared)} that all played", "steps", "calls"]
    body = []
    for name, words, found in rows:
        won = f"{won_of(found):,}" if len(found) == most else ""
        same = [row for row in found if row["key"] in shared]
        calls = weighed(same, "calls").mean
        steps = f"{weighed(same, 'ts').mean:.1f}"
        body.append([name, words, won, str(won_of(same)), steps, f"{calls:.0f}" if calls else ""])
    return "\n".join(markdown(head, body, left=2))


def table(folder: Path, gpu: bool, samples: int) -> str:
    """What there is of it."""
    by_method = played(folder)
    parts = [readme(folder, gpu, samples)]
    head = ["mind", "won", "SUCC, settings weighed alike", "steps", "AS", "CC", "said", "calls"]
    parts.append("\n".join(markdown(head, [[m, *cells_of(rows)] for m, rows in by_method.items()])))
    head = ["mind", *SETTINGS]
    body = [[m, *(_setting(rows, s) for s in SETTINGS)] for m, rows in by_method.items()]
    parts.append("\n".join(markdown(head, [*body, ["the paper's 4B", *PAPER]])))
    if (folder / "rivals").is_dir():
        parts.append(rivals(folder / "rivals", trainings(RIVALS)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _setting(rows: Sequence[dict[str, Any]], setting: str) -> str:
    some = [row for row in rows if row["labels"]["setting"] == setting]
    if not some:
        return ""
    places = {"ts": 1, "as": 1, "cc": 2}
    means = [f"{name.upper()} {weighed(some, name).mean:.{n}f}" for name, n in places.items()]
    return f"{won_of(some)} of {len(some)}; {', '.join(means)}"


def estimate(args: argparse.Namespace, gpu: bool) -> str:
    count = min(ALL, args.episodes or ALL)
    if not gpu:
        return f"{count} episodes on a processor: about {count * CPU_EPISODE_S / 60:.0f} minutes on two cores."
    training = 0.0 if args.without_rivals else 3 * GPU_TRAINING_S * max(0.1, args.samples / 40_000)
    seconds = GPU_ALL_S * count / ALL * max(1.0, 15 / args.jobs) + training
    return f"{count} episodes on a GPU{', and three trainings' if training else ''}: about {seconds / 60:.0f} minutes."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=4, help="processes that play")
    parser.add_argument("--batch", type=int, default=24, help="episodes at once in a process")
    parser.add_argument("--episodes", type=int, help="a balanced sample; without: all of them")
    parser.add_argument("--suites", default=SUITES)
    parser.add_argument("--seed", type=int, default=10_000)
    parser.add_argument("--model", choices=("auto", "gpu", "embedded"), default="auto")
    parser.add_argument("--samples", type=int, default=40_000, help="that each rival learns from")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--base", type=Path, help="another base model for the rivals")
    parser.add_argument("--without-rivals", action="store_true")
    parser.add_argument("--dry-run", action="store_true", help="say what it will take")
    args = parser.parse_args()
    gpu = on_gpu(args.model)
    sys.stdout.write(f"{estimate(args, gpu)}\n")
    sys.stdout.flush()
    if args.dry_run:
        return
    args.folder.mkdir(parents=True, exist_ok=True)
    if gpu:
        with served(args.folder) as model:
            minds(args, model)
        with served(args.folder, "untrained") as model:
            bench(args, [f"dynahmrc@{model}"], "untrained", min(RIVAL_EPISODES, args.episodes or RIVAL_EPISODES))
    else:
        minds(args, "embedded")
    if gpu and not args.without_rivals:
        likewise(args)
    text = table(args.folder, gpu, args.samples)
    (args.folder / "table.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
