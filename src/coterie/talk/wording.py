"""Meanings in words: sentences that are read back into the same meaning, by the forms of `forms.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.forms import filled, forms
from coterie.talk.meanings import Claim, Meaning, Want
from coterie.talk.vocabulary import NUMBERS, WHICH, Vocabulary, plural, spaced

_MOST_IN_WORDS = 12


def number(count: int) -> str:
    return NUMBERS[count] if 0 <= count <= _MOST_IN_WORDS else str(count)


def upper(words: str) -> str:
    """Words as a sentence begins; names within them stay as they are."""
    return words[:1].upper() + words[1:]


def listed(parts: Sequence[str]) -> str:
    """One, two and three."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else ""


class Wording:
    """Sentences in the words of a vocabulary."""

    def __init__(self, vocabulary: Vocabulary):
        self.vocabulary = vocabulary

    # -- names ----------------------------------------------------------------------------------------------------
    def name(self, name: str) -> str:
        """A name with its article, as people say it."""
        if name.startswith("@"):
            base, _, kind = name.partition(" ")
            lead = {"@it": "that", WHICH: "the"}.get(base, "the other")
            return f"{lead} {kind}" if kind else str(forms()["pointed"].get(name, "it"))
        kind, phrase = self.vocabulary.kind_of(name), self.vocabulary.phrase(name)
        if kind == "robot":
            return name
        if kind == "table":
            phrase = spaced(name)
            return phrase[:-1] + phrase[-1].upper() if phrase[-2:-1] == " " else f"the {phrase}"
        if kind == "room":
            return phrase if phrase in ("alpha", "beta", "gamma", "delta") else f"the {phrase}"
        return f"the {phrase}"

    def some(self, name: str, count: int | None, more: bool = False) -> str:
        """So many of a thing, or so many `more`: "a bandage box", "two painkillers", "two more painkillers"."""
        if name.startswith("@"):
            return self.name(name)
        phrase = self.vocabulary.phrase(name)
        if more and count is not None:
            return f"{number(count)} more {phrase if count == 1 else plural(phrase)}"
        if count is not None and count != 1:
            return f"{number(count)} {plural(phrase)}"
        if plural(phrase) == phrase:
            return phrase
        return f"{'an' if phrase.startswith(tuple('aeiou')) else 'a'} {phrase}"

    def _names(self, names: Iterable[str]) -> str:
        return listed([self.name(n) for n in names])

    # -- forms ----------------------------------------------------------------------------------------------------
    def _said(self, table: str, key: str, x: Any, **more: str) -> str:
        """Words for something, by the forms for its kind."""
        return filled(table, key, {**self._slots(x), **more}, getattr(x, "holds", True), "{what} is ready")

    def _slots(self, x: Any) -> dict[str, str]:
        """The names of something, as forms say them; empty where there is none."""
        fields = ("what", "where", "source", "robot", "person", "kit", "item")
        found = {f: self.name(name) if (name := getattr(x, f, "")) else "" for f in fields}
        what, count = getattr(x, "what", ""), getattr(x, "count", 1)
        if not what:
            return {**found, **dict.fromkeys(("some", "a", "one", "phrase", "thing", "many", "body"), "")}
        phrase, pointed = self.vocabulary.phrase(what), what.startswith("@")
        found |= {"some": self.some(what, count, getattr(x, "more", False)), "a": self.some(what, 1), "phrase": phrase}
        found |= {"thing": found["what"] if pointed else phrase, "many": "of them" if pointed else plural(phrase)}
        found["one"] = f"one {found['thing']}" if count == 1 else found["some"]
        named = self.vocabulary.kind_of(what) in ("person", "robot")
        return {**found, "body": found["what"] if named else found["some"]}

    # -- parts ----------------------------------------------------------------------------------------------------
    def want(self, w: Want) -> str:
        return self._said("wants", w.kind, w)

    def claim(self, c: Claim) -> str:
        ability = forms()["skills"].get(c.where, c.where) if c.kind == m.ABLE else ""
        shut = "off limits" if self.vocabulary.kind_of(c.where) == "door" else "closed"
        alone = self.vocabulary.phrase(c.what)
        verb = "is" if c.count == 1 or (c.count is None and plural(alone) != alone) else "are"
        return self._said("claims", c.kind, c, ability=ability, shut=shut, **{"is": verb if c.what else ""})

    def _wants(self, wants: Iterable[Want]) -> str:
        return " and then ".join(self.want(w) for w in wants)

    def _claims(self, claims: Iterable[Claim]) -> str:
        return " and ".join(self.claim(c) for c in claims)

    # -- sentences ------------------------------------------------------------------------------------------------
    def sentence(self, meaning: Meaning) -> str:
        """A sentence that means this."""
        end = "?" if isinstance(meaning, m.Ask) and meaning.about != "help" else "."
        return upper(self._sentence(meaning)) + end

    def _sentence(self, x: Meaning) -> str:
        kind = type(x).__name__.lower()
        made: str = forms()["others"].get(kind) or getattr(self, f"_{kind}")(x)
        return made

    def _order(self, x: m.Order) -> str:
        who = f"{self._names(x.robots)} should " if x.robots else ""
        when = f"when {self._claims(x.when)} then " if x.when else ""
        less = f" without {self._names(x.without)}" if x.without else ""
        more = f" with {listed([self.some(n, c) for n, c in x.extra])}" if x.extra else ""
        if not x.wants:
            return f"{who or 'do '}{'do ' * bool(who)}it{less}"
        wants = f"one of: {', '.join(self.want(w) for w in x.wants)}" if x.any_of else self._wants(x.wants)
        later = " later" * x.later + (f" {self._time(x.time)}" if x.time is not None else "")
        return f"{when}{who}{wants}{more}{less}{later}{' urgently' if x.urgent else ''}"

    @staticmethod
    def _time(x: m.Time) -> str:
        return f"{x.how}{' at' * (x.how == 'daily')} {x.clock or f'{number(x.minutes)} minutes'}"

    def _tell(self, x: m.Tell) -> str:
        return self._claims(x.claims)

    def _stop(self, x: m.Stop) -> str:
        but = f" all but {self._names(x.but)}" if x.but else ""
        return f"stop {self._names(x.robots)}" if x.robots else f"stop{but}"

    def _teach(self, x: m.Teach) -> str:
        if x.what == "again":
            return f"change {self.vocabulary.phrase(x.label)}"
        if not x.what:
            return "let me teach you something"
        return f"define a new {x.what} called '{x.label}'" if x.label else f"define a new {x.what}"

    def _forget(self, x: m.Forget) -> str:
        if not x.label or x.label.startswith("policy "):
            return f"forget {x.label}" if x.label else "undo that"
        kit = "kit " if self.vocabulary.kind_of(x.label) == "kit" else ""
        return f"forget the {kit}{self.vocabulary.phrase(x.label)}"

    def _policy(self, x: m.Policy) -> str:
        reaction = self._said("reactions", x.then, x, wants=self._wants(x.wants))
        return f"if {self._claims(x.trigger) or 'something fails'} {reaction}"

    def _permit(self, x: m.Permit) -> str:
        time = f" for {number(x.minutes)} minutes" if x.minutes else ""
        robot = f" for {self.name(x.robot)}" if x.robot else ""
        return f"{self.name(x.person)} may {'' if x.holds else 'not '}{forms()['rights'][x.right]}{robot}{time}"

    def _zone(self, x: m.Zone) -> str:
        who = f" for {self._names(x.robots)}" if x.robots else f" for all but {self._names(x.but)}" if x.but else ""
        time = f" for {number(x.minutes)} minutes" if x.minutes else f" until {x.until}" if x.until else ""
        return f"{'close' if x.holds else 'reopen'} the zone at {self.name(x.where)}{who}{time}"

    def _things(self, x: m.Things) -> str:
        return listed([*(self.some(n, c) for n, c in x.items if n not in x.unknown), *x.unknown])

    def _somewhere(self, x: m.Somewhere) -> str:
        return self.name(x.where)

    def _number(self, x: m.Number) -> str:
        return number(x.count)

    def _correct(self, x: m.Correct) -> str:
        wrong = f", not {self.name(x.wrong)}" if x.wrong else ""
        return f"no, {self._sentence(x.instead)}{wrong}"

    def _greet(self, x: m.Greet) -> str:
        return str(forms()["others"].get(x.how, x.how))

    def _approve(self, x: m.Approve) -> str:
        return f"yes plan {number(int(x.what))}" if x.what.isdigit() else f"yes {x.what}".rstrip()

    def _refuse(self, x: m.Refuse) -> str:
        return str(forms()["others"].get(x.what, "no"))

    def _unknown(self, x: m.Unknown) -> str:
        return f"something with {x.name}"

    def _ask(self, x: m.Ask) -> str:
        if x.about == "is it so":
            return self._whether(x)
        robot, one = self.name(x.robot) if x.robot else "", x.claims[0] if len(x.claims) == 1 else None
        inside = x.what.startswith("@") or self.vocabulary.kind_of(x.what) in ("kit", "caddy", "room")
        alone = self.name(x.what or x.where) if bool(x.what) != bool(x.where) and not x.wants else ""
        off_limits = self._off_limits(one) if one is not None and one.kind == m.CLOSED else ""
        more = {"who": robot or "you", "anybody": robot or "anybody", "alone": alone, "off_limits": off_limits}
        more |= {"something": self.some(x.what, 1) if x.what else "something", "in": "in" if inside else "on"}
        more |= {"claims": self._claims(x.claims), "wants": self._wants(x.wants), "skill": self._skill(x)}
        more |= {"right": forms()["rights"].get(x.right, ""), "which": self.which(one) if one is not None else ""}
        return self._said("asks", x.about, x, raw=x.what, **more)

    def _off_limits(self, c: Claim) -> str:
        return f"{self.name(c.where)} off limits{f' for {self.name(c.what)}' if c.what else ''}"

    def _whether(self, x: m.Ask) -> str:
        """The words for whether something is so; whether a place is closed has words of its own."""
        if len(x.claims) != 1 or x.claims[0].kind != m.CLOSED:
            return f"is it true that {self._claims(x.claims)}"
        c = x.claims[0]
        if self.vocabulary.kind_of(c.where) == "door":  # which may be shut and open to everybody
            free = f"may {self.name(c.what) if c.what else 'all robots'} use {self.name(c.where)}"
            return f"is {self._off_limits(c)}" if c.holds else free
        whom = f" for {self.name(c.what)}" if c.what else ""
        return f"is {self.name(c.where)} {'closed' if c.holds else 'open'}{whom}"

    def which(self, c: Claim) -> str:
        """The claim that a question asks for of several: "doors are open"."""
        return self._said("which", c.kind if c.kind in forms()["which"] else m.PRESENT, c)

    def _skill(self, x: m.Ask) -> str:
        if not x.skill and not x.what:
            return "do it"
        if x.what and x.skill in forms()["skills_of"]:
            return self._said("skills_of", x.skill, x)
        return str(forms()["skills"].get(x.skill, x.skill))

    def _steer(self, x: m.Steer) -> str:
        what, plain = f"the order for {self.some(x.what, 1)}" if x.what else "the order", forms()["steers"].get(x.how)
        if x.how == "prioritise":
            return f"give {what} a {x.level} priority" if x.what or x.level == "low" else "hurry up"
        if x.how == "cancel" and x.what and x.level == "mine":
            return f"not {self.name(x.what)}"
        if x.how == "cancel" and x.what and self.vocabulary.kind_of(x.what) in ("door", "item", "caddy"):
            somewhere = f"bringing {self.some(x.what, 1)} to {self.name(x.where)}"
            return f"cancel {somewhere if x.where else self.name(x.what)}"
        if x.how != "help" and (x.robots or x.but):
            who = self._names(x.robots) if x.robots else f"all but {self._names(x.but)}"
            return f"{who} {'wait' if x.how == 'pause' else plain}"
        whole = {"all": "everything", "mine": "my order"}.get(x.level, what if x.what else "")
        whole = f"{what} to {self.name(x.where)}" if x.where else whole
        return f"{x.how} {whole}" if whole and x.how != "help" else str(plain)

    def _alter(self, x: m.Alter) -> str:
        how = "none" if x.how == "set" and x.count == 0 else x.how
        items = {"items": self.some(x.item, x.count), "an_item": self.some(x.item, 1)}
        return self._said("alters", how, x, others=self.some(x.other, x.count), **items)
