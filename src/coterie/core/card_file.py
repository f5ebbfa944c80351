"""Robot cards as files: what every world asks of one."""

from __future__ import annotations

from collections.abc import Collection

from coterie.core.action import WAIT
from coterie.core.bounds import brief, can_take_part, is_word
from coterie.core.card import MOBILITIES, MOST_ABOUT, Card
from coterie.core.errors import unknown_name
from coterie.core.reader import Reader
from coterie.core.visible import visible

MOST_KG = 100_000.0  # that a thing weighs or a robot lifts


def read_card(r: Reader, skills: Collection[str]) -> Card:
    """The card in a file, of a world with these skills; complaints name the file, the line's key and the fix."""
    body = r.text("body", required=True)
    if not is_word(body):
        raise r.fail(f"`body` is {brief(body)}; use letters, digits and _ only (teams join bodies with dashes).")
    names = r.texts("skills", required=True)
    for name in names:
        if name not in skills:
            raise r.fail(str(unknown_name("skill", name, skills)))
    card = Card(
        body=body,
        name=r.text("name", default=body),
        mobility=r.text("mobility", choices=MOBILITIES, required=True),
        skills=names,
        about=r.text("about", default=f"a {body} robot"),
        footprint_m=r.number("footprint_m", 0.25, low=0.05, high=1.0),
        height_m=r.number("height_m", 1.0, low=0.05, high=3.0),
        speed_mps=r.number("speed_mps", 0.8, low=0.01, high=20.0),
        reach_m=r.number("reach_m", 0.0, low=0.0, high=3.0),
        reach_low_m=r.number("reach_low_m", 0.0, low=-0.5, high=3.0),
        reach_high_m=r.number("reach_high_m", 1.3, low=0.0, high=4.0),
        shoulder_m=r.number("shoulder_m", 0.8, low=0.0, high=3.0),
        payload_kg=r.number("payload_kg", 0.0, low=0.0, high=MOST_KG),
        camera_high_m=r.number("camera_high_m", 1.7, low=0.0, high=4.0),
        battery_steps=r.number("battery_steps", None, low=1, high=1_000_000, whole=True),
    )
    r.done()
    if len(card.about) > MOST_ABOUT or visible(card.about) != card.about:
        raise r.fail(f"`about` goes into prompts: write one line of at most {MOST_ABOUT} characters.")
    if not can_take_part(card.name):
        raise r.fail(f"`name` is {brief(card.name)}; use letters, digits and _, and not the words all, floor and memo.")
    if WAIT not in card.skills:
        raise r.fail("every robot can `wait`; add it to `skills`.")
    return card
