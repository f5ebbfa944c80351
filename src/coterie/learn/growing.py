"""Replies that grow side by side, each in a row of its own; a row whose reply has ended takes the next prompt.

What a row has read stays in it: a prompt that begins like it, such as the next turn of a conversation, is read from
there on.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from coterie.learn.holding import Holding
from coterie.learn.network import Network
from coterie.learn.weights import needed

torch = needed("torch")
F = torch.nn.functional
TURN = 8  # words that each reply grows by before the next prompts are read
SPARE = 16  # places of a row after the longest reply: that one has ended is seen some words later
READ = 32_768  # tokens of prompts that are read at once
SAME = 64  # tokens at its beginning that a prompt has to share with a row to go on from there
STEP = 64  # and their lengths are rounded up to a multiple of this
ROWS = (16, 64)  # the first rows alone take a step where no others are in use: a GPU records one for each number


class PendingReply:
    """A prompt, what its reply is held to, and what has been said of it; `after` is called once it is whole."""

    def __init__(self, prompt: Sequence[int], hold: Any, after: Callable[[], None]):
        self.prompt, self.hold, self.after = prompt, hold, after
        self.said: list[int] = []
        self.whole = False

    def go_on(self, words: Sequence[int], end: int, most: int) -> None:
        """Take what was said next, as far as it belongs to the reply."""
        for word in words:
            if not self.whole and word != end:
                self.said.append(word)
            self.whole = self.whole or word == end or len(self.said) >= most


class Batch:
    """Replies that are decoded side by side, in rows of one length, and the keys and values that they look back at.
    A step is the same for all texts, so a GPU records it once and plays it again."""

    def __init__(
        self, net: Network, rows: int, room: int, end: int, most: int, kind: Any, holding: Holding | None = None
    ):
        s, where = net.shape, net.embedding.device
        self.net, self.end, self.most, self.holding = net, end, most, holding
        self.kept = torch.zeros((s.layers, 2, rows, s.kv_heads, room, s.head), dtype=kind, device=where)
        self.last, self.at = (torch.zeros(rows, dtype=torch.long, device=where) for _ in range(2))
        self.over = torch.ones(rows, dtype=torch.bool, device=where)  # nothing grows there
        self.scores = torch.zeros(rows, s.words, dtype=kind, device=where)
        self._rows, self._columns = torch.arange(rows, device=where), torch.arange(room, device=where)
        self.waiting: deque[PendingReply] = deque()
        self._there: dict[int, PendingReply] = {}
        self._new: dict[int, PendingReply] = {}  # of these: whose prompts were read last
        self._said: list[Any] = []
        self._free = list(range(rows))  # those that have been free for longest first
        self._held: dict[int, np.ndarray] = {}  # the words that a free row has read
        self._recorded: dict[int, Any] = {}
        self._product = _wide_product if where.type == "cuda" and _widens() else lambda a, b: (a @ b).float()

    @property
    def busy(self) -> bool:
        return bool(self.waiting or self._there)

    def grow(self) -> None:
        """Read prompts while there are rows for them, and have all replies say some words more; a GPU goes on with it
        while others are told to do the same."""
        self._begin()
        if not self._there:
            return
        on_gpu, rows = self.last.is_cuda, max(self._there) + 1
        if on_gpu:
            rows = min(len(self.last), next((n for n in ROWS if n >= rows), len(self.last)))
        held = any(reply.hold is not None for reply in self._there.values())
        self._said = [self.last.clone()]
        for _ in range(TURN):
            if (held or not on_gpu) and bool(self.over.all()):  # asking costs time
                break
            self._step(rows)
            self._hold(self._there)
            self._said.append(self.last.clone())

    def ended(self) -> list[PendingReply]:
        """Hear what was said since, and free the rows of replies that are whole: these are returned."""
        if not self._there:
            return []
        words = torch.stack(self._said, 1).tolist()
        for row, reply in self._there.items():
            new = 0 if row in self._new else 1  # the word that was said last was heard before
            reply.go_on(words[row][new:], self.end, self.most)
        ended = [row for row, reply in self._there.items() if reply.whole]
        if ended:
            self.over[ended] = True
        for row in ended:
            reply = self._there[row]
            self._held[row] = np.array([*reply.prompt, *reply.said[:-1]], np.int32)  # its last word may not be read yet
        self._free += ended
        return [self._there.pop(row) for row in ended]

    def _begin(self) -> None:
        """Give rows to those that wait, and read those of which as much is new together."""
        self._new, known = dict[int, PendingReply](), dict[int, int]()
        while self.waiting and self._free:
            reply = self.waiting.popleft()
            row, same = self._row_for(np.array(reply.prompt, np.int32))
            self._free.remove(row)
            self._held.pop(row, None)
            self._new[row], known[row] = reply, same
        left = {row: len(reply.prompt) - known[row] for row, reply in self._new.items()}
        order = sorted(left, key=left.__getitem__)
        while order:
            some = order[-max(1, READ // left[order[-1]]) :]
            self._read({row: self._new[row].prompt for row in some}, [known[row] for row in some])
            del order[-len(some) :]
        self._there.update(self._new)
        self._hold(self._new)

    def _row_for(self, prompt: np.ndarray) -> tuple[int, int]:
        """The free row that has read most of a prompt, and how much of it; the last word is always read anew."""
        best, most = self._free[0], 0
        for row in self._free:
            if (held := self._held.get(row)) is not None and len(held) > most:
                both = min(len(held), len(prompt) - 1)
                other = held[:both] != prompt[:both]
                same = int(other.argmax()) if other.any() else both
                best, most = (row, same) if same > max(most, SAME) else (best, most)
        return best, most

    def _read(self, prompts: dict[int, Sequence[int]], known: Sequence[int]) -> None:
        """Keep the keys and values of prompts, and find the first word of each reply. `known`: how many words of each
        its row has read."""
        where, rows = self.last.device, torch.tensor(list(prompts), device=self.last.device)
        begins, lengths = torch.tensor(known), torch.tensor([len(p) for p in prompts.values()])
        longest, upto = (-(-int(n.max()) // STEP) * STEP for n in (lengths - begins, lengths))
        upto = min(upto, len(self._columns))
        ids = torch.zeros(len(prompts), longest, dtype=torch.long)
        for line, prompt, begin in zip(ids, prompts.values(), known):
            line[: len(prompt) - begin] = torch.tensor(prompt[begin:])
        ids, begins, lengths = ids.to(where), begins.to(where), lengths.to(where)
        places = (begins[:, None] + torch.arange(longest, device=where)).clamp(max=len(self._columns) - 1)
        seen = self._columns[:upto] <= places[:, None, :, None]
        several = self.net.shape.heads // self.net.shape.kv_heads

        def layer(n: int) -> Any:
            def attend(q: Any, k: Any, v: Any) -> Any:
                for kept, new in zip(self.kept[n], (k, v)):
                    kept[rows[:, None], :, places] = new.transpose(1, 2)
                # Heads that share keys get copies of them: PyTorch's quick ways take either a mask or shared keys.
                keys, values = (kept[rows, :, :upto].repeat_interleave(several, 1) for kept in self.kept[n])
                return F.scaled_dot_product_attention(q, keys, values, attn_mask=seen)

            return attend

        hidden = self.net.hidden(ids, places, layer)
        scores = self.net.scores(hidden[torch.arange(len(prompts), device=where), lengths - begins - 1])
        words = scores.argmax(-1)
        self.scores[rows], self.last[rows], self.at[rows], self.over[rows] = scores, words, lengths, words == self.end

    def _hold(self, rows: Iterable[int]) -> None:
        """Where the word that was just found is not allowed, the likeliest one that is."""
        holds = {row: hold for row in rows if (hold := self._there[row].hold) is not None}
        if self.holding is None or not holds:
            return
        found, wrong, late = self.last.tolist(), list[int](), list[int]()
        for row, hold in holds.items():
            if hold.is_stopped():  # nothing may follow
                if found[row] != self.end:
                    late.append(row)
            elif not hold.try_consume_tokens([found[row]]):
                wrong.append(row)
        if late:
            self._change(late, torch.full((len(late),), self.end, device=self.last.device))
        if wrong:
            allowed = torch.from_numpy(self.holding.allowed([holds[row] for row in wrong])).to(self.last.device)
            better = self.scores[wrong].masked_fill(~allowed, -math.inf).argmax(-1)
            self._change(wrong, better)
            for row, word in zip(wrong, better.tolist()):
                holds[row].consume_token(word)

    def _change(self, rows: list[int], words: Any) -> None:
        """Other words than those that were found last."""
        self.last[rows] = words
        self.over[rows] = words == self.end

    # -- one step -----------------------------------------------------------------------------------------------------
    def _step(self, rows: int) -> None:
        """Say one word more in each of the first rows."""
        if self.last.is_cuda and rows not in self._recorded:
            self._recorded[rows] = self._record(rows)
        if (graph := self._recorded.get(rows)) is not None:
            graph.replay()
        else:
            self._compute(rows)

    def _record(self, rows: int) -> Any:
        """A step as a GPU plays it again, or None where that fails; replies are left as they are."""
        state = (self.last, self.at, self.over)
        before = [part.clone() for part in state]
        graph = torch.cuda.CUDAGraph()
        try:
            aside = torch.cuda.Stream()
            aside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(aside):
                self._compute(rows)
                self._compute(rows)
            torch.cuda.current_stream().wait_stream(aside)
            with torch.cuda.graph(graph):
                self._compute(rows)
        except RuntimeError:
            graph = None
        for part, was in zip(state, before):  # what was kept of later places is written anew before it is looked at
            part.copy_(was)
        return graph

    def _compute(self, rows: int) -> None:
        s = self.net.shape
        last, at, over = self.last[:rows], self.at[:rows], self.over[:rows]
        hidden_from = (self._columns[None] > at[:, None])[:, None, None]

        def recalling(n: int) -> Any:
            keys, values = self.kept[n, 0, :rows], self.kept[n, 1, :rows]

            def attend(q: Any, k: Any, v: Any) -> Any:
                keys[self._rows[:rows], :, at], values[self._rows[:rows], :, at] = k[:, :, 0], v[:, :, 0]
                # Heads that share keys stand side by side as if they were places: nothing is copied for them. Products
                # of matrices, for PyTorch's own attention goes through long rows place by place where one word looks.
                several = q.view(rows, s.kv_heads, s.heads // s.kv_heads, s.head) * s.head**-0.5
                weights = self._product(several, keys.transpose(-1, -2)).masked_fill(hidden_from, -math.inf)
                seen = weights.softmax(-1).to(values.dtype) @ values
                return seen.reshape(rows, s.heads, 1, s.head)

            return attend

        hidden = self.net.hidden(last[:, None], at[:, None], recalling)
        self.scores[:rows].copy_(self.net.scores(hidden[:, 0]))
        last.copy_(torch.where(over, self.end, self.scores[:rows].argmax(-1)))
        at.add_(~over)  # rows where nothing grows stay; one that ends goes on, for a grammar may refuse its end
        over.logical_or_(last == self.end)


@cache
def _widens() -> bool:
    """Whether this PyTorch multiplies matrices of 16 bits into one of 32: nothing is rounded on the way."""
    try:
        one = torch.ones(1, 8, 8, dtype=torch.bfloat16, device="cuda")
        return bool(torch.bmm(one, one, out_dtype=torch.float32).dtype == torch.float32)
    except (TypeError, RuntimeError):
        return False


def _wide_product(a: Any, b: Any) -> Any:
    found = torch.bmm(a.flatten(0, 1), b.flatten(0, 1), out_dtype=torch.float32)
    return found.view(*a.shape[:-1], b.shape[-1])
