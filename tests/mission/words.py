"""The hospital's names as people say them."""

from functools import lru_cache

from coterie.talk.vocabulary import Vocabulary, of_names
from coterie.worlds.hospital.places import place
from coterie.worlds.hospital.scene import LABELS

ROBOTS = ("Fetch", "Temi", "Spot")


@lru_cache(maxsize=1)
def hospital() -> Vocabulary:
    kinds = {key[1]: str(kind) for key, kind in place("ward").map().items() if key[0] == "kind"}
    return of_names({**dict.fromkeys(ROBOTS, "robot"), **kinds}, LABELS, place("ward").kits)
