"""The network itself, in a size that is trained in a second."""

import gc
import random
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed; to run it: pip install 'coterie[learn]'")

from coterie.cli.app import main  # noqa: E402
from coterie.core.errors import CoterieError  # noqa: E402
from coterie.learn import saying  # noqa: E402
from coterie.learn.network import BLOCK, Network, _blocks, dense, packed_mask  # noqa: E402
from coterie.learn.pool import IGNORED, OPEN, Text, as_turn, packed, texts_of  # noqa: E402
from coterie.learn.samples import Sample, write  # noqa: E402
from coterie.learn.saying import ROOM, Speaker  # noqa: E402
from coterie.learn.trained import Trained, load, widened  # noqa: E402
from coterie.learn.tuning import Recipe, Tuning  # noqa: E402
from coterie.learn.weights import END, START, TINY  # noqa: E402
from tests.learn.rows import spans  # noqa: E402


class Numbers:
    """Words that are numbers; 299 ends a reply."""

    end = 299

    def many(self, texts):
        return [[int(w) for w in t.split()] for t in texts]

    def text(self, ids):
        return " ".join(map(str, ids))


def drawn(count, seed):
    """One of two answers, by what was said last."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        ids = [rng.randrange(1, 40) for _ in range(rng.randint(4, 7))]
        found.append(Text([*ids, 298, *((5, 6, 7) if ids[-1] < 20 else (8, 9, 10)), 299], 4))
    return found


def test_texts_in_one_row_do_not_see_each_other():
    torch.manual_seed(0)
    net, texts = Network(TINY), drawn(5, 1)
    rows = packed(texts, 64)
    ids, until, places = (torch.from_numpy(a.astype(np.int64)) for a in (rows.ids, rows.until, rows.positions))
    together = net.hidden(ids, places, dense(packed_mask(until)))
    for row in range(len(ids)):
        for begin, end in spans(until[row]):
            at = slice(begin, end)
            alone = ids[row][at][None]
            mask = torch.ones(alone.shape[1], alone.shape[1], dtype=torch.bool).tril()
            by_itself = net.hidden(alone, torch.arange(alone.shape[1])[None], dense(mask))
            assert torch.allclose(together[row][at], by_itself[0], atol=1e-5)


class Bytes:
    """Words that are bytes, with the marks of turns as one word each."""

    end = 1

    def many(self, texts):
        return [list(t.replace(START, "\0").replace(END, "\1").encode()) for t in texts]


TURNS = (("system", "s"), ("user", "a"), ("assistant", "wrong"), ("user", "b"), ("assistant", "good"), ("user", "c"))


def test_a_conversation_is_learnt_as_if_each_turn_were_asked_alone():
    """The reply that was meant stands beside the one that was said: no later turn looks back at it."""
    torch.manual_seed(0)
    net = Network(TINY)
    (text,) = texts_of([Sample("HMRC", TURNS, "last", earlier=("right", "good"))], Bytes(), 999)
    rows = packed([text, *drawn(2, 1)], 160)
    ids, labels, until, places = (torch.from_numpy(a.astype(np.int64)) for a in rows)
    together = net.scores(net.hidden(ids, places, dense(packed_mask(until))))[0]
    found = labels[0][: len(text.ids)]
    assert (found != IGNORED).sum() == sum(len(reply) + 1 for reply in ("right", "good", "last"))
    for turn, reply in ((2, "right"), (4, "good"), (6, "last")):
        (alone,) = texts_of([Sample("HMRC", TURNS[:turn], reply)], Bytes(), 999)
        mask = torch.ones(len(alone.ids), len(alone.ids), dtype=torch.bool).tril()
        scores = net.scores(net.hidden(torch.tensor(alone.ids)[None], torch.arange(len(alone.ids))[None], dense(mask)))
        wanted = torch.tensor(alone.ids[-alone.learnt :])
        every = [n for n in range(len(found)) if found[n] != IGNORED]
        before = {2: 0, 4: 6, 6: 11}[turn]
        mine = every[before : before + alone.learnt]
        assert found[mine].tolist() == wanted.tolist()
        assert torch.allclose(together[mine], scores[0, -alone.learnt - 1 : -1], atol=1e-5)


@pytest.mark.parametrize("length", (512, 700))
def test_long_rows_are_looked_at_in_blocks_and_all_of_them_that_matter(length):
    """Texts of many lengths, with branches, against the mask of all places."""
    rng, until = random.Random(length), torch.arange(length).repeat(3, 1)
    for row in range(2):  # the last one has no text
        at = 0
        while at < length - 30:
            end = min(length, at + rng.choice((5, 60, 300)))
            until[row, at:end] = end - 1
            branch = rng.randrange(at, end)
            until[row, branch : branch + 7] = min(branch + 6, end - 1)
            at = end
    blocks, right = _blocks(until), packed_mask(until)
    places = torch.arange(length)
    mask = blocks.mask_mod(torch.arange(3)[:, None, None, None], 0, places[:, None], places[None])
    assert torch.equal(mask, right)
    wide = torch.nn.functional.pad(right, (0, -length % BLOCK) * 2).unflatten(2, (-1, BLOCK)).unflatten(4, (-1, BLOCK))
    for row in range(3):
        for q in range(wide.shape[2]):
            part, whole = (
                {*index[row, 0, q, : count[row, 0, q]].tolist()}
                for count, index in (
                    (blocks.kv_num_blocks, blocks.kv_indices), (blocks.full_kv_num_blocks, blocks.full_kv_indices),
                )
            )  # fmt: skip
            seen = wide[row, 0, q].any(0).any(-1)
            assert {*seen.nonzero()[:, 0].tolist()} <= part | whole and not part & whole
            assert all(wide[row, 0, q, :, k].all() for k in whole) and len(part | whole) <= q + 1


def test_a_turn_is_turned_into_words_once_and_all_of_them_are_those_of_the_whole_prompt(monkeypatch):
    tokens, asked = Bytes(), []
    monkeypatch.setattr(tokens, "many", lambda texts: asked.extend(texts) or Bytes().many(texts), raising=False)
    speaker = Speaker(Network(TINY), tokens)
    for end in (2, 4, 6):
        whole = "".join(map(as_turn, TURNS[:end])) + OPEN
        assert speaker._numbers(TURNS[:end]) == Bytes().many([whole])[0]
    assert sorted(asked) == sorted({*map(as_turn, TURNS), OPEN})


def test_a_training_goes_on_with_a_higher_rank_as_it_was(tmp_path):
    torch.manual_seed(0)
    small = Network(TINY, rank=4, alpha=8)
    for pair in small.parameters():
        if pair.requires_grad:
            torch.nn.init.normal_(pair, std=0.1)
    pairs = small.pairs()
    wide = widened(Trained(4, 8.0, pairs), 6, tmp_path)
    large = Network(TINY, wide.rank, wide.alpha)
    large.load_state_dict({k: v for k, v in small.state_dict().items() if not k.endswith((".a", ".b"))}, strict=False)
    large.set_pairs(wide.pairs)
    small.set_pairs(pairs)  # as they were saved
    for one, other in zip(small.layers, large.layers):
        assert torch.allclose(one.ffn_up.merged(), other.ffn_up.merged(), atol=1e-6)
    with pytest.raises(CoterieError, match="say --rank 4"):
        widened(Trained(4, 8.0, pairs), 3, tmp_path)


def test_replies_of_many_are_those_of_each():
    torch.manual_seed(0)
    speaker = Speaker(Network(TINY, rank=4), Numbers(), max_tokens=6)
    prompts = [t.ids[:-4] for t in drawn(9, 2)]
    assert speaker.say(prompts) == [speaker.say([p])[0] for p in prompts]


def test_replies_are_the_same_with_few_rows_in_other_rows_and_all_at_once():
    """Whoever spoke in a row before, and whatever is said beside it."""
    torch.manual_seed(0)
    net, rng = Network(TINY, rank=4), random.Random(3)
    prompts = [[rng.randrange(1, 298) for _ in range(rng.choice((3, 60, 130, 1_400)))] for _ in range(14)]
    speaker = Speaker(net, Numbers(), max_tokens=30)
    together = speaker.say(prompts)
    few = Speaker(net, Numbers(), max_tokens=30)
    few.at_once = 5 * ROOM
    assert few.say(prompts) == together == speaker.say(prompts[::-1])[::-1]
    assert sorted(few._batch._free) == [0, 1] and few._batch.room == 2 * ROOM


def lively(seed):
    """A network that does not say one word again and again."""
    torch.manual_seed(seed)
    net = Network(TINY)
    for name, weight in net.named_parameters():
        weight.data *= 20 if name == "embedding" else 8 if name.endswith("weight") else 1
    return net


def said_within(tokens, net, prompts):
    """What is said where memory holds so many tokens, and how many rows of each length there are at last."""
    s, found = net.shape, []
    speaker = Speaker(net, Numbers(), max_tokens=6, memory_gb=tokens * 2 * s.layers * s.kv_heads * s.head * 4 / 1e9)
    assert speaker.at_once == tokens
    speaker._want(prompts, [], found.append)
    while not found:
        speaker.step()
        room, rows = speaker._batch.room, len(speaker._batch.last)
        assert room * rows <= max(tokens, room)
    return found[0], (room, rows)


@pytest.mark.parametrize(
    "tokens, kept", [(70, (1_024, 1)), (900, (1_024, 1)), (2_000, (1_024, 1)), (9_000, (1_024, 8))]
)
def test_prompts_that_are_longer_than_any_other_have_rows_and_memory_is_kept(monkeypatch, tokens, kept):
    net, rng = lively(0), random.Random(5)
    prompts = [[rng.randrange(1, 298) for _ in range(length)] for length in (10, 100, 40, 250, 20, 670, 105, 30)]
    ample = Speaker(net, Numbers(), max_tokens=6).say(prompts)
    monkeypatch.setattr(saying, "ROOM", 64)
    assert said_within(tokens, net, prompts) == (ample, kept)


class AtLeast:
    """A grammar in which a reply has so many words before its end."""

    def __init__(self, words):
        self.left, self.stopped, self.refused = words, False, 0

    def is_stopped(self):
        return self.stopped

    def try_consume_tokens(self, ids):
        if ids == [Numbers.end] and self.left > 0:
            self.refused += 1
            return 0
        self.consume_token(ids[0])
        return 1

    def consume_token(self, word):
        self.left, self.stopped = self.left - 1, word == Numbers.end


def allowed(holds):
    found = np.ones((len(holds), TINY.words), dtype=bool)
    found[:, Numbers.end] = [hold.left <= 0 for hold in holds]
    return found


@torch.no_grad()
def said_slowly(net, prompt, least, most):
    """The likeliest words that are allowed, each by a look at the whole text."""
    said = []
    while len(said) < most:
        ids = torch.tensor([prompt + said])
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril()
        scores = net.scores(net.hidden(ids, torch.arange(ids.shape[1])[None], dense(mask))[0, -1])
        if len(said) < least:
            scores[Numbers.end] = -torch.inf
        if (word := int(scores.argmax())) == Numbers.end:
            break
        said.append(word)
    return said


def test_a_reply_goes_on_as_if_it_had_never_been_about_to_end():
    """Where a grammar refuses the end that is likeliest, no word before is forgotten."""
    refused = 0
    for seed in range(12):
        net = lively(seed)
        net.embedding.data[Numbers.end] *= 4
        speaker = Speaker(net, Numbers(), max_tokens=20)
        speaker.holding = SimpleNamespace(allowed=allowed)
        prompt, hold = torch.randint(1, 298, (9,)).tolist(), AtLeast(12)
        assert speaker.say([prompt], [hold]) == [said_slowly(speaker.network, prompt, 12, 20)], seed
        refused += hold.refused
    assert refused > 5


@pytest.mark.parametrize("rows", (3, 1_000))
def test_a_conversation_goes_on_where_its_row_has_read_it_and_says_the_same(rows, monkeypatch):
    """With room for all of them, and where they take each other's rows."""
    net, rng, new = lively(1), random.Random(8), []
    speaker = Speaker(net, Numbers(), max_tokens=12)
    speaker.at_once = rows * ROOM
    read = saying.Batch._read
    monkeypatch.setattr(
        saying.Batch, "_read", lambda self, some: new.append(sum(words for *_, words in some)) or read(self, some)
    )
    talks = [[rng.randrange(1, 298) for _ in range(rng.randint(90, 150))] for _ in range(5)]
    for turn in range(4):
        asked = [talks[n] for n in rng.sample(range(5), 4)]
        said = speaker.say(asked)
        assert said == [said_slowly(speaker.network, talk, 0, 12) for talk in asked]
        for talk, reply in zip(asked, said):  # of the second turn, they remember something else
            talk += [*(reply if turn != 1 else reply[:2]), 298, *(rng.randrange(1, 298) for _ in range(9))]
    assert max(new[-2:]) < 4 * 40 if rows > 3 else sum(new) > 900


