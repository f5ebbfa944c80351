"""The training itself: packed rows, one shape, thin matrices beside frozen weights, loss on the reply alone."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.learn.network import Network, dense, packed_mask, sparse
from coterie.learn.pool import IGNORED, Rows
from coterie.learn.trained import Bound, Trained, save
from coterie.learn.weights import Shape, needed

torch = needed("torch")
F = torch.nn.functional
PIECE_TOKENS = 65_536  # that go through the network at once; a larger batch is made of several
FREE = 0.7  # of a GPU's free memory, for what one piece leaves on its way to the gradients


@dataclass(frozen=True)
class Recipe:
    rank: int = 16
    alpha: float = 32.0
    rate: float = 1e-3
    batch_tokens: int = 65_536
    length: int = 4096  # of a row
    warm_up: int = 60  # steps
    passes: float = 1.0
    decay: float = 0.0
    seed: int = 0
    seconds: float = 0.0  # the training ends then, wherever it is; 0: at its end

    @property
    def rows(self) -> int:
        return max(1, self.batch_tokens // self.length)


Tell = Callable[[dict[str, Any]], None]


class Tuning:
    """One training, that can be gone on with more data: corrections come in rounds."""

    def __init__(self, network: Network, recipe: Recipe, device: str = "", compiled: bool = False):
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.recipe, self.network = recipe, network.to(self.device)
        if self.device == "cuda":
            network.frozen_to(torch.bfloat16)
        self.parameters = [p for p in network.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(
            self.parameters, lr=recipe.rate, betas=(0.9, 0.98), weight_decay=recipe.decay
        )
        self.piece = self._rows_that_fit()
        self.bound = Bound()  # the prompts that are learnt, for those who load what is saved
        self.compiled, self.steps = compiled, 0  # that were taken
        if compiled:
            network.compile_layers()
            self._flex = torch.compile(needed("torch.nn.attention.flex_attention").flex_attention)

    # -- one step -----------------------------------------------------------------------------------------------------
    def _attend(self, until: Any) -> Any:
        return sparse(until, self._flex) if self.compiled else dense(packed_mask(until))

    def _step(self, rows: Rows, rate: float) -> tuple[float, int, int]:
        """One step of the optimizer, over pieces that fit into memory: as over all of them at once."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        places = int((rows.labels != IGNORED).sum())
        while (found := self._gradients(rows, places)) is None:
            if self.piece <= 1:
                raise CoterieError(
                    f"The GPU has too little free memory to learn from a row of {self.recipe.length} tokens. Say "
                    "--compile, which needs less, or free some of it."
                )
            self.piece = self.piece // 2
            torch.cuda.empty_cache()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.steps += 1
        return float(found[0]), int(found[1]), places

    def _gradients(self, rows: Rows, places: int) -> tuple[Any, Any] | None:
        """The loss and how many were right, added up over pieces; none where one of them does not fit into memory."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = right = 0.0
        try:
            for at in range(0, len(rows.ids), self.piece):
                share, good = self._learn(Rows(*(part[at : at + self.piece] for part in rows)), places)
                loss, right = loss + share, right + good
        except torch.cuda.OutOfMemoryError:
            return None
        return loss, right

    def _rows_that_fit(self) -> int:
        """How many rows go through the network at once: fewer where a GPU has little memory; on a processor one, for
        more are no faster there."""
        if self.device != "cuda":
            return 1
        fit = int(FREE * torch.cuda.mem_get_info()[0] / _token_bytes(self.network.shape))
        return max(1, min(PIECE_TOKENS, fit) // self.recipe.length)

    def _learn(self, rows: Rows, places: int) -> tuple[Any, Any]:
        """A piece's share of the loss over all places, and how many of its own were right."""

        def put(array: np.ndarray) -> Any:
            return torch.from_numpy(array.astype(np.int64)).to(self.device, non_blocking=True)

        ids, labels, until, positions = map(put, rows)
        hidden = self.network.hidden(ids, positions, self._attend(until))
        learnt = labels != IGNORED
        scores = self.network.scores(hidden[learnt]).float()  # only where something is learnt: it is most of the work
        wanted = labels[learnt]
        loss = F.cross_entropy(scores, wanted, reduction="sum") / max(1, places)
        loss.backward()
        return loss.detach(), (scores.argmax(-1) == wanted).sum()

    # -- all of it ----------------------------------------------------------------------------------------------------
    def train(
        self, rows: Rows, tell: Tell | None = None, every: int = 20, between: Callable[[int], None] | None = None
    ) -> list[dict[str, Any]]:
        """Rounds over all rows in an order of the seed; what was seen on the way."""
        r, count = self.recipe, len(rows.ids)
        if not count:
            raise CoterieError(f"There is nothing to learn: no sample fits into a row of {r.length} tokens.")
        steps = max(1, math.ceil(r.passes * count / r.rows))
        rng = np.random.default_rng(r.seed)
        order = np.concatenate([rng.permutation(count) for _ in range(math.ceil(steps * r.rows / count) + 1)])

        def batch(step: int) -> Rows:
            chosen = order[step * r.rows : (step + 1) * r.rows]
            return Rows(*(part[chosen] for part in rows))

        return self.follow(batch, r.seconds, tell, every, steps, between)

    def follow(
        self,
        batch: Callable[[int], Rows],
        seconds: float,
        tell: Tell | None = None,
        every: int = 20,
        steps: int = 0,
        between: Callable[[int], None] | None = None,
    ) -> list[dict[str, Any]]:
        """Batches as they come, for so many steps or seconds, whichever ends first; one of them has to be given.
        `between` is called after each step; what it takes is no time of training."""
        r, begun, curve, seen, step = self.recipe, time.monotonic(), list[dict[str, Any]](), 0, 0
        total = right = places = 0.0
        while True:
            spent = time.monotonic() - begun
            done = max(step / steps if steps else 0.0, spent / seconds if seconds else 0.0)
            if done >= 1.0:
                return curve
            warm = min(1.0, (step + 1) / max(1, r.warm_up))
            rate = r.rate * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))
            rows = batch(step)
            loss, good, n = self._step(rows, rate)
            step += 1
            seen += rows.ids.size
            total, right, places = total + loss * n, right + good, places + n
            if step % every == 0 or step == steps:
                spent = time.monotonic() - begun
                curve.append({
                    "step": step, "of": steps, "loss": round(total / places, 4), "right": round(right / places, 4),
                    "rate": round(rate, 6), "seconds": round(spent, 1), "tokens_per_s": round(seen / spent),
                })  # fmt: skip
                total = right = places = 0.0
                if tell is not None:
                    tell(curve[-1])
            if between is not None:
                paused = time.monotonic()
                between(step)
                begun += time.monotonic() - paused

    def save(self, path: Path) -> None:
        """Whole or not at all, so that a training that is ended early leaves the last good state."""
        trained = Trained(self.recipe.rank, self.recipe.alpha, self.network.pairs(), self.bound)
        save(path, trained, repr(asdict(self.recipe)))


def _token_bytes(s: Shape) -> int:
    """About what a token leaves for the way back where nothing is compiled, counted, not measured: norms in four bytes
    a number, and in two what looks back and what the wide part of each layer holds."""
    return s.layers * (36 * s.width + 8 * s.inner)
