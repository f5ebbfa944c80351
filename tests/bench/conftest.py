"""What tables of benches say is looked at, not how well their intervals are known."""

from collections.abc import Iterator

import pytest

from coterie.bench.statistics import RESAMPLES, bootstrap, paired


@pytest.fixture(scope="module", autouse=True)
def few_resamples(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for one in (bootstrap, paired) if not request.module.__name__.endswith("test_statistics") else ():
            patch.setattr(one, "__defaults__", tuple(500 if v == RESAMPLES else v for v in one.__defaults__))
        yield