def test_it_learns_and_what_was_saved_says_the_same(tmp_path):
    torch.manual_seed(0)
    net = Network(TINY, rank=16, alpha=32)
    for p in net.parameters():  # a random network has nothing that thin matrices could build on
        p.requires_grad = p.requires_grad or p is net.embedding
    recipe = Recipe(rank=16, rate=5e-3, batch_tokens=1024, length=128, warm_up=5, passes=20)
    tuning = Tuning(net, recipe, device="cpu")
    curve = tuning.train(packed(drawn(500, 3), 128), every=50)
    assert curve[-1]["loss"] < 0.6 * curve[0]["loss"] and curve[-1]["right"] > 0.8
    tuning.save(tmp_path / "t.npz")
    again = Network(TINY, rank=16, alpha=32)
    again.load_state_dict({k: v for k, v in net.state_dict().items() if not k.endswith((".a", ".b"))}, strict=False)
    again.set_pairs(load(tmp_path / "t.npz").pairs)
    prompts = [t.ids[:-4] for t in drawn(20, 4)]
    one, two = (Speaker(n, Numbers(), max_tokens=4).say(prompts) for n in (net, again))
    assert sum(a == b for a, b in zip(one, two)) >= 19  # sixteen bits were kept of each number


def learnt_in(piece, most=99):
    """What is learnt with so many rows at once, on a machine that has memory for `most` of them."""
    torch.manual_seed(0)
    tuning = Tuning(
        Network(TINY, rank=4, alpha=8), Recipe(rank=4, batch_tokens=1024, length=128, warm_up=1, passes=3), device="cpu"
    )
    tuning.piece, learn = piece, tuning._learn

    def within(rows, places):
        found = learn(rows, places)
        if len(rows.ids) > most:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory.")
        return found

    tuning._learn = within
    curve = tuning.train(packed(drawn(60, 5), 128), every=1)
    return tuning.piece, curve[-1]["loss"], [p.detach().clone() for p in tuning.parameters]


