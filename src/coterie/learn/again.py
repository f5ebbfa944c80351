"""Going on in the folder of a school: what it holds is learnt from again, and other episodes are drawn than before."""

from __future__ import annotations

from pathlib import Path

from coterie.core.bounds import read_json
from coterie.core.errors import CoterieError
from coterie.learn.crew import KINDS
from coterie.learn.gathering import Wish
from coterie.learn.samples import card_of
from coterie.learn.trained import load

LEFT = ("pupil.npz", "best.npz", "curve.jsonl", *(f"{kind}.jsonl" for kind in KINDS))
TAIL = 2**20  # bytes, within which a file's last line begins


def used(folder: Path) -> bool:
    """Whether a school was here."""
    return any((folder / name).exists() and (folder / name).stat().st_size for name in LEFT)


def check_free(folder: Path) -> None:
    if used(folder):
        raise CoterieError(
            f"'{folder}' holds a school already: go on with --from {folder / 'pupil.npz'}, or name another folder."
        )


def check_alike(folder: Path, rank: int, alpha: float) -> None:
    """Whether states of this training and the best one there can be compared."""
    best = folder / "best.npz"
    if best.exists() and (found := load(best))[:2] != (rank, alpha):
        raise CoterieError(
            f"'{best}' is of another training, with rank {found.rank} and alpha {found.alpha:g}, not {rank} and "
            f"{alpha:g}: name another folder."
        )


def seeds_of(path: Path) -> list[int]:
    """Those that the samples of a file were drawn from, as its card says."""
    try:
        card = read_json(card_of(path), "card of samples")
        return [int(seed) for seed in card.get("seeds", [card["seed"]])]
    except (CoterieError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return []


def anew(folder: Path, wish: Wish) -> Wish:
    """The same wish with a seed that nothing there was drawn from: demonstrations take it, corrections the next one."""
    if not used(folder):
        return wish
    taken = {seed for kind in KINDS for seed in seeds_of(folder / f"{kind}.jsonl")}
    taken = taken or {wish.seed}  # a school that was killed left no card
    seed = wish.seed
    while taken & {seed + n for n in range(len(KINDS))}:
        seed += len(KINDS)
    return wish._replace(seed=seed)


def cut(path: Path) -> None:
    """Takes away a last line that is not whole: who wrote it was killed."""
    with path.open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL))
        tail = file.read()
        if not tail.endswith(b"\n"):
            file.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
