"""Replies that are held to a grammar while they grow."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed; to run it: pip install 'coterie[learn]'")
pytest.importorskip("llguidance", reason="llguidance is not installed; to run it: pip install 'coterie[learn]'")

from coterie.core.errors import CoterieError  # noqa: E402
from coterie.core.protocol import Ask  # noqa: E402
from coterie.learn.holding import Holding  # noqa: E402
from coterie.learn.network import Network  # noqa: E402
from coterie.learn.saying import Speaker  # noqa: E402
from coterie.learn.weights import END, START, TINY, Tokens  # noqa: E402
from coterie.models.shared import Shared, Sharing, lent  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyz_:()0123456789ĠĊ."
GRAMMAR = 'root ::= "go " place\nplace ::= "sofa" | "sofa_2" | "bed"'


@pytest.fixture(scope="module")
def tokens():
    vocabulary = [*LETTERS, "so", "fa", "sofa", "be"]
    fill = [f"<|{n}|>" for n in range(TINY.words - len(vocabulary) - 2)]
    return Tokens([*vocabulary, *fill, START, END], ["s o", "f a", "so fa", "b e"])


def ask(choices):
    return Ask("R", "HMRC", 0, 0, (("user", "where"),), choices, 0)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_a_network_would_say_it_says_what_is_allowed(tokens, seed):
    torch.manual_seed(seed)
    speaker = Speaker(Network(TINY, rank=4), tokens, max_tokens=24, held=True)
    asks = [ask({"gbnf": GRAMMAR}), ask(("yes", "no")), ask({"gbnf": GRAMMAR}), ask(None)]
    held, one, again, free = (r.text for r in speaker.answer(asks))
    assert held == again and held in {"go sofa", "go sofa_2", "go bed"} and one in {"yes", "no"}
    loose = Speaker(speaker.network, tokens, max_tokens=24)
    assert loose.answer([asks[3]])[0].text == free  # what is not held stays as it is
    assert loose.answer([asks[0]])[0].text != held  # and without a grammar it would have said something else


def test_what_is_likeliest_and_allowed_stays(tokens):
    """Held to what it says anyway, a network says the same."""
    torch.manual_seed(1)
    loose = Speaker(Network(TINY, rank=4), tokens, max_tokens=4)
    text = loose.answer([ask(None)])[0].text
    held = Speaker(loose.network, tokens, max_tokens=24, held=True)
    assert held.answer([ask((text, "yes"))])[0].text == text


@pytest.fixture
def endless(tokens):
    """What is not held goes on to the end."""
    torch.manual_seed(1)
    network = Network(TINY, rank=4)
    network.embedding.data[tokens.end] = 0.0
    return Speaker(network, tokens, max_tokens=100, held=True)


def test_a_short_reply_does_not_wait_for_a_long_one_and_says_the_same(endless):
    held, free, told = ask({"gbnf": GRAMMAR}), ask(None), []
    (short,), (long,) = endless.answer([held]), endless.answer([free])
    assert short.text in {"go sofa", "go sofa_2", "go bed"} and long.tokens_out == 100
    endless.take([free], lambda replies: told.append(("long", replies)))
    endless.take([], lambda replies: told.append(("nothing", replies)))
    endless.step()
    endless.take([held, held], lambda replies: told.append(("short", replies)))
    while len(told) < 3:
        endless.step()
    assert told == [("nothing", []), ("short", [short, short]), ("long", [long])]


def test_processes_that_ask_at_the_same_time_get_what_each_gets_alone(endless, tmp_path):
    asks = [
        [ask(("yes", "no")), ask(None)],
        [ask({"gbnf": GRAMMAR})] * 5,
        [ask(None)],
        [ask((f"{n}", "x")) for n in range(9)],
    ]
    alone = [endless.answer(some) for some in asks]
    found, sharing = {}, Sharing(endless, tmp_path / "model")

    def play(n):
        line = Shared(tmp_path / "model")
        found[n] = [line.answer(some) for some in [asks[n]] * 3]

    with ThreadPoolExecutor(5) as pool:
        serving = pool.submit(sharing.serve)
        for done in [pool.submit(play, n) for n in range(len(asks))]:
            done.result(60)
        sharing.close()
        serving.result(60)
    assert all(found[n] == [replies] * 3 for n, replies in enumerate(alone))


def test_a_grammar_that_cannot_be_read_is_told_to_who_lends_the_model(endless):
    with pytest.raises(CoterieError, match="The model torch failed: "), lent(endless) as name:
        Shared(Path(name.removeprefix("shared:"))).answer([ask({"gbnf": 'root ::= "'})])


def test_a_grammar_is_made_once_and_each_reply_has_its_own_place_in_it(tokens):
    holding = Holding(tokens)
    first, second = holding.of(ask({"gbnf": GRAMMAR})), holding.of(ask({"gbnf": GRAMMAR}))
    first.consume_tokens(tokens.many(["go "])[0])
    allowed = holding.allowed([first, second])
    words = [{tokens.codec.id_to_token(i) for i in row.nonzero()[0]} for row in allowed]
    assert words[0] == {"s", "so", "sofa", "b", "be"} and words[1] == {"g"}
