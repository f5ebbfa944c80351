"""The interface of a model: requests in, replies out, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply


@runtime_checkable
class Model(Protocol):
    name: str

    def answer(self, asks: Sequence[Ask]) -> list[Reply]: ...


class NoModel:
    """For protocols that think without a model; being asked is a mistake in the set-up."""

    name = "none"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        raise CoterieError(f"{asks[0].robot} asked a model at stage '{asks[0].stage}', but no model was given.")
