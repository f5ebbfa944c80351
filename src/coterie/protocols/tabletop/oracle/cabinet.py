"""Arrange Cabinet: two arms take the handles and open the doors, the third then fetches mug and cup."""

from __future__ import annotations

from collections.abc import Iterator

from coterie.protocols.tabletop.oracle.read import Joint, Paper


def plans(paper: Paper) -> Iterator[Joint]:
    yield from ()
