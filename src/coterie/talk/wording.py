"""Meanings in words: as a sentence that is read back into the same meaning, and in brief for tables and logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want
from coterie.talk.vocabulary import WHICH, Vocabulary, plural, spaced

_COUNTS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_ASKED = {
    "plan": "what is your plan",
    "duration": "how long will it take",
    "chance": "how likely is it to work",
    "took": "how long did it take",
    "delivered": "what have you delivered",
    "why": "why did it fail",
    "doing": "what is going on",
    "progress": "how far are you",
    "history": "what has happened",
    "changed": "what has changed",
    "taught": "what have you been taught",
    "understood": "what did you understand",
    "goals": "what are your goals",
    "who": "who is here",
    "help": "help",
    "ability": "what can you do",
    "why that": "why are you doing that",
}
SKILLS = {"open": "open doors", "carry": "carry things", "pick": "pick up things", "pack": "pack kits"}
_RIGHTS = {
    "command": "give orders",
    "teach": "teach you",
    "approve": "approve plans",
    "stop": "stop you",
    "policy": "set policies",
    "prioritise": "set priorities",
}
_POINTED = {
    "@it": "it",
    "@other": "the other one",
    "@there": "there",
    "@here": "here",
    "@me": "me",
    "@all": "all robots",
    "@same": "another one",
}


def number(count: int) -> str:
    return _COUNTS[count] if 0 <= count < len(_COUNTS) else str(count)


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
            return f"{lead} {kind}" if kind else _POINTED.get(name, "it")
        kind, phrase = self.vocabulary.kind_of(name), self.vocabulary.phrase(name)
        if kind == "robot":
            return name
        if kind == "table":
            phrase = spaced(name)
            return phrase[:-1] + phrase[-1].upper() if phrase[-2:-1] == " " else phrase
        if kind == "room":
            return phrase if phrase in ("alpha", "beta", "gamma", "delta") else f"the {phrase}"
        return f"the {phrase}"

    def some(self, name: str, count: int | None) -> str:
        """So many of a thing: "a bandage box", "two painkillers"."""
        if name.startswith("@"):
            return self.name(name)
        phrase = self.vocabulary.phrase(name)
        if count is not None and count != 1:
            return f"{number(count)} {plural(phrase)}"
        if plural(phrase) == phrase:
            return phrase
        return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"

    # -- parts ----------------------------------------------------------------------------------------------------
    def want(self, w: Want) -> str:
        where = f" to {self.name(w.where)}" if w.where else ""
        source = f" from {self.name(w.source)}" if w.source else ""
        if w.kind == m.KIT:
            return f"deliver {self.some(w.what, w.count)}{where}" if w.where else f"pack {self.some(w.what, w.count)}"
        if w.kind == m.STOCK:
            return f"bring {self.some(w.what, w.count)}{source}{where}"
        if w.kind == m.DOOR:
            return f"{'open' if w.holds else 'close'} {self.name(w.what)}"
        if w.kind == m.AT:
            return f"go{where}"
        if w.kind == m.HOLD:
            return f"pick up {self.some(w.what, w.count)}{f' from {self.name(w.where)}' if w.where else ''}"
        if w.kind == m.TASK:
            return f"do {self.vocabulary.phrase(w.what)}"
        if not w.what:
            return f"check {self.name(w.where)}"
        return f"look for {self.some(w.what, 1)}{f' on {self.name(w.where)}' if w.where else ''}"

    def claim(self, c: Claim) -> str:
        no = "" if c.holds else "not "
        at = f" at {self.name(c.where)}" if c.where else ""
        if c.kind == m.STOCK:
            what = self.vocabulary.phrase(c.what) if not c.what.startswith("@") else self.name(c.what)
            if not c.what:
                return "something is missing"
            if not c.holds:
                return f"there is no {what}{at}" if c.where else f"the {what} is missing"
            some = f"one {what}" if c.count == 1 else self.some(c.what, c.count)
            return f"there {'is' if c.count in (None, 1) else 'are'} {some}{at}"
        if c.kind == m.CLOSED:
            word = "off limits" if self.vocabulary.kind_of(c.where) == "door" else "closed"
            return f"{self.name(c.where)} is {no}{word}{f' for {self.name(c.what)}' if c.what else ''}"
        if c.kind == m.EMPTY:
            return f"{self.name(c.where)} is {no}empty"
        if c.kind == m.DOOR:
            return f"{self.name(c.what) if c.what else 'a door'} is {'open' if c.holds else 'shut'}"
        if c.kind == m.JAMMED:
            return f"{self.name(c.what) if c.what else 'a door'} is {no}jammed"
        if c.kind == m.SUPPLY:
            what = self.some(c.what, c.count) if c.holds else f"no {self.vocabulary.phrase(c.what)}"
            return f"{self.name(c.where)} has {what}"
        if c.kind == m.PRESENT:
            if not c.what:
                return "nobody answers"
            return f"{self.name(c.what)} is {'here' if c.holds else 'away'}"
        if c.kind == m.ABLE:
            if c.where:
                return f"{self.name(c.what)} cannot {SKILLS.get(c.where, c.where)}"
            return f"{self.name(c.what)} is {'working' if c.holds else 'broken'}"
        if c.kind == m.AT:
            return f"{self.name(c.what)} is{at}"
        if c.kind == m.HOLD:
            return "a grasp fails"
        return f"{self.name(c.what)} is ready"

    def _wants(self, wants: Iterable[Want]) -> str:
        return " and then ".join(self.want(w) for w in wants)

    def _claims(self, claims: Iterable[Claim]) -> str:
        return " and ".join(self.claim(c) for c in claims)

    # -- sentences ------------------------------------------------------------------------------------------------
    def sentence(self, meaning: Meaning) -> str:
        """A sentence that means this."""
        text = self._sentence(meaning)
        end = "?" if isinstance(meaning, m.Ask) and meaning.about != "help" else "."
        return text[:1].upper() + text[1:] + end

    def _sentence(self, x: Meaning) -> str:
        if isinstance(x, m.Order):
            who = f"{listed([self.name(r) for r in x.robots])} should " if x.robots else ""
            when = f"when {self._claims(x.when)} then " if x.when else ""
            less = f" without {listed([self.name(r) for r in x.without])}" if x.without else ""
            if not x.wants:
                return f"do it{less}"
            return f"{when}{who}{self._wants(x.wants)}{less}{' urgently' if x.urgent else ''}"
        if isinstance(x, m.Tell):
            return self._claims(x.claims)
        if isinstance(x, m.Ask):
            return self._question(x)
        if isinstance(x, m.Stop):
            return f"stop {listed([self.name(r) for r in x.robots])}" if x.robots else "stop"
        if isinstance(x, m.Steer):
            return self._steer(x)
        if isinstance(x, m.Teach):
            if x.what == "again":
                return f"change {self.vocabulary.phrase(x.label)}"
            if not x.what:
                return "let me teach you something"
            return f"define a new {x.what} called '{x.label}'" if x.label else f"define a new {x.what}"
        if isinstance(x, m.Alter):
            return self._alter(x)
        if isinstance(x, m.Forget):
            if not x.label:
                return "undo that"
            kit = "kit " if self.vocabulary.kind_of(x.label) == "kit" else ""
            return f"forget {x.label}" if x.label.startswith("policy ") else (
                f"forget the {kit}{self.vocabulary.phrase(x.label)}"
            )  # fmt: skip
        if isinstance(x, m.Policy):
            return f"if {self._claims(x.trigger) or 'something fails'} {self._reaction(x)}"
        if isinstance(x, m.Permit):
            time = f" for {number(x.minutes)} minutes" if x.minutes else ""
            return f"{self.name(x.person)} may {'' if x.holds else 'not '}{_RIGHTS[x.right]}{time}"
        if isinstance(x, m.Zone):
            who = f" for {listed([self.name(r) for r in x.robots])}" if x.robots else ""
            time = f" for {number(x.minutes)} minutes" if x.minutes else ""
            return f"{'close' if x.holds else 'reopen'} the zone at {self.name(x.where)}{who}{time}"
        if isinstance(x, m.Things):
            return listed([*(self.some(n, c) for n, c in x.items if n not in x.unknown), *x.unknown])
        if isinstance(x, m.Somewhere):
            return self.name(x.where)
        if isinstance(x, m.Number):
            return number(x.count)
        if isinstance(x, m.Correct):
            wrong = f", not {self.name(x.wrong)}" if x.wrong else ""
            return f"no, {self._sentence(x.instead)}{wrong}"
        if isinstance(x, m.Greet):
            words = {
                "hello": "hello",
                "thanks": "thank you",
                "bye": "goodbye",
                "no worries": "no worries",
                "unstopped": "nothing needs to stop",
                "own work": "back to work for me",
            }
            return words[x.how]
        if isinstance(x, m.Approve) and x.what:
            return f"yes plan {number(int(x.what))}" if x.what.isdigit() else "yes"
        if isinstance(x, m.Refuse) and x.what == m.LEAVE:
            return "never mind"
        if isinstance(x, m.Refuse) and x.what in (m.LATER, m.LESSON):
            return "not now" if x.what == m.LATER else "leave the lesson"
        plain = {
            m.Approve: "yes",
            m.Refuse: "no",
            m.Nothing: "nothing else",
            m.Show: "this is one",
            m.Repeat: "say that again",
        }
        return plain[type(x)]

    def _question(self, x: m.Ask) -> str:
        if x.given or x.unheard:
            return f"{self._question(replace(x, given=(), unheard=''))} {self.condition(x)}"
        robot = self.name(x.robot) if x.robot else "you"
        if x.about == "what if":
            return f"what if {self._claims(x.claims)}"
        if x.about == "why so":
            if len(x.claims) == 1 and x.claims[0].kind == m.CLOSED:
                whom = f" for {self.name(x.claims[0].what)}" if x.claims[0].what else ""
                return f"why is {self.name(x.claims[0].where)} off limits{whom}"
            return f"why is it so that {self._claims(x.claims)}"
        if x.about in ("why that", "why not") and bool(x.what) != bool(x.where) and not x.wants:
            return f"why {'not ' * (x.about == 'why not')}{self.name(x.what or x.where)}"
        if x.about == "why not" and x.what:
            return f"why do you not use {self.name(x.what)} on {self.name(x.where)}"
        if x.about == "why not" and not x.wants:
            return f"why do you not use {robot}"
        if x.about == "why not":
            return f"why did {robot} not {self._wants(x.wants)}"
        if x.about == "who can":
            return f"who can {self._skill(x)}"
        if x.about == "can":
            return f"can {robot} {self._wants(x.wants) if x.wants else self._skill(x)}"
        if x.about == "which":
            return f"which {self.which(x.claims[0])}"
        if x.about == "who said":
            return f"who said {x.what}"
        if x.about == "reaction":
            return f"what will you do when {self._claims(x.claims) or 'something fails'}"
        if x.about == "who stopped":
            return f"who stopped {robot}"
        if x.about == "where":
            return f"where is {self.name(x.what)}"
        if x.about == "how many":
            where = f"at {self.name(x.where)}" if x.where else "there"
            return f"how many {plural(self.vocabulary.phrase(x.what))} are {where}"
        if x.about == "is it so" and len(x.claims) == 1 and x.claims[0].kind == m.CLOSED:
            c = x.claims[0]
            whom = f" for {self.name(c.what)}" if c.what else ""
            if self.vocabulary.kind_of(c.where) == "door":  # which may be shut and open to everybody
                free = f"may {self.name(c.what) if c.what else 'all robots'} use {self.name(c.where)}"
                return f"is {self.name(c.where)} off limits{whom}" if c.holds else free
            return f"is {self.name(c.where)} {'closed' if c.holds else 'open'}{whom}"
        if x.about == "is it so":
            return f"is it true that {self._claims(x.claims)}"
        if x.about == "contents":
            inside = x.what.startswith("@") or self.vocabulary.kind_of(x.what) in ("kit", "caddy", "room")
            return f"what is {'in' if inside else 'on'} {self.name(x.what)}"
        if x.about == "rights":
            return f"may I {_RIGHTS[x.right]}" if x.right else "what may I do"
        if x.about == "who may":
            return f"who may {_RIGHTS[x.right]}"
        if x.about in ("ability", "doing") and x.robot:
            return f"what can {robot} do" if x.about == "ability" else f"what is {robot} doing"
        if x.about == "progress" and x.what:
            return f"how far is {self.name(x.what)}"
        if x.about == "under way":
            some = self.some(x.what, 1) if x.what else "something"
            return f"is {robot if x.robot else 'anybody'} bringing {some}{f' to {self.name(x.where)}' * bool(x.where)}"
        if x.about == "duration" and x.what:
            there = f"{self.some(x.what, 1)} to {self.name(x.where)}" if x.where else self.name(x.what)
            return f"how long will {there} take"
        if x.about == "took" and x.what:
            return f"how long did {self.name(x.what)}{f' to {self.name(x.where)}' * bool(x.where)} take"
        if x.about == "delivered" and x.what:
            return f"when was {self.name(x.what)} delivered{f' to {self.name(x.where)}' * bool(x.where)}"
        if x.about == "delivered" and x.where:
            return f"what have you delivered to {self.name(x.where)}"
        if x.about == "why that" and x.robot:
            return f"why is {robot} doing that"
        return _ASKED[x.about]

    def condition(self, x: m.Ask) -> str:
        """What a question supposes: "if table E is empty"."""
        return x.unheard if x.unheard else f"if {self._claims(x.given)}"

    def which(self, c: Claim) -> str:
        """What is asked of which of several: "doors are open"."""
        if c.kind == m.CLOSED:
            return f"places are closed{f' for {self.name(c.what)}' if c.what else ''}"
        word = {
            m.DOOR: "doors are open" if c.holds else "doors are shut",
            m.JAMMED: "doors are jammed",
            m.EMPTY: "tables are empty",
            m.ABLE: "robots are working" if c.holds else "robots are broken",
        }
        return word.get(c.kind, "people are away")

    def _skill(self, x: m.Ask) -> str:
        if not x.skill and not x.what:
            return "do it"
        if x.what and x.skill in ("open", "carry", "pick", "pack", "go"):
            verb = {"open": "open", "carry": "carry", "pick": "pick up", "pack": "pack", "go": "go to"}[x.skill]
            return f"{verb} {self.name(x.what) if x.skill in ('open', 'go') else self.some(x.what, 1)}"
        return SKILLS.get(x.skill, x.skill)

    def _steer(self, x: m.Steer) -> str:
        what = f"the order for {self.some(x.what, 1)}" if x.what else "the order"
        if x.how == "prioritise":
            return f"give {what} a {x.level} priority" if x.what or x.level == "low" else "hurry up"
        if x.how == "help":
            return "help the team"
        if x.how == "cancel" and x.what and x.level == "mine":
            return f"not {self.name(x.what)}"
        if x.how == "cancel" and x.what and self.vocabulary.kind_of(x.what) in ("door", "item", "caddy"):
            return f"cancel bringing {self.some(x.what, 1)} to {self.name(x.where)}" if x.where else (
                f"cancel {self.name(x.what)}"
            )  # fmt: skip
        if x.robots:
            return f"{listed([self.name(r) for r in x.robots])} {'continue' if x.how == 'resume' else 'wait'}"
        if x.where:
            what = f"{what} to {self.name(x.where)}"
            return f"{x.how} {what}" if x.how != "prioritise" else f"give {what} a {x.level} priority"
        if x.level == "all":
            return f"{x.how} everything"
        if x.level == "mine":
            return f"{x.how} my order"
        return f"{x.how} {what}" if x.what else {"pause": "pause", "resume": "continue", "cancel": "cancel"}[x.how]

    def _alter(self, x: m.Alter) -> str:
        kit = self.name(x.kit)
        if x.how == "set" and x.count == 0:
            return f"{kit} no longer contains {self.some(x.item, 1)}"
        if x.how == "set":
            return f"{kit} should contain {self.some(x.item, x.count)}"
        return f"{x.how} {self.some(x.item, x.count)} {'to' if x.how == 'add' else 'from'} {kit}"

    def _reaction(self, x: m.Policy) -> str:
        if x.then in ("ask", "bring"):
            person = self.name(x.person)
            return f"ask {person} first" if x.then == "ask" else f"get it from {person}"
        return {"retry": "try again", "other robot": "use another robot", "give up": "give up"}.get(
            x.then, self._wants(x.wants)
        )
