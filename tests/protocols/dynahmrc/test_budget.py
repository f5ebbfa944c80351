"""Prompts have a budget, because users have CPUs. By their lengths always; by a real tokenizer with the network."""

import pytest

from coterie.episode.setup import reply_tokens
from coterie.models.embedded import Embedded, chatml
from tests.protocols.dynahmrc import token_costs as tokens

fetches = pytest.mark.network("the embedded model (93 MB from the package registry), whose tokenizer counts")


@pytest.fixture(scope="module")
def heard():
    return tokens.episodes(6)


@pytest.fixture(scope="module")
def real():
    """The embedded model's own tokenizer."""
    engine = Embedded(threads=1).load()
    return lambda prompt: engine.tokens(chatml(prompt))


def check(found):
    for stage, budget in tokens.BUDGET.items():
        inside, uncached, _ = found[stage].medians()
        assert inside <= budget.tokens_in, stage
        assert budget.uncached is None or uncached <= budget.uncached, stage


def test_budgets_of_a_three_robot_pack_task(heard):
    check(tokens.costs(heard, tokens.by_length))


@fetches
def test_budgets_with_the_real_tokenizer(heard, real):
    found = tokens.costs(heard, real)
    check(found)
    for stage, budget in tokens.BUDGET.items():
        assert found[stage].medians()[2] <= budget.tokens_out, stage


def test_every_stage_has_a_limit(heard):
    stages = {ask.stage for talk in heard for ask, _ in talk}
    compact, full = reply_tokens("dynahmrc:no-history"), reply_tokens("dynahmrc:full")
    assert stages <= set(compact) and all(full[s] > compact[s] for s in compact)
    for stage, budget in tokens.BUDGET.items():
        assert budget.tokens_out <= compact[stage] <= 2 * budget.tokens_out


@fetches
def test_lengths_tell_about_as_many_tokens_as_there_are(heard, real):
    prompts = [ask.prompt for talk in heard[:2] for ask, _ in talk]
    counted, guessed = (sum(len(count(p)) for p in prompts) for count in (real, tokens.by_length))
    assert guessed == pytest.approx(counted, rel=0.05)