@pytest.mark.parametrize("piece, most, left", [(1, 99, 1), (3, 99, 3), (8, 2, 2), (3, 1, 1)])
def test_a_batch_in_pieces_is_learnt_as_at_once(piece, most, left):
    """Pieces of unlike size with unlike numbers of places to learn weigh by their places; what does not fit is tried
    again in smaller ones."""
    _, loss, whole = learnt_in(8)
    now, lost, parts = learnt_in(piece, most=most)
    assert abs(loss - lost) < 1e-3 and now == left
    assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(whole, parts))


def test_a_row_that_does_not_fit_is_told():
    with pytest.raises(CoterieError, match="too little free memory to learn from a row of 128 tokens"):
        learnt_in(8, most=0)


@pytest.mark.parametrize("free_gb, rows", [(139, 16), (24, 4), (4, 1)])
def test_pieces_are_as_large_as_free_memory_allows(monkeypatch, free_gb, rows):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (free_gb * 10**9, 0))
    tuning = Tuning(Network(TINY, rank=4), Recipe(rank=4), device="cpu")
    assert tuning.piece == 1
    tuning.device = "cuda"
    tuning.network.shape = TINY._replace(layers=30, width=576, inner=1536)  # of the embedded model
    assert tuning._rows_that_fit() == rows


