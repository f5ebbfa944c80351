"""A model's own judgement of things: which of them are misplaced, and where such things belong. Where a model decides
for a negotiating robot, its survey of the house asks these words and never the placement table."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial

from coterie.core.facts import Belief
from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Reply, RobotView
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.irot import answers
from coterie.protocols.adhoc.irot.page import place_words
from coterie.protocols.heuristic.adapter.values import REPLACE, Phrase
from coterie.protocols.shared.replies import clean
from coterie.protocols.shared.templates import render
from coterie.worlds.household.knowledge.graph import Survey, Thing, survey_as

SEE = "SEE"
MOST_JUDGED = 40  # things that are judged at once


class SaidSurvey(Survey):
    def __init__(self, belief: Belief):
        super().__init__(belief)
        self.verdicts: dict[tuple[str, str, str], bool] = {}  # (thing, where, kind of its room) -> misplaced
        self.last: dict[tuple[str, str], bool] = {}  # (thing, where) -> the same, until its room is known better
        self.named: dict[str, set[tuple[str, str]]] = {}  # kind of thing -> (on, kind of room) that were named

    # -- what is misplaced ----------------------------------------------------------------------------------------
    def misplaced(self, thing: Thing) -> bool:
        return self.verdicts.get(self._key(thing), self.last.get((thing.name, thing.where), False))

    def unjudged(self) -> list[Thing]:
        """Things that lie somewhere in a room and were not judged there yet."""
        lying = (t for t in self.things.values() if t.where == FLOOR or t.where in self.pieces)
        return [t for t in lying if self.room_of(t) and self._key(t) not in self.verdicts]

    def note(self, things: Sequence[Thing], wrong: Sequence[str]) -> None:
        for thing in things:
            self.verdicts[self._key(thing)] = self.last[thing.name, thing.where] = thing.name in wrong
            self._judge(thing.name)
        self.version += bool(things)

    def _key(self, thing: Thing) -> tuple[str, str, str]:
        return thing.name, thing.where, self.kind_of_room(self.room_of(thing))

    # -- where it belongs -----------------------------------------------------------------------------------------
    def name(self, task: Phrase) -> None:
        """Remember the home that a sub-task names for a kind of thing."""
        thing, on, room = (*task.args, "", "", "")[:3]
        kind = self.belief.value("kind", thing)
        if task.name == REPLACE and on and isinstance(kind, str):
            self.named.setdefault(kind, set()).add((on, room))

    def belongs(self, kind: str, on: str, room: str) -> bool:
        return any(what == on and where in ("", room) for what, where in self.named.get(kind, ()))

    def places(self) -> tuple[tuple[str, str], ...]:
        """Furniture on which things can be put, by room, for prompts."""
        found: dict[str, dict[str, None]] = {}
        for piece, (kind, room) in self.pieces.items():
            box = self.belief.value("box", piece)
            if kind and isinstance(box, tuple) and box[6]:
                found.setdefault(room, {})[kind] = None
        return tuple((room, ", ".join(kinds)) for room, kinds in found.items())


def said_survey(me: RobotView) -> SaidSurvey:
    return survey_as(me, SaidSurvey)


def see(me: RobotView, style: str) -> Generator[list[Ask], Sequence[Reply], None]:
    """Ask which of the things that were not judged yet are misplaced. It takes two barriers whether or not anything is
    asked, so that robots that negotiate stay in turn."""
    survey = said_survey(me)
    new = survey.unjudged()[:MOST_JUDGED]
    rows = "\n".join(f"{t.name} ({t.kind}) {place_words(survey, t)}" for t in new)
    prompt = render("negotiate/see", style, {"name": me.name, "things": rows}) if new else ()
    read = partial(answers.misplaced, names=[t.name for t in new])
    found: list[str] | Misread = []
    for attempt in range(2):
        replies = yield [Ask(me.name, SEE, me.step, attempt, prompt)] if prompt else []
        if prompt:
            found = Misread(replies[0].error) if replies[0].error else read(replies[0].text)
            again = ("user", "That could not be read. Answer again, in the two lines and nothing else.")
            said = ("assistant", clean(replies[0].text, 300) or "(nothing)")
            prompt = (*prompt, said, again) if isinstance(found, Misread) else ()
    survey.note(new, [] if isinstance(found, Misread) else found)
