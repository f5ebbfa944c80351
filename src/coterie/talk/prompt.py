"""The prompt of the reader: the scene first, so that it stays in the model's cache, then what was said."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.talk.brief import Scene

MOST_CHARS = 300  # of each thing that was said


def prompt(scene: Scene | Sequence[str], heard: str, team: str = "", before: str = "") -> str:
    """`team` is what the team said or asked last, `before` what the same person said before."""
    lines = scene.lines() if isinstance(scene, Scene) else scene
    said = [f"before: {_line(before) or '-'}", f"team: {_line(team) or '-'}", f"heard: {_line(heard)}"]
    return "\n".join([*lines, *said])


def _line(text: str) -> str:
    return " ".join(text.split())[-MOST_CHARS:]
