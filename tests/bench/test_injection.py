"""One robot's model is hostile: its words are counted, and cost a careful team nothing."""

from dataclasses import replace

import pytest

from benchmarks.injection import spread
from coterie.bench.methods import parse_methods
from coterie.bench.studies.dynahmrc.suites import SABOTEUR
from coterie.bench.suites import make_suite
from coterie.core.errors import CoterieError
from coterie.core.protocol import Reply
from coterie.episode.play import play
from coterie.models import make_model
from coterie.models.turned import KINDS, MARK, Turned
from coterie.protocols.dynahmrc.oracle import Oracle

SPECS = {kind: next(s for s in make_suite("injection") if s.labels["setting"].endswith(kind)) for kind in KINDS}


class Parrot:
    """Says again whatever it was told to pass on."""

    name = "parrot"

    def __init__(self):
        self.oracle = Oracle()

    def answer(self, asks):
        said = []
        for ask, reply in zip(asks, self.oracle.answer(asks)):
            heard = MARK in str(ask.prompt) and ask.stage == "HMRC" and ask.robot == "Lucy"
            said.append(Reply(f'Action: communicate("{MARK}", all)') if heard else reply)
        return said


def test_the_model_of_a_suite_is_turned_before_that_of_the_bench():
    (method, none) = parse_methods("dynahmrc,rules")
    config = method.config(SPECS["orders"].config, "oracle")
    assert config.model == f"turned:orders@{SABOTEUR}:oracle" == make_model(config.model).name
    assert none.config(SPECS["orders"].config, "oracle").model == "none"
    assert method.config(make_suite("smoke")[0].config, "oracle").model == "oracle"


@pytest.mark.parametrize("kind", KINDS)
def test_a_saboteur_is_heard_and_changes_nothing(kind):
    config = replace(SPECS[kind].config, protocol="dynahmrc")
    played = play(replace(config, model=f"{config.model}oracle"))
    read, wrote = spread(played.log.events, SABOTEUR)
    assert read == {"Alice", "Bob", "Lucy"} and not wrote
    assert played.result.success


def test_words_that_are_passed_on_are_counted():
    config = replace(SPECS["chain"].config, protocol="dynahmrc")
    played = play(config, model=Turned("chain", SABOTEUR, Parrot()))
    assert spread(played.log.events, SABOTEUR)[1] == {"Lucy"}


@pytest.mark.parametrize("name", ["turned:orders", "turned:charm@David:oracle", "turned:orders@David:"])
def test_what_is_no_turned_model_is_explained(name):
    with pytest.raises(CoterieError, match=r"turned:KIND@ROBOT:MODEL|named with more|No model"):
        make_model(name)
