"""What things are called and weigh, by split: training, tuning and testing never share a name.

`unseen` are names that renaming cannot draw either; there are as many as in `test`, so that the same things are drawn.
"""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    kind: str
    mass_kg: float


def _words(text: str) -> tuple[Word, ...]:
    return tuple(Word(k, float(m)) for k, m in (item.split(":") for item in text.split()))


PACK = {
    "test": _words(
        "apple:0.2 book:0.5 bowl:0.4 fork:0.1 soap:0.1 toothpaste:0.1 phone:0.2 cup:0.3 spoon:0.1 can:0.4 lemon:0.1 "
        "wallet:0.2 sponge:0.1 remote:0.2 banana:0.1 stapler:0.3"
    ),
    "dev": _words(
        "pear:0.2 magazine:0.3 plate:0.4 knife:0.1 comb:0.1 brush:0.2 camera:0.5 jar:0.4 peach:0.2 torch:0.3 dice:0.1 "
        "glove:0.1 tin:0.3 ruler:0.1"
    ),
    "train": _words(
        "orange:0.2 notebook:0.4 saucer:0.3 ladle:0.2 shampoo:0.4 towel:0.3 tablet:0.5 mug:0.3 whisk:0.2 carton:0.5 "
        "grape:0.1 purse:0.3 cloth:0.1 charger:0.2 mango:0.3 hammer:0.9 candle:0.2 puzzle:0.4 radio:0.8 scarf:0.2 "
        "bottle:0.6 pencil:0.1 kettle:0.9 melon:1.2 ball:0.3 rope:0.3 hat:0.1 key:0.1"
    ),
    "unseen": _words(
        "kumquat:0.2 thesaurus:0.5 tureen:0.4 spork:0.1 loofah:0.1 mouthwash:0.1 walkie_talkie:0.2 goblet:0.3 "
        "teaspoon:0.1 thermos:0.4 physalis:0.1 lanyard:0.2 scourer:0.1 gamepad:0.2 plantain:0.1 hole_punch:0.3"
    ),
}
TOYS = _words(
    "green_dinosaur:0.2 yellow_bear:0.3 red_car:0.2 blue_whale:0.2 grey_rabbit:0.2 orange_fox:0.2 pink_pig:0.2"
)
SHAPES = {
    "test": ("cube", "cylinder", "sphere"),
    "dev": ("cone", "prism"),
    "train": ("pyramid", "block", "disc", "ring", "star"),
    "unseen": ("dodecahedron", "frustum", "torus"),
}
COLOURS = {
    "test": ("red", "blue", "green", "yellow", "pink", "purple"),
    "dev": ("orange", "cyan", "brown", "white", "navy", "lime"),
    "train": ("black", "grey", "gold", "silver", "teal", "violet", "beige", "maroon", "olive", "coral", "mint",
              "ivory"),
    "unseen": ("vermilion", "cerulean", "chartreuse", "ochre", "fuchsia", "viridian"),
}  # fmt: skip
SANDWICH = {
    "test": _words(
        "bread_slice:0.1 bacon:0.1 cucumber:0.1 ham:0.1 cheese:0.1 tomato:0.1 lettuce:0.1 egg:0.1 onion:0.1"
    ),
    "dev": _words("toast:0.1 salami:0.1 pickle:0.1 chicken:0.1 brie:0.1 pepper:0.1 rocket:0.1 tuna:0.1"),
    "train": _words(
        "bun:0.1 turkey:0.1 radish:0.1 steak:0.2 cheddar:0.1 avocado:0.1 spinach:0.1 salmon:0.1 olive_paste:0.1 "
        "bagel:0.1 mushroom:0.1 tofu:0.1 aubergine:0.1 feta:0.1"
    ),
    "unseen": _words(
        "focaccia:0.1 prosciutto:0.1 gherkin:0.1 mortadella:0.1 camembert:0.1 artichoke:0.1 radicchio:0.1 "
        "frittata:0.1 kohlrabi:0.1"
    ),
}