def test_what_is_done_between_steps_is_no_time_of_training(monkeypatch):
    now, steps = [0.0], []

    def clock():
        now[0] += 0.01
        return now[0]

    def between(step):
        steps.append(step)
        now[0] += 1000.0

    monkeypatch.setattr("coterie.learn.tuning.time", SimpleNamespace(monotonic=clock))
    recipe = Recipe(rank=4, batch_tokens=256, length=128, passes=2)
    tuning = Tuning(Network(TINY, rank=4, alpha=8), recipe, device="cpu")
    curve = tuning.train(packed(drawn(60, 5), 128), every=1, between=between)
    assert steps == [row["step"] for row in curve] and len(steps) >= 4
    assert curve[-1]["seconds"] < 10.0


# -- the command ------------------------------------------------------------------------------------------------------
class Letters(Numbers):
    def many(self, texts):
        return [[ord(c) % 200 for c in t] for t in texts]


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """`coterie learn train` with a small network, and samples for it."""
    monkeypatch.setattr(saying, "opened", lambda base, rank, alpha: (Network(TINY, rank, alpha), Letters()))
    write(tmp_path / "d.jsonl", [Sample("LE", (("user", f"who? {n}"),), "Alice") for n in range(9)], {})
    return ["learn", "train", str(tmp_path / "d.jsonl"), "--batch-tokens", "1", "--rank", "4"]


