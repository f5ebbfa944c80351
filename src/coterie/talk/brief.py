"""Meanings in brief: one grammar (`brief.lark`) parses them, and holds the replies of a model to them as GBNF.

    parse("order: kit medkit at alpha", scene)    # [Order((Want("kit", "medkit", "alpha"),))]
    gbnf(scene, "Bring a medkit to alpha")        # for llama.cpp

Names in a brief are the phrases of a `Scene`; meanings carry the names of the world.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any

from coterie.core.errors import CoterieError
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want

#: Kinds of names, each with the terminal of the grammar and the line of the prompt that lists them.
KINDS = {
    "robot": ("ROBOT", "robots"),
    "person": ("PERSON", "people"),
    "room": ("ROOM", "rooms"),
    "table": ("TABLE", "tables"),
    "door": ("DOOR", "doors"),
    "kit": ("KIT", "kits"),
    "item": ("THING", "things"),
}
NO_NAME = "@none"  # stands where a scene has no name of a kind
MOST_NEW = 4  # words in a name that nobody knows


@dataclass(frozen=True)
class Scene:
    """The names that can be spoken of: kind -> phrase -> name of the world."""

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def phrases(self, kind: str) -> tuple[str, ...]:
        return tuple(self.names.get(kind, ()))

    def lines(self) -> list[str]:
        """The scene as the first lines of a prompt."""
        return [f"{line}: {', '.join(self.phrases(kind)) or '-'}" for kind, (_, line) in KINDS.items()]


class Name(str):
    """A name of the world, or a reference such as `@it`."""


# -- reading ----------------------------------------------------------------------------------------------------------
def parse(text: str, scene: Scene) -> list[Meaning]:
    """The meanings that a brief stands for; CoterieError where it is none."""
    import lark

    try:
        tree = _parser(_terminals(scene)).parse(text)
        found: list[Meaning] = _Builder(scene).transform(tree)
    except lark.exceptions.VisitError as err:
        raise CoterieError(f"'{text}' is no meaning: {err.orig_exc}.") from err
    except lark.exceptions.LarkError as err:
        raise CoterieError(f"'{text}' is no meaning in brief.") from err
    return found


@lru_cache(maxsize=64)
def _parser(terminals: str) -> Any:
    import lark

    return lark.Lark(_grammar() + terminals, parser="earley", lexer="dynamic", keep_all_tokens=True)


@lru_cache(maxsize=1)
def _grammar() -> str:
    return resources.files("coterie.talk").joinpath("brief.lark").read_text("utf-8")


def _terminals(scene: Scene) -> str:
    lines = []
    for kind, (terminal, _) in KINDS.items():
        phrases = scene.phrases(kind) or (NO_NAME,)
        lines.append(f"{terminal}: " + " | ".join(_quoted(p) for p in phrases))
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# -- as GBNF ----------------------------------------------------------------------------------------------------------
def gbnf(scene: Scene, heard: str) -> str:
    """A grammar of all briefs in these names; a name that nobody knows is made of words that were heard."""
    words = re.findall(r"[\w'-]+", heard)
    spans = {" ".join(words[i : i + n]) for n in range(1, MOST_NEW + 1) for i in range(len(words) - n + 1)}
    own = {
        "NUMBER": "[0-9] [0-9]? [0-9]?",
        "CLOCK": '[0-2] [0-9] ":" [0-5] [0-9]',
        "NEW": " | ".join(_quoted(s) for s in sorted(spans | {s.lower() for s in spans})) or '"it"',
    }
    lines = [*_rules(), *(_rule(line) for line in _terminals(scene).splitlines())]
    lines += [f"{_key(name)} ::= {body}" for name, body in own.items()]
    return "root ::= start\n" + "\n".join(lines)


@lru_cache(maxsize=1)
def _rules() -> tuple[str, ...]:
    found = (line for line in _grammar().splitlines() if line.strip() and not line.startswith("//"))
    return tuple(_rule(line) for line in found if not re.match(r"(NUMBER|CLOCK|NEW):", line))


def _rule(line: str) -> str:
    name, _, body = line.partition(": ")
    parts = re.split(r'("(?:[^"\\]|\\.)*")', body)
    return f"{_key(name)} ::= " + "".join(
        p if i % 2 else re.sub(r"\w+", lambda w: _key(w[0]), p) for i, p in enumerate(parts)
    )


def _key(name: str) -> str:
    return ("t-" if name.isupper() else "") + name.lower().replace("_", "-")


# -- from the tree to meanings ----------------------------------------------------------------------------------------
def _after(children: Sequence[Any], mark: str) -> Any:
    """The child that follows a literal, or None."""
    for literal, child in pairwise(children):
        if not isinstance(literal, Name) and literal == mark:
            return child
    return None


def _name(children: Iterable[Any]) -> str:
    return next((str(c) for c in children if isinstance(c, Name)), "")


def _count(children: Iterable[Any], default: Any = 1) -> Any:
    return next((c for c in children if type(c) is int), default)


def _names(parts: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(c) for c in parts if isinstance(c, Name))


def _words(parts: Iterable[Any]) -> str:
    return "".join(map(str, parts)).strip()


def _only(parts: Iterable[Any], kind: type) -> tuple[Any, ...]:
    return tuple(c for c in parts if isinstance(c, kind))


#: Constructors by rule of the grammar, from the parts that it has.
_MADE: dict[str, Callable[[list[Any]], Any]] = {
    "start": lambda parts: list(_only(parts, Meaning)),
    # orders
    "wants": lambda parts: parts[0] if isinstance(parts[0], dict) else {"wants": _only(parts, Want)},
    "any_of": lambda parts: {"wants": _only(parts, Want), "any_of": True},
    "all": lambda parts: ("@all",),
    "who": lambda parts: tuple(parts[0]),
    "robots": lambda parts: _names(parts),
    "urgent": lambda parts: {"urgent": True},
    "later": lambda parts: {"later": True},
    "one_out": lambda parts: Name(parts[0]),
    "left_out": lambda parts: {"without": _names(parts)},
    "maybe_order": lambda parts: replace(parts[1], hedged=True),
    # facts
    "negated": lambda parts: False,
    "claims": lambda parts: list(_only(parts, Claim)),
    "tell": lambda parts: m.Tell(tuple(parts[-1])),
    "maybe_tell": lambda parts: replace(parts[1], hedged=True),
    # questions
    "a_plain": lambda parts: m.Ask(str(parts[0])),
    "a_robot": lambda parts: m.Ask(str(parts[0]), robot=_name(parts)),
    "a_claim": lambda parts: m.Ask(str(parts[0]), claims=tuple(parts[-1])),
    "a_why_not": lambda parts: m.Ask("why not", robot=_name(parts), wants=_only(parts, Want)),
    "a_amount": lambda parts: m.Ask("how many", str(parts[1]), str(_after(parts, " at ") or "")),
    "a_right": lambda parts: m.Ask("who may", right=str(parts[-1])),
    "a_may": lambda parts: m.Ask("may", _name(parts), right=str(parts[-1])),
    "a_way": lambda parts: m.Ask("under way", str(parts[1]), str(_after(parts, " at ") or "")),
    "a_who_said": lambda parts: m.Ask("who said", str(parts[-1])),
    # answers
    "approve": lambda parts: m.Approve(_words(parts[1:])),
    "refuse": lambda parts: m.Refuse(_words(parts[1:])),
    "amount": lambda parts: (_name(parts), _count(parts)),
    "things": lambda parts: _only(parts, tuple),
    "things_said": lambda parts: m.Things(parts[-1]),
    "nothing": lambda parts: m.Nothing(),
    "somewhere": lambda parts: m.Somewhere(_name(parts)),
    "number": lambda parts: m.Number(_count(parts)),
    "show": lambda parts: m.Show(),
    "correct": lambda parts: m.Correct(parts[-1]),
    "correct_robot": lambda parts: m.Order((), tuple(parts[-1])),
    # steering
    "stop_all": lambda parts: m.Stop(),
    "all_but": lambda parts: m.Stop(but=tuple(parts[-1])),
    "steer_plain": lambda parts: m.Steer(str(parts[0])),
    "steer_robots": lambda parts: m.Steer(str(parts[0]).strip(), robots=tuple(parts[-1])),
    "steer_but": lambda parts: m.Steer(str(parts[0]).strip(), but=parts[-1].but),
    "at": lambda parts: {"where": str(parts[-1])},
    "steer_all": lambda parts: m.Steer(str(parts[0]).strip(), level=str(parts[-1])),
    "cancel_for": lambda parts: m.Steer("cancel", str(parts[1]), robots=tuple(parts[-1])),
    # teaching, rules and rights
    "teach": lambda parts: m.Teach(str(parts[1]), str(parts[3]) if len(parts) > 3 else ""),
    "forget": lambda parts: m.Forget(_words(parts[1:])),
    "then_person": lambda parts: {"then": str(parts[0]).strip(), "person": _name(parts)},
    "then_plain": lambda parts: {"then": str(parts[0])},
    "then_retry": lambda parts: {"then": "retry", "count": _count(parts, 0)},
    "then_wants": lambda parts: {"then": "wants", "wants": _only(parts, Want)},
    # the rest
    "greet": lambda parts: m.Greet(str(parts[1])),
    "repeat": lambda parts: m.Repeat(),
    "unknown": lambda parts: m.Unknown(str(parts[1])),
    "ambiguous": lambda parts: m.Ambiguous(),
    "none": lambda parts: m.Remark(),
}


class _Builder:
    """Builds meanings from the tree, bottom up; a method for each rule that `_MADE` has no line for."""

    def __init__(self, scene: Scene):
        self.scene = scene

    def transform(self, tree: Any) -> Any:
        import lark

        if isinstance(tree, lark.Token):
            return self._token(tree)
        children = [self.transform(c) for c in tree.children]
        made = _MADE.get(tree.data) or getattr(self, f"on_{tree.data}", None)
        if made is not None:
            return made(children)
        if tree.data in ("kit", "thing", "container", "door", "receiver", "target", "person", "robot", "robot_ref"):
            return Name(next(str(c) for c in children))
        if tree.data.startswith("want_"):
            return self._want(tree.data.removeprefix("want_"), children)
        if tree.data.startswith("c_"):
            return self._claim(tree.data.removeprefix("c_"), children)
        return children[0] if len(children) == 1 else children

    def _token(self, token: Any) -> Any:
        if token.type == "NUMBER":
            return int(token)
        for kind, (terminal, _) in KINDS.items():
            if token.type == terminal:
                return Name(self.scene.names.get(kind, {}).get(str(token), str(token)))
        return str(token)

    # -- orders -------------------------------------------------------------------------------------------------------
    def _want(self, kind: str, children: list[Any]) -> Want:
        what, where, source = "", _after(children, " at ") or "", _after(children, " from ") or ""
        marks = {" at ", " from ", " into ", " out of ", " to "}
        named = [c for before, c in zip(["", *children], children) if isinstance(c, Name) and before not in marks]
        what = str(named[0]) if named else ""
        count = _count(children)
        if kind in ("door", "shut"):
            return Want(m.DOOR, what, holds=kind == "door")
        if kind == "at":
            return Want(m.AT, where=what)
        if kind in ("put", "take", "give"):
            where = next(c for mark in (" into ", " out of ", " to ") if (c := _after(children, mark)))
        if kind in ("clear", "tidy"):
            what, where = "", what
        kinds = {"take": m.TAKE_OUT, "same": m.SAME}
        return Want(kinds.get(kind, kind), what, str(where), count, source=str(source))

    def on_time(self, children: list[Any]) -> dict[str, Any]:
        how = str(children[0]).split()[0]
        minutes = _count(children, 0)
        return {"time": m.Time(how, "" if minutes else str(children[1]), minutes)}

    def on_mods(self, children: list[Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for child in children:
            if isinstance(child, dict):
                found |= child
            elif isinstance(child, Claim):
                found["when"] = (child,)
            elif isinstance(child, tuple):
                found["extra"] = child
        return found

    def on_order(self, children: list[Any]) -> m.Order:
        robots = next((c for c in children if isinstance(c, tuple)), ())
        parts = [c for c in children if isinstance(c, dict)]
        return m.Order(**parts[0], robots=robots, **(parts[1] if len(parts) > 1 else {}))

    # -- facts --------------------------------------------------------------------------------------------------------
    def _claim(self, kind: str, children: list[Any]) -> Claim:
        where = str(_after(children, " at ") or "")
        named = [c for before, c in zip(["", *children], children) if isinstance(c, Name) and before != " at "]
        what = str(named[0]) if named else ""
        return Claim(kind, what, where, _count(children, None))

    def on_claim(self, children: list[Any]) -> Claim:
        claim: Claim = children[-1]
        return replace(claim, holds=len(children) == 1)

    # -- questions ----------------------------------------------------------------------------------------------------
    def on_ask(self, children: list[Any]) -> m.Ask:
        found = children[-1]
        return found if isinstance(found, m.Ask) else m.Ask(str(found))

    def on_a_named(self, children: list[Any]) -> m.Ask:
        about, name = str(children[0]), _name(children)
        robot = self._is_robot(name)
        return m.Ask(about, robot=name) if robot and about == "why that" else m.Ask(about, name)

    def on_a_can(self, children: list[Any]) -> m.Ask:
        return self._able("can", children)

    def on_a_who_can(self, children: list[Any]) -> m.Ask:
        return self._able("who can", children)

    def _able(self, about: str, children: list[Any]) -> m.Ask:
        names = list(_names(children))
        skill = next(str(c) for c in children[1:] if not isinstance(c, Name) and str(c).strip())
        robot = names.pop(0) if names and about == "can" and self._is_robot(names[0]) else ""
        return m.Ask(about, names[0] if names else "", robot=robot, skill=skill)

    def _is_robot(self, name: str) -> bool:
        return name in self.scene.names.get("robot", {}).values() or name.endswith(" robot")

    # -- steering -----------------------------------------------------------------------------------------------------
    def on_stop(self, children: list[Any]) -> m.Stop:
        told = children[-1]
        return told if isinstance(told, m.Stop) else m.Stop(told)

    def on_steer_what(self, children: list[Any]) -> m.Steer:
        where = next((c["where"] for c in children if isinstance(c, dict)), "")
        return m.Steer(str(children[0]).strip(), _name(children), where=where)

    def on_prioritise(self, children: list[Any]) -> m.Steer:
        where = str(_after(children, " at ") or "")
        names = [str(c) for before, c in zip(["", *children], children) if isinstance(c, Name) and before != " at "]
        robots = tuple(n for n in names if self._is_robot(n))
        what = "" if robots or not names else names[0]
        return m.Steer("prioritise", what, str(children[1]), robots, where)

    # -- teaching, rules and rights -----------------------------------------------------------------------------------
    def on_alter(self, children: list[Any]) -> m.Alter:
        kit, how = str(children[1]), str(children[3]).strip()
        if how == "swap":
            return m.Alter(kit, how, str(children[4]), other=str(children[6]))
        item, count = children[4]
        return m.Alter(kit, how, item, count)

    def on_policy(self, children: list[Any]) -> m.Policy:
        trigger = tuple(children[1]) if isinstance(children[1], list) else ()
        return m.Policy(trigger, **children[-1])

    def on_right(self, children: list[Any]) -> m.Permit:
        names = _names(children)
        right = next(str(c) for c in children[3:] if not isinstance(c, Name))
        robot = names[1] if len(names) > 1 else ""
        return m.Permit(names[0], right, children[0] == "permit ", _count(children, 0), robot)

    def on_zone(self, children: list[Any]) -> m.Zone:
        until = str(_after(children, " until ") or "")
        robots, but = (tuple(_after(children, mark) or ()) for mark in (" for ", " but "))
        return m.Zone(str(children[1]), robots, children[0] == "close ", _count(children, 0), until, but)
