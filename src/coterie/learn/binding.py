"""Which prompts an adapter was trained on: fingerprints of prompts as they are rendered in fixed states, those
that come often and those that come seldom.

Templates alone would not do: half of a prompt are words that code puts together, and texts of robot cards.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path

from coterie.core.bounds import read_json
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.protocol import Ask, Reply, asks_model
from coterie.episode.radio import OFF
from coterie.learn.demos import played
from coterie.learn.samples import REFEREE
from coterie.learn.trained import Bound
from coterie.models import Model, make_model
from coterie.models.adapter import about, is_packaged
from coterie.protocols import level_of, protocols
from coterie.worlds import entry_of

_searched = partial(Config, level="medium-search", heartbeat=OFF)
#: All bodies, tasks and kinds of change indoors, played by the text oracle.
STATES = (
    _searched("pack-objects", "Ma-MoMa-UAV", seed=11, scene="flat", changes=("cto@5",)),
    _searched("sort-solids", "Ma-Mo-UAV", seed=12, scene="loft", changes=("irz@5:2",)),
    _searched("make-sandwich", "Ma-MoMa", seed=13, scene="bungalow", changes=("anc@5:UAV",)),
    _searched("pack-objects", "Ma-MoMa-Mo-UAV", seed=14, scene="flat", changes=("rec@5:MoMa",), guard=True),
)
#: A base that shifts, things to move closer to, elections that a referee has to decide, and robots that are told that
#: they repeat themselves.
SELDOM = (
    _searched("make-sandwich", "Ma-MoMa-UAV", seed=13, scene="flat", guard=True),
    _searched("pack-objects", "Ma-MoMa-UAV", seed=13, scene="bungalow"),
)
#: The same where others play: at a table, and where a stranger joins a team in a house.
ELSEWHERE = (
    Config("sweep-floor", seed=15),
    Config("tidy", "drawn:2", "heuristic", seed=16, scene="rooms:2:16", level="2", heartbeat=OFF, stranger="irot@0"),
)
ERRING = 4  # steps
_THING = re.compile(r"\b[a-z_]+_\d+\b")
#: Those of adapters that were made before trainings held them, by the hash of their content: as these prompts were
#: rendered when they were trained.
KNOWN = {"104a550e832436ec551ccd4ac99c028b2d73814860fd89795fdc39fd23118bb2": "c2d52c7c2ceda224"}  # the packaged one


class _Listening:
    """The oracle, whose requests are counted in."""

    def __init__(self) -> None:
        self.oracle: Model = make_model("oracle")
        self.name, self.digest = self.oracle.name, hashlib.sha256()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        for ask in asks:
            # What the oracle said before is no part of a prompt, but in a repetition, where it could not be read.
            told = tuple(turn for turn in ask.prompt if turn[0] != "assistant" or ask.attempt)
            self.digest.update(repr((ask.stage, told)).encode())
        return list(self.oracle.answer(asks))


class _Erring(_Listening):
    """The same, where all vote for themselves until a referee decides, and grasp in the first steps at what is not
    before them."""

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return [_instead(ask, reply) for ask, reply in zip(asks, super().answer(asks))]


def _instead(ask: Ask, reply: Reply) -> Reply:
    text = "\n".join(text for _, text in ask.prompt)
    if ask.stage == "LE" and REFEREE not in text:
        return Reply(f"Leader: {ask.robot}", 1, 1)
    if ask.stage == "HMRC" and ask.step <= ERRING and (thing := _THING.search(text)):
        return Reply(f"Thought: I take it.\nAction: pick({thing.group()})", 1, 1)
    return reply


def check_teachable(every: str) -> None:
    """Whether there are protocols of these names, with commas between, and they ask a model."""
    for protocol in every.split(","):
        if protocol not in protocols:
            raise unknown_name("protocol", protocol, [name for name in protocols if asks_model(name)])
        if not asks_model(protocol):
            raise CoterieError(f"The protocol '{protocol}' asks no model, so that there is nothing to learn.")


def rendered_hash(every: str = "dynahmrc") -> str:
    """The fingerprint of today's prompts, of states that come often. Several protocols have one each, with commas."""
    return ",".join(_fingerprint(name, (*STATES, *ELSEWHERE), _Listening()) for name in every.split(","))


