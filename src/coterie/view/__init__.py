"""Pictures of episodes, made from their logs alone.

from coterie.view import gif, overview, picture

events = read_log(Path("runs/pack.jsonl"))
picture(events, Path("step-5.svg"), step=5)
overview(events, Path("episode.png"))
gif(events, Path("episode.gif"))
"""

from __future__ import annotations

from coterie.view.save import check_picture_path, gif, overview, picture
from coterie.view.state import State, frames, state_at

__all__ = ["State", "check_picture_path", "frames", "gif", "overview", "picture", "state_at"]
