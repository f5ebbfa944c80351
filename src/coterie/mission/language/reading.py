"""What each alternative of the grammar means. A method here has the name of an alternative there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.mission.language import meanings as m
from coterie.mission.language.meanings import Claim, Meaning, Want
from coterie.mission.language.signs import Signed
from coterie.mission.language.vocabulary import Vocabulary

IT, OTHER, THERE, HERE, ME, ALL = "@it", "@other", "@there", "@here", "@me", "@all"


class Name(str):
    """A name with its kind; for things, how many."""

    kind: str = ""
    many: int | None = None


def _named(name: str, kind: str, count: int | None = None) -> Name:
    found = Name(name)
    found.kind, found.many = kind, count
    return found


class Reading:
    """One tree of the grammar, from the leaves up."""

    def __init__(self, signed: Signed, vocabulary: Vocabulary):
        self.signed, self.vocabulary = signed, vocabulary

    def of(self, tree: Any) -> Meaning | None:
        found = self._value(tree)
        return found if isinstance(found, Meaning) else None

    def _value(self, node: Any) -> Any:
        if not hasattr(node, "children"):
            return self._token(node)
        parts = [v for v in (self._value(c) for c in node.children) if v is not None]
        method = getattr(self, str(node.data), None)
        if method is not None:
            return method(*parts)
        return parts[0] if len(parts) == 1 else parts or None

    def _token(self, token: Any) -> Any:
        text, kind = str(token), token.type
        if kind == "NUM":
            return self.signed.numbers[text]
        if kind == "LABEL":
            return _named(self.signed.labels[text], "label")
        if kind == "FETCH":
            return None
        if kind == "WORD":
            return _named(text, "word")
        if text in self.signed.names:
            return _named(self.signed.names[text], self.vocabulary.kind_of(self.signed.names[text]))
        return None

    # -- names ----------------------------------------------------------------------------------------------------
    def one_robot(self, name: Name) -> Name:
        return name

    def fetch_robot(self) -> Name:
        return _named(self.signed.names.get("fetch", "fetch"), "robot")

    def it_robot(self) -> Name:
        return _named(IT, "robot")

    def you(self) -> Name:
        return _named("", "robot")

    def robots(self, *names: Name) -> tuple[Name, ...]:
        return tuple(n for n in names if n)

    def all_robots(self) -> tuple[Name, ...]:
        return (_named(ALL, "robot"),)

    def me(self) -> Name:
        return _named(ME, "person")

    def there(self) -> Name:
        return _named(THERE, "place")

    def here_place(self) -> Name:
        return _named(HERE, "place")

    def that_place(self) -> Name:
        return _named(f"{IT} place", "place")

    def other_place(self) -> Name:
        return _named(f"{OTHER} place", "place")

    def that_door(self) -> Name:
        return _named(f"{IT} door", "door")

    def other_door(self) -> Name:
        return _named(f"{OTHER} door", "door")

    def door_of(self, room: Name) -> Name:
        phrase = f"door of {self.vocabulary.phrase(room)}"
        return _named(self.vocabulary.phrases.get(phrase, ("door", f"door of {room}"))[1], "door")

    def number(self, count: int) -> int:
        return count

    def one(self) -> int:
        return 1

    def two(self) -> int:
        return 2

    def counted_item(self, *parts: Any) -> Name:
        return _named(parts[-1], "item", parts[0] if len(parts) > 1 else None)

    def counted_caddy(self, *parts: Any) -> Name:
        return _named(parts[-1], "caddy", parts[0] if len(parts) > 1 else None)

    def counted_kit(self, *parts: Any) -> Name:
        return _named(parts[-1], "kit", parts[0] if len(parts) > 1 else None)

    def it_thing(self) -> Name:
        return _named(IT, "thing")

    def other_thing(self) -> Name:
        return _named(OTHER, "thing")

    def _things(self, value: Any) -> list[Name]:
        return [value] if isinstance(value, Name) else list(value)

    # -- orders ---------------------------------------------------------------------------------------------------
    def deeds(self, *deeds: Any) -> tuple[Want, ...]:
        wants = [w for d in deeds for w in (d if isinstance(d, tuple) else (d,))]
        for i in range(len(wants) - 1, 0, -1):  # "make a medkit and bring it to beta" is one kit at beta
            first, second = wants[i - 1], wants[i]
            both = isinstance(first, Want) and isinstance(second, Want)
            made = both and first.kind in (m.KIT, m.STOCK) and not first.where
            if made and second.kind == m.STOCK and second.what == IT and second.where:
                wants[i - 1 : i + 1] = [replace(first, where=second.where)]
        return tuple(wants)

    def order(self, wants: Any) -> Meaning:
        whole = [w for w in wants if isinstance(w, Meaning)] if isinstance(wants, tuple) else [wants]
        if len(whole) == 1 and isinstance(whole[0], Meaning):
            return whole[0]
        return m.Order(wants if isinstance(wants, tuple) else (wants,))

    def order_to(self, *parts: Any) -> Meaning:
        robots, wants = parts[0], parts[-1]
        return m.Order(wants, self._robots(robots))

    def order_with(self, wants: tuple[Want, ...], robots: Any) -> Meaning:
        return m.Order(wants, self._robots(robots))

    def _robots(self, robots: Any) -> tuple[str, ...]:
        many = robots if isinstance(robots, tuple) else (robots,)
        return tuple(str(r) for r in many if r)

    def order_when(self, claims: tuple[Claim, ...], order: Any) -> Meaning:
        return m.Order(order.wants, order.robots, claims, order.urgent)

    def order_after(self, wants: tuple[Want, ...], claims: tuple[Claim, ...]) -> Meaning:
        return m.Order(wants, (), claims)

    def order_urgent(self, order: m.Order) -> Meaning:
        return m.Order(order.wants, order.robots, order.when, True)

    def order_instead(self, wants: tuple[Want, ...]) -> Meaning:
        return m.Order(wants)

    def _kit(self, kit: Name, where: str = "") -> Want:
        return Want(m.KIT, str(kit), str(where), kit.many or 1)

    def bring_kit(self, kit: Name, where: Name) -> Want:
        return self._kit(kit, where)

    bring_made_kit = bring_kit

    def bring_kit_to(self, where: Name, kit: Name) -> Want:
        return self._kit(kit, where)

    def kit_somewhere(self, kit: Name) -> Want:
        return self._kit(kit)

    def kit_to_person(self, kit: Name, person: Name) -> Want:
        return self._kit(kit, person)

    def kit_to_person_first(self, person: Name, kit: Name) -> Want:
        return self._kit(kit, person)

    def pack_kit(self, kit: Name) -> Want:
        return self._kit(kit)

    def _stock(self, things: Any, where: str = "", source: str = "") -> tuple[Want, ...]:
        return tuple(Want(m.STOCK, str(t), str(where), t.many or 1, source=str(source)) for t in self._things(things))

    def bring_things(self, things: Any, where: Name) -> tuple[Want, ...]:
        return self._stock(things, where)

    want_things = bring_things

    def bring_things_from(self, things: Any, source: Name, where: Name) -> tuple[Want, ...]:
        return self._stock(things, where, source)

    def bring_things_back(self, things: Any, where: Name, source: Name) -> tuple[Want, ...]:
        return self._stock(things, where, source)

    def fetch_things_from(self, things: Any, source: Name) -> tuple[Want, ...]:
        return self._stock(things, "", source)

    def bring_to_place(self, where: Name, things: Any) -> tuple[Want, ...]:
        return self._stock(things, where)

    refill = place_needs_things = bring_to_place

    def fetch_things(self, things: Any) -> tuple[Want, ...]:
        return self._stock(things)

    def unsaid(self, *_: Any) -> None:
        return None

    def from_place(self, place: Name) -> Name:
        return place

    def from_person(self, person: Name) -> Name:
        return person

    def open_door(self, door: Name) -> Want:
        return Want(m.DOOR, str(door))

    want_door = open_door

    def shut_door(self, door: Name) -> Want:
        return Want(m.DOOR, str(door), holds=False)

    def go_to(self, where: Name) -> Want:
        return Want(m.AT, "", str(where))

    def send_robots(self, robots: Any, where: Name) -> Meaning:
        return m.Order((Want(m.AT, "", str(where)),), self._robots(robots))

    def take_things(self, things: Any, where: Name | None = None) -> tuple[Want, ...]:
        return tuple(Want(m.HOLD, str(t), str(where or ""), t.many or 1) for t in self._things(things))

    def look_for(self, things: Any, where: Name | None = None) -> tuple[Want, ...]:
        return tuple(Want(m.LOOK, str(t), str(where or "")) for t in self._things(things))

    def look_at(self, where: Name, things: Any = None) -> tuple[Want, ...]:
        if things is None:
            return (Want(m.LOOK, "", str(where)),)
        return self.look_for(things, where)

    def do_task(self, task: Name) -> Want:
        return Want(m.TASK, str(task))

    def check_claims(self, claims: tuple[Claim, ...]) -> Any:
        return m.Ask("is it so", claims=claims)

    def want_kit(self, kit: Name, where: Name | None = None) -> Want:
        return self._kit(kit, where or "")

    def want_kit_here(self, kit: Name, where: Name) -> Want:
        return self._kit(kit, where)

    def room_needs_kit(self, where: Name, kit: Name) -> Want:
        return self._kit(kit, where)

    def want_robot(self, robot: Name, wants: tuple[Want, ...]) -> Meaning:
        return m.Order(wants, (str(robot),) if robot else ())

    # -- facts ----------------------------------------------------------------------------------------------------
    def tell(self, claims: tuple[Claim, ...]) -> Meaning:
        return m.Tell(claims)

    def claims(self, *claims: Any) -> tuple[Claim, ...]:
        return tuple(c for part in claims for c in (part if isinstance(part, tuple) else (part,)))

    def _at(self, things: Any, where: str, holds: bool = True) -> tuple[Claim, ...]:
        return tuple(Claim(m.STOCK, str(t), str(where), t.many if holds else None, holds) for t in self._things(things))

    def thing_at(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[0], parts[-1])

    def thing_not_at(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[0], parts[-1], False)

    def thing_gone(self, things: Any) -> tuple[Claim, ...]:
        return self._at(things, "", False)

    def at_place_thing(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[-1], parts[0])

    def at_place_no_thing(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[-1], parts[0], False)

    def place_has(self, where: Name, things: Any) -> tuple[Claim, ...]:
        return self._at(things, where)

    def place_has_not(self, where: Name, things: Any) -> tuple[Claim, ...]:
        return self._at(things, where, False)

    def place_empty(self, where: Name) -> Claim:
        return Claim(m.EMPTY, "", str(where))

    is_empty = place_empty

    def place_not_empty(self, where: Name) -> Claim:
        return Claim(m.EMPTY, "", str(where), holds=False)

    def door_open(self, *parts: Any) -> Claim:
        return Claim(m.DOOR, str(parts[0]))

    is_open = door_open

    def door_shut(self, *parts: Any) -> Claim:
        return Claim(m.DOOR, str(parts[0]), holds=False)

    is_shut = door_shut

    def door_jammed(self, *parts: Any) -> Claim:
        return Claim(m.JAMMED, str(parts[0]))

    is_jammed = door_jammed

    def door_not_jammed(self, *parts: Any) -> Claim:
        return Claim(m.JAMMED, str(parts[0]), holds=False)

    def person_has(self, person: Name, things: Any) -> tuple[Claim, ...]:
        return tuple(Claim(m.SUPPLY, str(t), str(person), t.many) for t in self._things(things))

    def person_has_not(self, person: Name, things: Any) -> tuple[Claim, ...]:
        return tuple(Claim(m.SUPPLY, str(t), str(person), holds=False) for t in self._things(things))

    def person_away(self, *parts: Any) -> Claim:
        return Claim(m.PRESENT, str(parts[0]), holds=False)

    def person_here(self, *parts: Any) -> Claim:
        return Claim(m.PRESENT, str(parts[0]))

    is_person_here = person_here

    def robot_broken(self, *parts: Any) -> Claim:
        return Claim(m.ABLE, str(parts[0]), holds=False)

    def robot_fine(self, *parts: Any) -> Claim:
        return Claim(m.ABLE, str(parts[0]))

    is_robot_fine = robot_fine

    def robot_at(self, *parts: Any) -> Claim:
        return Claim(m.AT, str(parts[0]), str(parts[-1]))

    is_robot_at = robot_at

    def robot_cannot(self, robot: Name, skill: tuple[str, str]) -> Claim:
        return Claim(m.ABLE, str(robot), skill[0], holds=False)

    def kit_ready(self, *parts: Any) -> Claim:
        return Claim(m.KIT, str(parts[0]))

    # -- questions ------------------------------------------------------------------------------------------------
    def ask_plan(self, *_: Any) -> Meaning:
        return m.Ask("plan")

    def _first(self, parts: tuple[Any, ...]) -> Name | None:
        flat: list[Any] = list(parts)
        while flat:
            part = flat.pop(0)
            if isinstance(part, Name):
                return part
            if isinstance(part, (list, tuple)):
                flat = [*part, *flat]
        return None

    def ask_duration(self, *parts: Any) -> Meaning:
        return m.Ask("duration", what=str(self._first(parts) or ""))

    def ask_chance(self, *parts: Any) -> Meaning:
        return m.Ask("chance", what=str(self._first(parts) or ""))

    def ask_what_if(self, claims: Any) -> Meaning:
        return m.Ask("what if", claims=claims if isinstance(claims, tuple) else (claims,))

    def robot_breaks(self, robot: Name) -> Claim:
        return Claim(m.ABLE, str(robot), holds=False)

    def person_silent(self, person: Name) -> Claim:
        return Claim(m.PRESENT, str(person), holds=False)

    def ask_why(self, *_: Any) -> Meaning:
        return m.Ask("why")

    def ask_why_that(self, *parts: Any) -> Meaning:
        robot = next((p for p in parts if isinstance(p, Name) and p.kind == "robot"), "")
        return m.Ask("why that", robot=str(robot))

    def ask_why_not(self, *parts: Any) -> Meaning:
        robot = next((p for p in parts if isinstance(p, Name) and p.kind == "robot"), "")
        return m.Ask("why not", robot=str(robot), wants=parts[-1])

    def ask_why_not_open(self, door: Name, *_: Any) -> Meaning:
        return m.Ask("why not", wants=(Want(m.DOOR, str(door)),))

    def ask_why_no_kit(self, kit: Name, where: Name | None = None) -> Meaning:
        return m.Ask("why not", wants=(self._kit(kit, where or ""),))

    def ask_who_can(self, *parts: Any) -> Meaning:
        skill, what = parts[-1]
        return m.Ask("who can", skill=skill, what=what)

    def ask_can(self, robot: Name, *rest: Any) -> Meaning:
        skill, what = rest[-1]
        return m.Ask("can", robot=str(robot), skill=skill, what=what)

    def ask_can_deeds(self, robots: Any, *rest: Any) -> Meaning:
        many = self._robots(robots)
        return m.Ask("can", robot=many[0] if many else "", wants=rest[-1])

    def able(self) -> None:
        return None

    def _ability(self, skill: str, *parts: Any) -> tuple[str, str]:
        return skill, str(self._first(parts) or "")

    def can_open(self, *parts: Any) -> tuple[str, str]:
        return self._ability("open", *parts)

    def can_carry(self, *parts: Any) -> tuple[str, str]:
        return self._ability("carry", *parts)

    def can_pick(self, *parts: Any) -> tuple[str, str]:
        return self._ability("pick", *parts)

    def can_pack(self, *parts: Any) -> tuple[str, str]:
        return self._ability("pack", *parts)

    def can_go(self, *parts: Any) -> tuple[str, str]:
        return self._ability("go", *parts)

    def can_other(self, *parts: Any) -> tuple[str, str]:
        return "other", ""

    def ask_ability(self, *parts: Any) -> Meaning:
        return m.Ask("ability", robot=str(self._first(parts) or ""))

    def ask_doing(self, *parts: Any) -> Meaning:
        return m.Ask("doing", robot=str(self._first(parts) or ""))

    def ask_doing_all(self, *_: Any) -> Meaning:
        return m.Ask("doing")

    def ask_progress(self, *parts: Any) -> Meaning:
        first = self._first(parts)
        return m.Ask("progress", what=str(first) if first is not None and first.kind == "kit" else "")

    def ask_history(self, *_: Any) -> Meaning:
        return m.Ask("history")

    def ask_changed(self, *_: Any) -> Meaning:
        return m.Ask("changed")

    def ask_where(self, *parts: Any) -> Meaning:
        return m.Ask("where", what=str(self._first(parts) or ""))

    def ask_how_many(self, item: Name, *rest: Any) -> Meaning:
        where = next((p for p in rest if isinstance(p, Name)), self._first(rest))
        return m.Ask("how many", what=str(item), where=str(where or ""))

    def ask_is(self, claims: Any) -> Meaning:
        return m.Ask("is it so", claims=claims if isinstance(claims, tuple) else (claims,))

    def is_thing_at(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[0], parts[-1])

    def is_thing(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[0], "")

    def ask_person_has(self, person: Name, things: Any) -> Meaning:
        return m.Ask("is it so", claims=self.person_has(person, things))

    def ask_claims(self, *parts: Any) -> Meaning:
        return m.Ask("is it so", claims=parts[-1])

    def ask_contents_place(self, *parts: Any) -> Meaning:
        return m.Ask("contents", what=str(parts[-1]))

    ask_contents = ask_contents_place

    def ask_taught(self, *_: Any) -> Meaning:
        return m.Ask("taught")

    def ask_understood(self, *_: Any) -> Meaning:
        return m.Ask("understood")

    def ask_who_may(self, *parts: Any) -> Meaning:
        return m.Ask("who may", right=parts[-1])

    def ask_goals(self, *_: Any) -> Meaning:
        return m.Ask("goals")

    def ask_who(self, *_: Any) -> Meaning:
        return m.Ask("who")

    def ask_help(self, *_: Any) -> Meaning:
        return m.Ask("help")

    # -- answers --------------------------------------------------------------------------------------------------
    def approve(self, *_: Any) -> Meaning:
        return m.Approve()

    def approve_number(self, count: int) -> Meaning:
        return m.Approve(str(count))

    def refuse(self, *_: Any) -> Meaning:
        return m.Refuse()

    def yes(self, *_: Any) -> None:
        return None

    def no(self, *_: Any) -> None:
        return None

    def things(self, *things: Any) -> Any:
        names = [t for part in things for t in self._things(part)]
        return names

    def answer(self, value: Any) -> Any:
        return self.said(value)

    def said(self, value: Any = None) -> Any:
        if isinstance(value, list) and value and all(isinstance(v, Name) for v in value):
            return m.Things(tuple((str(v), v.many or 1) for v in value))
        return value

    def start(self, value: Any = None) -> Any:
        return value

    def things_kit(self, kit: Name) -> Meaning:
        return m.Things(((str(kit), kit.many or 1),))

    def unknown_thing(self, value: Any) -> Meaning:
        return value

    def unknown_words(self, *parts: Any) -> Meaning:
        return m.Things((), (" ".join(str(p) for p in parts),))

    def unknown_counted(self, count: int, *parts: Any) -> Meaning:
        return m.Things(((" ".join(str(p) for p in parts), count),), (" ".join(str(p) for p in parts),))

    def unknown_label(self, label: Name) -> Meaning:
        return m.Things((), (str(label),))

    def somewhere(self, *parts: Any) -> Meaning:
        return m.Somewhere(str(parts[-1]))

    def somewhere_person(self, person: Name) -> Meaning:
        return m.Somewhere(str(person))

    def robot_answer(self, robot: Name) -> Meaning:
        return m.Somewhere(str(robot))

    def fetch_answer(self) -> Meaning:
        return m.Somewhere(str(self.fetch_robot()))

    def nothing(self, *_: Any) -> Meaning:
        return m.Nothing()

    def bare_number(self, count: int) -> Meaning:
        return m.Number(count)

    def robot_instead(self, robot: Name) -> Meaning:
        return m.Somewhere(str(robot))

    def correct(self, instead: Any) -> Meaning:
        value = self.said(instead)
        return m.Correct(value) if isinstance(value, Meaning) else m.Refuse()

    def show(self, *parts: Any) -> Meaning:
        return m.Show(str(self._first(parts) or ""))

    # -- steering -------------------------------------------------------------------------------------------------
    def stop_all(self, *_: Any) -> Meaning:
        return m.Stop()

    def stop_robots(self, robots: Any) -> Meaning:
        return m.Stop(self._robots(robots))

    def steer_kit(self, *parts: Any) -> str:
        return str(next((p for p in parts if isinstance(p, Name) and p.kind == "kit"), ""))

    def steer_kit_noun(self, *parts: Any) -> str:
        return str(self._first(parts) or "")

    def steer_current(self, *_: Any) -> str:
        return ""

    def _steer(self, how: str, parts: tuple[Any, ...], level: str = "") -> Meaning:
        what = next((p for p in parts if isinstance(p, str) and not isinstance(p, Name)), "")
        return m.Steer(how, what, level)

    def pause(self, *parts: Any) -> Meaning:
        return self._steer("pause", parts)

    def pause_all(self, *_: Any) -> Meaning:
        return m.Steer("pause")

    def pause_robots(self, robots: Any) -> Meaning:
        return m.Steer("pause", robots=self._robots(robots))

    def resume(self, *parts: Any) -> Meaning:
        return self._steer("resume", parts)

    def resume_all(self, *_: Any) -> Meaning:
        return m.Steer("resume")

    def cancel(self, *parts: Any) -> Meaning:
        return self._steer("cancel", parts)

    def cancel_all(self, *_: Any) -> Meaning:
        return m.Steer("cancel")

    def cancel_deeds(self, wants: tuple[Want, ...]) -> Meaning:
        return m.Steer("cancel", wants[0].what)

    def prioritise(self, *parts: Any) -> Meaning:
        return self._steer("prioritise", parts, "high")

    def deprioritise(self, *parts: Any) -> Meaning:
        return self._steer("prioritise", parts, "low")

    def give_priority(self, *parts: Any) -> Meaning:
        low = "low" in self.signed.text.split() or "lower" in self.signed.text.split()
        return self._steer("prioritise", parts, "low" if low else "high")

    def hurry(self, *_: Any) -> Meaning:
        return m.Steer("prioritise", level="high")

    # -- teaching -------------------------------------------------------------------------------------------------
    def teach(self, what: str, label: str) -> Meaning:
        return m.Teach(what, label)

    def teach_unnamed(self, what: str) -> Meaning:
        return m.Teach(what)

    def teach_label(self, label: str, what: str) -> Meaning:
        return m.Teach(what, label)

    def teach_kit(self, label: str) -> Meaning:
        return m.Teach("kit", str(label))

    def quoted(self, label: Name) -> str:
        return str(label)

    def plain_label(self, *words: Name) -> str:
        return " ".join(str(w) for w in words)

    def kit_kind(self) -> str:
        return "kit"

    def task_kind(self) -> str:
        return "task"

    def skill_kind(self) -> str:
        return "skill"

    def object_kind(self) -> str:
        return "object"

    def policy_kind(self) -> str:
        return "policy"

    def _alter(self, kit: Name, how: str, things: Any, count: int | None = None) -> Meaning | None:
        many = self._things(things)
        if len(many) != 1:
            return None
        return m.Alter(str(kit), how, str(many[0]), count if count is not None else many[0].many or 1)

    def alter_add(self, things: Any, kit: Name) -> Meaning | None:
        return self._alter(kit, "add", things)

    def alter_add_kit(self, kit: Name, things: Any) -> Meaning | None:
        return self._alter(kit, "add", things)

    def alter_remove(self, things: Any, kit: Name) -> Meaning | None:
        return self._alter(kit, "remove", things)

    def alter_set(self, kit: Name, *parts: Any) -> Meaning | None:
        return self._alter(kit, "set", parts[-1])

    def alter_none(self, kit: Name, *parts: Any) -> Meaning | None:
        return self._alter(kit, "set", parts[-1], 0)

    def forget(self, label: Any) -> Meaning:
        return m.Forget(str(label))

    def forget_policy(self, number: int) -> Meaning:
        return m.Forget(f"policy {number}")

    def teach_again(self, label: Name) -> Meaning:
        return m.Teach("again", str(label))

    def forget_last(self, *_: Any) -> Meaning:
        return m.Forget()

    # -- policies, rights -----------------------------------------------------------------------------------------
    def policy(self, trigger: tuple[Claim, ...], reaction: Any) -> Meaning:
        then, person, wants = reaction
        return m.Policy(trigger, then, person, wants)

    def policy_after(self, reaction: Any, trigger: tuple[Claim, ...]) -> Meaning:
        return self.policy(trigger, reaction)

    def trigger_claims(self, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
        return claims

    def trigger_missing(self) -> tuple[Claim, ...]:
        return (Claim(m.STOCK, holds=False),)

    def trigger_jammed(self) -> tuple[Claim, ...]:
        return (Claim(m.JAMMED),)

    def trigger_shut(self) -> tuple[Claim, ...]:
        return (Claim(m.DOOR, holds=False),)

    def trigger_grasp(self) -> tuple[Claim, ...]:
        return (Claim(m.HOLD, holds=False),)

    def trigger_any(self) -> tuple[Claim, ...]:
        return ()

    def trigger_silent(self, person: Name | None = None) -> tuple[Claim, ...]:
        return (Claim(m.PRESENT, str(person or ""), holds=False),)

    def react_ask(self, person: Name) -> Any:
        return "ask", str(person), ()

    def react_retry(self) -> Any:
        return "retry", "", ()

    def react_other(self) -> Any:
        return "other robot", "", ()

    def react_give_up(self) -> Any:
        return "give up", "", ()

    def react_bring(self, person: Name) -> Any:
        return "bring", str(person), ()

    def react_deeds(self, wants: tuple[Want, ...]) -> Any:
        return "wants", "", wants

    def permit(self, person: Name, right: str, minutes: int = 0) -> Meaning:
        return m.Permit(str(person), right, True, minutes)

    def forbid(self, person: Name, right: str) -> Meaning:
        return m.Permit(str(person), right, False)

    def forbid_from(self, right: str, person: Name) -> Meaning:
        return m.Permit(str(person), right, False)

    def right_command(self, *_: Any) -> str:
        return "command"

    def right_teach(self, *_: Any) -> str:
        return "teach"

    def right_approve(self, *_: Any) -> str:
        return "approve"

    def right_stop(self, *_: Any) -> str:
        return "stop"

    def right_policy(self, *_: Any) -> str:
        return "policy"

    def right_prioritise(self, *_: Any) -> str:
        return "prioritise"

    # -- zones ----------------------------------------------------------------------------------------------------
    def close_zone(self, place: Name, robots: Any = ()) -> Meaning:
        return m.Zone(str(place), self._zoned(robots))

    def forbid_zone(self, *parts: Any) -> Meaning:
        return m.Zone(str(parts[-1]), self._zoned(parts[0] if len(parts) > 1 else ()))

    def open_zone(self, place: Name, robots: Any = ()) -> Meaning:
        return m.Zone(str(place), self._zoned(robots), False)

    def allow_zone(self, robots: Any, place: Name) -> Meaning:
        return m.Zone(str(place), self._zoned(robots), False)

    def _zoned(self, robots: Any) -> tuple[str, ...]:
        return tuple(r for r in self._robots(robots) if r != ALL)

    # -- small talk -----------------------------------------------------------------------------------------------
    def hello(self, *_: Any) -> Meaning:
        return m.Greet("hello")

    def thanks(self, *_: Any) -> Meaning:
        return m.Greet("thanks")

    def bye(self, *_: Any) -> Meaning:
        return m.Greet("bye")

    def repeat(self, *_: Any) -> Meaning:
        return m.Repeat()