def seldom_hash(every: str = "dynahmrc") -> str:
    """The same of states that come seldom; empty for a protocol that has none."""
    return ",".join(_fingerprint(name, SELDOM, _Erring()) if _asked(name, SELDOM) else "" for name in every.split(","))


def _asked(protocol: str, states: Sequence[Config]) -> list[Config]:
    """Those of some episodes that are played in a world of this protocol, with it, or with it as the stranger."""
    check_teachable(protocol)
    mine = [replace(c, model="oracle") for c in states if entry_of(c.task).name in protocols.tags(protocol)]
    return [replace(c, stranger=f"{protocol}@0") if c.stranger else replace(c, protocol=protocol) for c in mine]


def _fingerprint(protocol: str, states: Sequence[Config], player: _Listening) -> str:
    asked = _asked(protocol, states)
    if not asked or len(list(played(asked, player, rename=0.0))) != len(asked):
        raise CoterieError(
            f"No fingerprint can be taken of the prompts of '{protocol}': it does not play all of the episodes that "
            "they are rendered in."
        )
    return player.digest.hexdigest()[:16]


def bound_to(protocol: str) -> Bound:
    """The fingerprints of today's prompts of these protocols; empty where they have no fingerprint."""
    try:
        return Bound(protocol, rendered_hash(protocol), seldom_hash(protocol)) if protocol else Bound()
    except CoterieError:
        check_teachable(protocol)
        return Bound(protocol)


def protocol_of(samples: Iterable[Path]) -> str:
    """Whose prompts are answered in these files, as their cards say; empty where one does not, or they differ."""
    found = set()
    for path in samples:
        try:
            found.add(str(read_json(path.with_suffix(".card.json"), "card of samples")["protocol"]))
        except (CoterieError, KeyError, TypeError, IndexError):
            return ""
    return found.pop() if len(found) == 1 else ""


def trained_on_seldom(adapter: Path) -> str:
    """The fingerprint of an adapter's prompts of states that come seldom; empty if it does not say."""
    told = about(adapter)
    return told.get("seldom", "") or KNOWN.get(told.get("sha256", ""), "")


def _kind(protocol: str) -> tuple[str, str]:
    """The kind of its prompts: its name without variants, and how much they tell."""
    return protocol.partition(":")[0], level_of(protocol)


def mismatch(adapter: Path, asking: Sequence[str]) -> str:
    """A sentence where an adapter was trained on other prompts than these protocols ask with, or was told less or more
    of the state of things; empty where it fits, or does not say what it was trained on. Adapters may be trained for
    several protocols, which they name with commas between."""
    told = about(adapter)
    protocol, prompts, seldom = told.get("protocol", ""), told.get("prompts", ""), trained_on_seldom(adapter)
    learnt = {_kind(name) for name in protocol.split(",")}
    strange = [name for name in asking if _kind(name) not in learnt]
    if protocol and strange:
        who = "The embedded mind" if is_packaged(adapter) else f"The adapter '{adapter}'"
        kinds = " and ".join(sorted(f"{base} ({level})" if level else base for base, level in learnt))
        return f"{who} was trained for {kinds}, and has not learnt to answer the prompts of {', '.join(strange)}."
    if not (protocol and asking) or is_packaged(adapter):  # for these, a test compares prompts
        return ""
    asked = {_kind(name) for name in asking}
    changed = []
    for name, often, rare in zip_longest(protocol.split(","), prompts.split(","), seldom.split(","), fillvalue=""):
        if _kind(name) in asked and (often not in ("", rendered_hash(name)) or rare not in ("", seldom_hash(name))):
            changed.append(name)
    if changed:
        return (
            f"The adapter '{adapter}' was trained on prompts of {', '.join(changed)} that have changed since; it "
            "will play worse than it did. docs/learn.md says how it is trained again."
        )
    return ""
