"""Meanings in brief: one grammar (`brief.lark`) parses them, and holds the replies of a model to them as GBNF.

    parse("order: kit medkit at alpha", scene)    # [Order((Want("kit", "medkit", "alpha"),))]
    gbnf(scene, "Bring a medkit to alpha")        # for llama.cpp

Names in a brief are the phrases of a `Scene`; meanings carry the names of the world.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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


class _Builder:
    """Builds meanings from the tree, bottom up: one method for each rule."""

    def __init__(self, scene: Scene):
        self.scene = scene

    def transform(self, tree: Any) -> Any:
        import lark

        if isinstance(tree, lark.Token):
            return self._token(tree)
        children = [self.transform(c) for c in tree.children]
        method = getattr(self, f"on_{tree.data}", None)
        if method is not None:
            return method(children)
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

    def on_start(self, children: list[Any]) -> list[Meaning]:
        return [c for c in children if isinstance(c, Meaning)]

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

    def on_wants(self, children: list[Any]) -> Any:
        return children[0] if isinstance(children[0], dict) else {"wants": _only(children, Want)}

    def on_any_of(self, children: list[Any]) -> dict[str, Any]:
        return {"wants": _only(children, Want), "any_of": True}

    def on_all(self, children: list[Any]) -> tuple[str, ...]:
        return ("@all",)

    def on_who(self, children: list[Any]) -> tuple[str, ...]:
        return tuple(children[0])

    def on_robots(self, children: list[Any]) -> tuple[str, ...]:
        return tuple(str(c) for c in children if isinstance(c, Name))

    def on_urgent(self, children: list[Any]) -> dict[str, Any]:
        return {"urgent": True}

    def on_later(self, children: list[Any]) -> dict[str, Any]:
        return {"later": True}

    def on_one_out(self, children: list[Any]) -> Name:
        return Name(children[0])

    def on_left_out(self, children: list[Any]) -> dict[str, Any]:
        return {"without": tuple(str(c) for c in children if isinstance(c, Name))}

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

    def on_maybe_order(self, children: list[Any]) -> m.Order:
        return replace(children[1], hedged=True)

    # -- facts --------------------------------------------------------------------------------------------------------
    def _claim(self, kind: str, children: list[Any]) -> Claim:
        where = str(_after(children, " at ") or "")
        named = [c for before, c in zip(["", *children], children) if isinstance(c, Name) and before != " at "]
        what = str(named[0]) if named else ""
        return Claim(kind, what, where, _count(children, None))

    def on_negated(self, children: list[Any]) -> bool:
        return False

    def on_claim(self, children: list[Any]) -> Claim:
        claim: Claim = children[-1]
        return replace(claim, holds=len(children) == 1)

    def on_claims(self, children: list[Any]) -> list[Claim]:
        return [c for c in children if isinstance(c, Claim)]

    def on_tell(self, children: list[Any]) -> m.Tell:
        return m.Tell(tuple(children[-1]))

    def on_maybe_tell(self, children: list[Any]) -> m.Tell:
        return replace(children[1], hedged=True)

    # -- questions ----------------------------------------------------------------------------------------------------
    def on_ask(self, children: list[Any]) -> m.Ask:
        found = children[-1]
        return found if isinstance(found, m.Ask) else m.Ask(str(found))

    def on_a_plain(self, children: list[Any]) -> m.Ask:
        return m.Ask(str(children[0]))

    def on_a_named(self, children: list[Any]) -> m.Ask:
        about, name = str(children[0]), _name(children)
        robot = self._is_robot(name)
        return m.Ask(about, robot=name) if robot and about == "why that" else m.Ask(about, name)

    def on_a_robot(self, children: list[Any]) -> m.Ask:
        return m.Ask(str(children[0]), robot=_name(children))

    def on_a_claim(self, children: list[Any]) -> m.Ask:
        return m.Ask(str(children[0]), claims=tuple(children[-1]))

    def on_a_why_not(self, children: list[Any]) -> m.Ask:
        return m.Ask("why not", robot=_name(children), wants=_only(children, Want))

    def on_a_can(self, children: list[Any]) -> m.Ask:
        return self._able("can", children)

    def on_a_who_can(self, children: list[Any]) -> m.Ask:
        return self._able("who can", children)

    def _able(self, about: str, children: list[Any]) -> m.Ask:
        names = [str(c) for c in children if isinstance(c, Name)]
        skill = next(str(c) for c in children[1:] if not isinstance(c, Name) and str(c).strip())
        robot = names.pop(0) if names and about == "can" and self._is_robot(names[0]) else ""
        return m.Ask(about, names[0] if names else "", robot=robot, skill=skill)

    def on_a_amount(self, children: list[Any]) -> m.Ask:
        return m.Ask("how many", str(children[1]), str(_after(children, " at ") or ""))

    def on_a_right(self, children: list[Any]) -> m.Ask:
        return m.Ask("who may", right=str(children[-1]))

    def on_a_may(self, children: list[Any]) -> m.Ask:
        return m.Ask("may", _name(children), right=str(children[-1]))

    def on_a_way(self, children: list[Any]) -> m.Ask:
        return m.Ask("under way", str(children[1]), str(_after(children, " at ") or ""))

    def on_a_who_said(self, children: list[Any]) -> m.Ask:
        return m.Ask("who said", str(children[-1]))

    def _is_robot(self, name: str) -> bool:
        return name in self.scene.names.get("robot", {}).values() or name.endswith(" robot")

    # -- answers ------------------------------------------------------------------------------------------------------
    def on_approve(self, children: list[Any]) -> m.Approve:
        words = "".join(str(c) for c in children[1:]).strip()
        return m.Approve(words)

    def on_refuse(self, children: list[Any]) -> m.Refuse:
        return m.Refuse("".join(map(str, children[1:])).strip())

    def on_amount(self, children: list[Any]) -> tuple[str, int]:
        return _name(children), _count(children)

    def on_things(self, children: list[Any]) -> tuple[tuple[str, int], ...]:
        return tuple(c for c in children if isinstance(c, tuple))

    def on_things_said(self, children: list[Any]) -> m.Things:
        return m.Things(children[-1])

    def on_nothing(self, children: list[Any]) -> m.Nothing:
        return m.Nothing()

    def on_somewhere(self, children: list[Any]) -> m.Somewhere:
        return m.Somewhere(_name(children))

    def on_number(self, children: list[Any]) -> m.Number:
        return m.Number(_count(children))

    def on_show(self, children: list[Any]) -> m.Show:
        return m.Show()

    def on_correct(self, children: list[Any]) -> m.Correct:
        return m.Correct(children[-1])

    def on_correct_robot(self, children: list[Any]) -> m.Order:
        return m.Order((), tuple(children[-1]))

    # -- steering -----------------------------------------------------------------------------------------------------
    def on_stop(self, children: list[Any]) -> m.Stop:
        told = children[-1]
        return told if isinstance(told, m.Stop) else m.Stop(told)

    def on_stop_all(self, children: list[Any]) -> m.Stop:
        return m.Stop()

    def on_all_but(self, children: list[Any]) -> m.Stop:
        return m.Stop(but=tuple(children[-1]))

    def on_steer_plain(self, children: list[Any]) -> m.Steer:
        return m.Steer(str(children[0]))

    def on_steer_robots(self, children: list[Any]) -> m.Steer:
        return m.Steer(str(children[0]).strip(), robots=tuple(children[-1]))

    def on_steer_but(self, children: list[Any]) -> m.Steer:
        return m.Steer(str(children[0]).strip(), but=children[-1].but)

    def on_at(self, children: list[Any]) -> dict[str, str]:
        return {"where": str(children[-1])}

    def on_steer_what(self, children: list[Any]) -> m.Steer:
        where = next((c["where"] for c in children if isinstance(c, dict)), "")
        return m.Steer(str(children[0]).strip(), _name(children), where=where)

    def on_steer_all(self, children: list[Any]) -> m.Steer:
        return m.Steer(str(children[0]).strip(), level=str(children[-1]))

    def on_prioritise(self, children: list[Any]) -> m.Steer:
        where = str(_after(children, " at ") or "")
        names = [str(c) for before, c in zip(["", *children], children) if isinstance(c, Name) and before != " at "]
        robots = tuple(n for n in names if self._is_robot(n))
        what = "" if robots or not names else names[0]
        return m.Steer("prioritise", what, str(children[1]), robots, where)

    def on_cancel_for(self, children: list[Any]) -> m.Steer:
        return m.Steer("cancel", str(children[1]), robots=tuple(children[-1]))

    # -- teaching, rules and rights -----------------------------------------------------------------------------------
    def on_teach(self, children: list[Any]) -> m.Teach:
        return m.Teach(str(children[1]), str(children[3]) if len(children) > 3 else "")

    def on_alter(self, children: list[Any]) -> m.Alter:
        kit, how = str(children[1]), str(children[3]).strip()
        if how == "swap":
            return m.Alter(kit, how, str(children[4]), other=str(children[6]))
        item, count = children[4]
        return m.Alter(kit, how, item, count)

    def on_forget(self, children: list[Any]) -> m.Forget:
        return m.Forget("".join(str(c) for c in children[1:]).strip())

    def on_policy(self, children: list[Any]) -> m.Policy:
        trigger = tuple(children[1]) if isinstance(children[1], list) else ()
        return m.Policy(trigger, **children[-1])

    def on_then_person(self, children: list[Any]) -> dict[str, Any]:
        return {"then": str(children[0]).strip(), "person": _name(children)}

    def on_then_plain(self, children: list[Any]) -> dict[str, Any]:
        return {"then": str(children[0])}

    def on_then_retry(self, children: list[Any]) -> dict[str, Any]:
        return {"then": "retry", "count": _count(children, 0)}

    def on_then_wants(self, children: list[Any]) -> dict[str, Any]:
        return {"then": "wants", "wants": _only(children, Want)}

    def on_right(self, children: list[Any]) -> m.Permit:
        names = [str(c) for c in children if isinstance(c, Name)]
        right = next(str(c) for c in children[3:] if not isinstance(c, Name))
        robot = names[1] if len(names) > 1 else ""
        return m.Permit(names[0], right, children[0] == "permit ", _count(children, 0), robot)

    def on_zone(self, children: list[Any]) -> m.Zone:
        until = str(_after(children, " until ") or "")
        robots, but = (tuple(_after(children, mark) or ()) for mark in (" for ", " but "))
        return m.Zone(str(children[1]), robots, children[0] == "close ", _count(children, 0), until, but)

    # -- the rest -----------------------------------------------------------------------------------------------------
    def on_greet(self, children: list[Any]) -> m.Greet:
        return m.Greet(str(children[1]))

    def on_repeat(self, children: list[Any]) -> m.Repeat:
        return m.Repeat()

    def on_unknown(self, children: list[Any]) -> m.Unknown:
        return m.Unknown(str(children[1]))

    def on_ambiguous(self, children: list[Any]) -> m.Ambiguous:
        return m.Ambiguous()

    def on_none(self, children: list[Any]) -> m.Remark:
        return m.Remark()


def _only(children: Iterable[Any], kind: type) -> tuple[Any, ...]:
    return tuple(c for c in children if isinstance(c, kind))