def test_a_training_that_is_stopped_leaves_what_was_learnt(tiny, tmp_path, monkeypatch):
    out, step, taken = tmp_path / "new" / "t.npz", Tuning._step, []

    def stopping(self, rows, rate):
        if len(taken) == 2:
            raise KeyboardInterrupt
        taken.append(1)
        return step(self, rows, rate)

    monkeypatch.setattr(Tuning, "_step", stopping)
    line = [*tiny, "--out", str(out), "--passes", "9"]
    assert main(line) != 0
    assert any(pair.any() for name, pair in load(out).pairs.items() if name.endswith("lora_b"))
    out.write_bytes(b"before")
    assert main(line) != 0
    assert out.read_bytes() == b"before", "nothing was learnt this time"


def test_going_on_keeps_the_alpha_of_before(tiny, tmp_path):
    start, out = tmp_path / "start.npz", tmp_path / "t.npz"
    Tuning(Network(TINY, 4, 7.0), Recipe(rank=4, alpha=7.0), device="cpu").save(start)
    assert main([*tiny, "--from", str(start), "--out", str(out)]) == 0
    assert load(out).alpha == 7.0


def test_going_on_keeps_the_rank_of_before_unless_another_is_named(tiny, tmp_path):
    start, out = tmp_path / "start.npz", tmp_path / "t.npz"
    Tuning(Network(TINY, 4, 7.0), Recipe(rank=4, alpha=7.0), device="cpu").save(start)
    plain = [*tiny[:-2], "--out", str(out)]
    for more, rank in (["--from", str(start)], 4), (["--from", str(start), "--rank", "6"], 6), ([], 32):
        assert main([*plain, *more]) == 0
        assert load(out).rank == rank


@pytest.mark.parametrize("words, told", [
    ([], ""),
    (["--row", "300"], "1 samples have over 300 tokens and are left out: say --row 16384."),
    (["--row", "16384"], "1 samples have over 16384 tokens and are left out."),
    (["--row", "20"], "no sample fits into a row of 20 tokens"),
])  # fmt: skip
def test_samples_that_are_longer_than_a_row_are_told(tiny, tmp_path, capsys, monkeypatch, words, told):
    """Rows are as long as conversations need where there are any."""
    monkeypatch.setattr(Tuning, "follow", lambda *_: [])
    talk = (("user", "a" * (17_000 if "16384" in words else 5_000)), ("assistant", "b"), ("user", "c"))
    samples = [Sample("HMRC", talk, "d", earlier=("e",)), Sample("LE", (("user", "who?"),), "Alice")]
    write(tmp_path / "d.jsonl", samples, {})
    main([*tiny, "--out", str(tmp_path / "t.npz"), *words])
    said = capsys.readouterr().err
    assert told in said and (told or "left out" not in said)


@pytest.mark.parametrize("words, row, advice", [
    (["--protocol", "dynahmrc"], 4_096, ": say --row 16384."),
    (["--protocol", "dynahmrc:conversation,dynahmrc"], 16_384, "."),
    (["--protocol", "dynahmrc:conversation", "--row", "8192"], 8_192, ": say --row 16384."),
])  # fmt: skip
def test_a_school_has_rows_for_what_it_teaches_and_tells_of_what_is_longer(
    tiny, tmp_path, capsys, monkeypatch, words, row, advice
):
    rows = []

    def school(folder, wish, terms, tuning, *_):
        rows.append(tuning.recipe.length)
        return SimpleNamespace(
            run=lambda tell: tell({"state": "demonstrations", "too_long": 3}), pupil=folder / "p.npz"
        )

    monkeypatch.setattr("coterie.learn.school.School", school)
    monkeypatch.setattr("coterie.learn.binding.bound_to", lambda protocol: None)
    monkeypatch.setattr("coterie.learn.weights.needed", lambda module: None)
    assert main(["learn", "school", str(tmp_path / "s"), "--json", *words]) == 0
    assert rows == [row]
    assert f"3 samples have over {row} tokens and are left out{advice}" in capsys.readouterr().err


def test_the_memory_of_one_that_has_spoken_is_freed_with_it():
    """At once: a training that pauses to play needs it back."""
    gc.disable()
    try:
        speaker = Speaker(Network(TINY, rank=4), Numbers(), max_tokens=6)
        speaker.say([[7] * 20, [8] * 30])
        gone = weakref.ref(speaker)
        del speaker
        assert gone() is None
    finally:
        gc.enable()
