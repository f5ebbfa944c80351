"""Robot bodies, one card a file, and teams made of them."""

from __future__ import annotations

from pathlib import Path

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.reader import Reader, load_toml, read_card
from coterie.core.registry import Registry
from coterie.worlds.indoor.skills import skills

MOST_ROBOTS = 256  # in one team


class Bodies(Registry[Card]):
    """Cards by body. One in this folder that cannot be used is complained about where it is asked for or listed; the
    skill it lacks may still come, from a file that `--load` names."""

    def __init__(self) -> None:
        super().__init__("robot", own="Bring your own with --card FILE.")
        self._unused: dict[Path, None] = {}

    def scan(self, folder: Path) -> None:
        self._unused = dict.fromkeys(sorted(folder.glob("*.toml")))
        self.amiss()

    def amiss(self) -> list[str]:
        """Complaints about cards that cannot be used, after another try."""
        complaints = []
        for path in list(self._unused):
            try:
                add_card(path)
                del self._unused[path]
            except CoterieError as err:
                complaints.append(str(err))
        return complaints

    def get(self, name: str) -> Card:
        if name in self:
            return super().get(name)
        complaints = self.amiss()
        try:
            return super().get(name)
        except CoterieError as err:
            raise CoterieError(" ".join([str(err), *complaints])) from err


robots = Bodies()

#: The six teams of the DynaHMRC benchmark. Any other dash-joined list of bodies is a team too.
TEAMS = ("Ma-MoMa", "Ma-UAV", "Ma-MoMa-Mo", "Ma-MoMa-UAV", "Ma-Mo-UAV", "Ma-MoMa-Mo-UAV")


def load_card(path: Path, new: bool = False) -> Card:
    """Read a robot card, perhaps of a body that is `new`; complaints name the file, the line's key and the fix."""
    r = Reader(load_toml(path, "robot card"), str(path))
    card = read_card(r, skills)
    if new and card.body in robots:
        raise r.fail(f"`body`: there is a robot '{card.body}' already; give yours another, like \"{card.body}2\".")
    picks = "pick" in card.skills
    if picks and (card.reach_m <= 0 or card.payload_kg <= 0):
        raise r.fail("a robot that can `pick` needs `reach_m` and `payload_kg` above 0.")
    if card.manipulates and not picks:
        raise r.fail("a robot that cannot `pick` takes nothing up; leave out `payload_kg`, or add the skill.")
    if card.reach_low_m >= card.reach_high_m:
        raise r.fail(f"`reach_low_m` {card.reach_low_m} must be below `reach_high_m` {card.reach_high_m}.")
    if picks and "place" not in card.skills:
        raise r.fail("a robot that can `pick` must also `place`; add it to `skills`.")
    if "navigate" in card.skills and card.mobility == "fixed":
        raise r.fail('a robot with the skill `navigate` needs `mobility = "ground"` or `"air"`.')
    if card.mobility == "fixed" and not picks:
        raise r.fail("a fixed robot without `pick` can do nothing; add the skills `pick` and `place`.")
    return card


def add_card(path: Path) -> Card:
    card = load_card(path, new=True)
    return robots.put(card.body, card)


def team(spec: str) -> tuple[tuple[str, Card], ...]:
    """`"Ma-MoMa-UAV"` to named cards. A second robot of one body gets a number: Alice, Alice2."""
    members: list[tuple[str, Card]] = []
    if spec.count("-") >= MOST_ROBOTS:
        raise CoterieError(f"A team of {spec.count('-') + 1} robots is too large; the most are {MOST_ROBOTS}.")
    used: dict[str, int] = {}
    for body in spec.split("-"):
        if not body:
            raise CoterieError(f"'{spec}' is not a team: join bodies with single dashes, like {TEAMS[3]}.")
        card = robots.get(body)
        used[card.name] = n = used.get(card.name, 0) + 1
        members.append((card.name if n == 1 else f"{card.name}{n}", card))
    return tuple(members)


robots.scan(Path(__file__).parent)
