"""Words alone: what rule minds say they also mean, and nothing is read that was not said."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from coterie.core.action import Message
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.protocols.shared.hearing import read

CONFIG = Config(task="pack-objects", team="Ma-MoMa-Mo-UAV", scene="bungalow", seed=501, changes=("irz@5",))


@pytest.mark.parametrize("seed", [501, 503])
def test_a_reader_of_the_words_learns_what_the_facts_say(seed):
    config = replace(CONFIG, seed=seed)
    world, _ = build(config)
    me = SimpleNamespace(look=world.look, heartbeat=("Bob", "Alice", "David", "Lucy"))
    jobs = 0
    for e in play(config).log.events:
        if e.kind not in ("say", "message"):
            continue
        told = {(p, tuple(args)): value for p, args, value, _ in e.data["facts"]}
        heard = {(f.pred, f.args): f.value for f in read(me, Message(e.who, ("all",), e.data["text"], (), e.t))}
        for key, value in heard.items():
            if key[0] in ("where", "job", "allowed", "contents", "open") and key in told:
                assert told[key] == value
            elif key[0] in ("job", "allowed", "open"):
                raise AssertionError(f"{key} = {value} was not meant: {e.data['text']}")
        wanted = {k: v for k, v in told.items() if k[0] in ("job", "card")}
        assert {k: heard.get(k) for k in wanted} == wanted
        jobs += any(k[0] == "job" for k in wanted)
    assert jobs


def test_words_of_nobody_and_about_nothing_are_not_read():
    world, _ = build(CONFIG)
    me = SimpleNamespace(look=world.look, heartbeat=("Bob",))
    for text in ("lorem ipsum", "pan_0 is at the moon.", "At nowhere: pan_0.", "My body: Spider.", "sofa is open."):
        assert not list(read(me, Message("Bob", ("all",), text, (), 0.0)))


def test_words_alone_serve_nearly_as_well_as_facts():
    words = [play(replace(CONFIG, seed=s, radio="text=1")) for s in (501, 502)]
    assert all(p.result.success for p in words)
    assert any(e.kind == "see" and any(row[0] == "job" for row in e.data["facts"]) for e in words[0].log.events)
