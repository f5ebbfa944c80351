"""Replies that grow side by side, each in a row of its own; a row whose reply has ended takes the next prompt.

What a row has read stays in it: a prompt that begins like it, such as the next turn of a conversation, is read from
there on.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import accumulate
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


class PendingReply:
    """A prompt, what its reply is held to, and what has been said of it; `after` is called once it is whole."""

    def __init__(self, prompt: Sequence[int], hold: Any, after: Callable[[], None]):
        self.prompt, self.hold, self.after = np.array(prompt, np.int64), hold, after
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
        self.net, self.room, self.end, self.most, self.holding = net, room, end, most, holding
        self.kept = torch.zeros((s.layers, 2, rows * room, s.kv_heads, s.head), dtype=kind, device=where)
        self.last, self.at = (torch.zeros(rows, dtype=torch.long, device=where) for _ in range(2))
        self.over = torch.ones(rows, dtype=torch.bool, device=where)  # nothing grows there
        self.scores = torch.zeros(rows, s.words, dtype=kind, device=where)
        self._begins = torch.arange(rows + 1, device=where) * room  # of each row in what is kept
        self._each = torch.arange(rows + 1, dtype=torch.int32, device=where)
        self.waiting: deque[PendingReply] = deque()
        self._there: dict[int, PendingReply] = {}
        self._new: dict[int, PendingReply] = {}  # of these: whose prompts were read last
        self._said: list[Any] = []
        self._free = list(range(rows))  # those that have been free for longest first
        self._held: dict[int, tuple[bytes, np.ndarray]] = {}  # the words that a free row has read, and the first ones
        self._recorded: Any = None

    @property
    def busy(self) -> bool:
        return bool(self.waiting or self._there)

    def grow(self) -> None:
        """Read prompts while there are rows for them, and have all replies say some words more; a GPU goes on with it
        while others are told to do the same."""
        self._begin()
        if not self._there:
            return
        held = any(reply.hold is not None for reply in self._there.values())
        self._said = [self.last.clone()]
        for _ in range(TURN):
            if (held or not self.last.is_cuda) and bool(self.over.all()):  # asking costs time
                break
            self._step()
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
            read = np.concatenate([reply.prompt, reply.said[:-1]]).astype(np.int64)  # the last word may not be read yet
            self._held[row] = read[:SAME].tobytes(), read
        self._free += ended
        return [self._there.pop(row) for row in ended]

    def _begin(self) -> None:
        """Give rows to those that wait, and read what is new to these."""
        self._new = {}
        new: list[tuple[int, int, int]] = []  # row, from where on, words
        while self.waiting and self._free:
            reply = self.waiting.popleft()
            row, same = self._row_for(reply.prompt)
            self._free.remove(row)
            self._held.pop(row, None)
            self._new[row] = reply
            new.append((row, same, len(reply.prompt) - same))
        while new:
            upto = max(1, sum(total <= READ for total in accumulate(words for _, _, words in new)))
            self._read(sorted(new[:upto]))
            del new[:upto]
        self._there.update(self._new)
        self._hold(self._new)

    def _row_for(self, prompt: np.ndarray) -> tuple[int, int]:
        """The free row that has read most of a prompt, and how much of it; the last word is always read anew."""
        best, most, first = self._free[0], 0, prompt[:SAME].tobytes()
        for row in self._free:
            head, held = self._held.get(row, (b"", prompt))
            if head == first:
                both = min(len(held), len(prompt) - 1)
                other = held[:both] != prompt[:both]
                same = int(other.argmax()) if other.any() else both
                best, most = (row, same) if same > most else (best, most)
        return best, most

    def _read(self, new: Sequence[tuple[int, int, int]]) -> None:
        """Keep the keys and values of what is new of prompts, and find the first word of each reply."""
        where = self.last.device
        ids = np.concatenate([self._new[row].prompt[begin:] for row, begin, _ in new])
        places = np.concatenate([np.arange(begin, begin + words) for _, begin, words in new])
        spots = np.concatenate([np.arange(begin, begin + words) + row * self.room for row, begin, words in new])
        ends = np.cumsum([0, *(words for _, _, words in new)])
        numbers = (torch.from_numpy(array).to(where) for array in (ids, places, spots, ends))
        ids, places, spots, ends = numbers
        rows = torch.tensor([row for row, _, _ in new], device=where)
        lengths = torch.tensor([begin + words for _, begin, words in new], device=where)
        begins = torch.cat([rows * self.room, self._begins[-1:]])
        look = partial(self._look, spots, ends.int(), begins.int(), lengths.int(), max(words for _, _, words in new))
        hidden = self.net.hidden(ids[None], places[None], look)
        scores = self.net.scores(hidden[0, ends[1:] - 1])
        words = scores.argmax(-1)
        self.scores[rows], self.last[rows], self.at[rows], self.over[rows] = scores, words, lengths, words == self.end

    def _look(self, spots: Any, ends: Any, begins: Any, lengths: Any, most: int, n: int) -> Any:
        """What layer `n` looks back with, where the words of several rows stand one after another, up to `ends`: at so
        many places of each row, after its own are kept at `spots`."""
        keys, values = self.kept[n]

        def attend(q: Any, k: Any, v: Any) -> Any:
            keys[spots], values[spots] = k[0].transpose(0, 1), v[0].transpose(0, 1)
            look = _at_once if q.is_cuda and _is_quick() else _one_by_one
            return look(q, keys, values, ends, begins, lengths, most, self.room)

        return attend

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
    def _step(self) -> None:
        """Say one word more in each row."""
        if self.last.is_cuda and self._recorded is None:
            self._recorded = self._record()
        if self._recorded:
            self._recorded.replay()
        else:
            self._compute()

    def _record(self) -> Any:
        """A step as a GPU plays it again, or False where that fails; replies are left as they are."""
        state = (self.last, self.at, self.over)
        before = [part.clone() for part in state]
        graph = torch.cuda.CUDAGraph()
        try:
            aside = torch.cuda.Stream()
            aside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(aside):
                self._compute()
                self._compute()
            torch.cuda.current_stream().wait_stream(aside)
            with torch.cuda.graph(graph):
                self._compute()
        except RuntimeError:
            graph = False
        for part, was in zip(state, before):  # what was kept of later places is written anew before it is looked at
            part.copy_(was)
        return graph

    def _compute(self) -> None:
        lengths = torch.where(self.over, 1, self.at + 1).int()  # what is over costs nothing
        spots = self._begins[:-1] + self.at
        look = partial(self._look, spots, self._each, self._begins.int(), lengths, 1)
        self.scores.copy_(self.net.scores(self.net.hidden(self.last[None], self.at[None], look)[0]))
        self.last.copy_(torch.where(self.over, self.end, self.scores.argmax(-1)))
        self.at.add_(~self.over)  # one whose reply ends now goes on, for a grammar may refuse its end
        self.over.logical_or_(self.last == self.end)


def _one_by_one(q: Any, keys: Any, values: Any, ends: Any, begins: Any, lengths: Any, *_: int) -> Any:
    found = torch.empty_like(q)
    for a, b, begin, length in zip(*(n.tolist() for n in (ends, ends[1:], begins, lengths))):
        k, v = (kept[begin : begin + length].transpose(0, 1)[None] for kept in (keys, values))
        seen = torch.ones(b - a, length, dtype=torch.bool, device=q.device).tril(length - (b - a))
        found[:, :, a:b] = F.scaled_dot_product_attention(q[:, :, a:b], k, v, attn_mask=seen, enable_gqa=True)
    return found


def _at_once(q: Any, keys: Any, values: Any, ends: Any, begins: Any, lengths: Any, most: int, room: int) -> Any:
    """The same for all rows at once, with what a GPU has for this."""
    found = torch.ops.aten._flash_attention_forward(
        q[0].transpose(0, 1), keys, values, ends, begins, most, room, 0.0, most > 1, False, seqused_k=lengths
    )
    return found[0].transpose(0, 1)[None]


@cache
def _is_quick() -> bool:
    """Whether this GPU and this PyTorch have it, and it finds the same."""
    kind: Any = {"dtype": torch.bfloat16, "device": "cuda"}
    whole: Any = {"dtype": torch.int32, "device": "cuda"}
    q, (keys, values) = torch.randn(1, 9, 40, 64, **kind), torch.randn(2, 300, 3, 64, **kind)
    rows = (torch.tensor(n, **whole) for n in ((0, 10, 40), (100, 200, 300), (50, 30)))
    try:
        args = (q, keys, values, *rows, 30, 100)
        return bool(torch.allclose(_at_once(*args), _one_by_one(*args), atol=0.03))
    except (RuntimeError, TypeError):
        return False
