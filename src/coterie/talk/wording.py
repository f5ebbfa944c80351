"""Meanings in words: sentences that are read back into the same meaning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want
from coterie.talk.vocabulary import NUMBERS, WHICH, Vocabulary, plural, spaced

_MOST_IN_WORDS = 12
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
    "amount": "how many do you want",
    "compare": "which plan is better",
    "when": "when is it due",
}
#: Questions about what is named in them.
_NAMED = {
    "what if": "what if {claims}",
    "who can": "who can {skill}",
    "who said": "who said {said}",
    "who stopped": "who stopped {robot}",
    "where": "where is {what}",
    "who may": "who may {right}",
    "may": "may {what} {right}",
    "ability": "what can {robot} do",
    "battery": "how much charge does {robot} have",
    "who did": "who made it so that {claims}",
    "progress": "how far is {what}",
    "when": "when is {what} due",
}
_FIXED = {
    m.Nothing: "nothing else",
    m.Show: "this is one",
    m.Repeat: "say that again",
    m.Ambiguous: "one of several things",
    m.Remark: "nothing to be done",
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
_STEERED = {
    "pause": "pause",
    "resume": "continue",
    "cancel": "cancel",
    "keep": "keep it going",
    "retry": "try again",
    "slow": "go slowly",
}
#: Wants that are about a thing and a place, with the words between them.
_MOVED = {
    m.PUT: ("put", "into"),
    m.TAKE_OUT: ("take", "out of"),
    m.GIVE: ("give", "to"),
    m.DROP: ("let go of", ""),
    m.FOLLOW: ("follow", ""),
    m.CLEAR: ("clear", ""),
    m.TIDY: ("tidy up", ""),
    m.HOME: ("go home", ""),
    m.CHARGE: ("go charging", ""),
    m.MESSAGE: ("tell it to", ""),
    m.SAME: ("do the same", "at"),
}
_TIMES = {"at": "at", "by": "by", "daily": "daily at", "within": "within", "after": "after", "every": "every"}


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
            return f"{lead} {kind}" if kind else _POINTED.get(name, "it")
        kind, phrase = self.vocabulary.kind_of(name), self.vocabulary.phrase(name)
        if kind == "robot":
            return name
        if kind == "table":
            phrase = spaced(name)
            return phrase[:-1] + phrase[-1].upper() if phrase[-2:-1] == " " else f"the {phrase}"
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
        return f"{'an' if phrase.startswith(tuple('aeiou')) else 'a'} {phrase}"

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
        if w.kind in _MOVED:
            return self._moved(w)
        if not w.what:
            return f"check {self.name(w.where)}"
        return f"look for {self.some(w.what, 1)}{f' on {self.name(w.where)}' if w.where else ''}"

    def _moved(self, w: Want) -> str:
        verb, between = _MOVED[w.kind]
        person = self.vocabulary.kind_of(w.what) in ("person", "robot")
        what = [self.name(w.what) if person else self.some(w.what, w.count)] if w.what else []
        where = [f"{between} {self.name(w.where)}".strip()] if w.where else []
        return " ".join([verb, *what, *where])

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
        if c.kind == m.BROUGHT:
            return f"I have put {self.some(c.what, c.count or 1)}{at}"
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
        if c.kind in (m.PRESENT, m.ABLE):
            return self._body(c)
        if c.kind == m.AT:
            return f"{self.name(c.what)} is{at}"
        if c.kind == m.HOLD:
            return "a grasp fails"
        if c.kind in (m.HAZARD, m.LOW):
            some = f"few {plural(self.vocabulary.phrase(c.what))} left" if c.what else "few things left"
            return f"there is {no}{'a danger' if c.kind == m.HAZARD else some}{at}"
        return f"{self.name(c.what)} is ready"

    def _body(self, c: Claim) -> str:
        """That a person is here, or a robot able."""
        if c.kind == m.PRESENT:
            return f"{self.name(c.what)} is {'here' if c.holds else 'away'}" if c.what else "nobody answers"
        if c.where:
            return f"{self.name(c.what)} cannot {SKILLS.get(c.where, c.where)}"
        return f"{self.name(c.what)} is {'working' if c.holds else 'broken'}"

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
        made: str = _FIXED.get(type(x)) or getattr(self, f"_{type(x).__name__.lower()}")(x)
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
        return f"{_TIMES.get(x.how, x.how)} {x.clock or f'{number(x.minutes)} minutes'}"

    def _names(self, names: Iterable[str]) -> str:
        return listed([self.name(n) for n in names])

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
        if not x.label:
            return "undo that"
        kit = "kit " if self.vocabulary.kind_of(x.label) == "kit" else ""
        return f"forget {x.label}" if x.label.startswith("policy ") else (
            f"forget the {kit}{self.vocabulary.phrase(x.label)}"
        )  # fmt: skip

    def _policy(self, x: m.Policy) -> str:
        return f"if {self._claims(x.trigger) or 'something fails'} {self._reaction(x)}"

    def _permit(self, x: m.Permit) -> str:
        time = f" for {number(x.minutes)} minutes" if x.minutes else ""
        robot = f" for {self.name(x.robot)}" if x.robot else ""
        return f"{self.name(x.person)} may {'' if x.holds else 'not '}{_RIGHTS[x.right]}{robot}{time}"

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
        return {"thanks": "thank you", "bye": "goodbye"}.get(x.how, x.how)

    def _approve(self, x: m.Approve) -> str:
        return f"yes plan {number(int(x.what))}" if x.what.isdigit() else f"yes {x.what}".rstrip()

    def _refuse(self, x: m.Refuse) -> str:
        return {m.LEAVE: "never mind", m.LATER: "not now", m.LESSON: "leave the lesson"}.get(x.what, "no")

    def _unknown(self, x: m.Unknown) -> str:
        return f"something with {x.name}"

    def _ask(self, x: m.Ask) -> str:
        made, form = getattr(self, f"_ask_{x.about.replace(' ', '_')}", None), _NAMED.get(x.about, "")
        found: str = made(x) if made is not None else ""
        if form and (x.what or "{what}" not in form):
            what, right = self.name(x.what), _RIGHTS.get(x.right, "")
            slots = {"what": what, "said": x.what, "right": right, "skill": self._skill(x), "robot": self._robot(x)}
            found = form.format(claims=self._claims(x.claims), **slots)
        return found or _ASKED.get(x.about) or m.QUESTIONS[x.about].partition(" [")[0]

    def _robot(self, x: m.Ask) -> str:
        return self.name(x.robot) if x.robot else "you"

    def _ask_why_so(self, x: m.Ask) -> str:
        if len(x.claims) == 1 and x.claims[0].kind == m.CLOSED:
            return f"why is {self._off_limits(x.claims[0])}"
        return f"why is it so that {self._claims(x.claims)}"

    def _off_limits(self, c: Claim) -> str:
        return f"{self.name(c.where)} off limits{f' for {self.name(c.what)}' if c.what else ''}"

    def _ask_why_that(self, x: m.Ask) -> str:
        if bool(x.what) != bool(x.where) and not x.wants:
            return f"why {self.name(x.what or x.where)}"
        return f"why is {self._robot(x)} doing that" if x.robot else ""

    def _ask_why_not(self, x: m.Ask) -> str:
        if bool(x.what) != bool(x.where) and not x.wants:
            return f"why not {self.name(x.what or x.where)}"
        if x.what:
            return f"why do you not use {self.name(x.what)} on {self.name(x.where)}"
        return f"why did {self._robot(x)} not {self._wants(x.wants)}" if x.wants else (
            f"why do you not use {self._robot(x)}"
        )  # fmt: skip

    def _ask_can(self, x: m.Ask) -> str:
        return f"can {self._robot(x)} {self._wants(x.wants) if x.wants else self._skill(x)}"

    def _ask_which(self, x: m.Ask) -> str:
        return f"which {self.which(x.claims[0])}"

    def _ask_reaction(self, x: m.Ask) -> str:
        return f"what will you do when {self._claims(x.claims) or 'something fails'}"

    def _ask_how_many(self, x: m.Ask) -> str:
        where = f"at {self.name(x.where)}" if x.where else "there"
        what = plural(self.vocabulary.phrase(x.what)) if not x.what.startswith("@") else "of them"
        return f"how many {what} are {where}"

    def _ask_is_it_so(self, x: m.Ask) -> str:
        if len(x.claims) != 1 or x.claims[0].kind != m.CLOSED:
            return f"is it true that {self._claims(x.claims)}"
        c = x.claims[0]
        if self.vocabulary.kind_of(c.where) == "door":  # which may be shut and open to everybody
            free = f"may {self.name(c.what) if c.what else 'all robots'} use {self.name(c.where)}"
            return f"is {self._off_limits(c)}" if c.holds else free
        whom = f" for {self.name(c.what)}" if c.what else ""
        return f"is {self.name(c.where)} {'closed' if c.holds else 'open'}{whom}"

    def _ask_contents(self, x: m.Ask) -> str:
        inside = x.what.startswith("@") or self.vocabulary.kind_of(x.what) in ("kit", "caddy", "room")
        return f"what is {'in' if inside else 'on'} {self.name(x.what)}"

    def _ask_rights(self, x: m.Ask) -> str:
        return f"may I {_RIGHTS[x.right]}" if x.right else "what may I do"

    def _ask_doing(self, x: m.Ask) -> str:
        return f"what is {self._robot(x)} doing" if x.robot else ""

    def _ask_under_way(self, x: m.Ask) -> str:
        some = self.some(x.what, 1) if x.what else "something"
        who = self._robot(x) if x.robot else "anybody"
        return f"is {who} bringing {some}{f' to {self.name(x.where)}' * bool(x.where)}"

    def _ask_duration(self, x: m.Ask) -> str:
        if not x.what:
            return ""
        there = f"{self.some(x.what, 1)} to {self.name(x.where)}" if x.where else self.name(x.what)
        return f"how long will {there} take"

    def _ask_took(self, x: m.Ask) -> str:
        return f"how long did {self.name(x.what)}{f' to {self.name(x.where)}' * bool(x.where)} take" * bool(x.what)

    def _ask_delivered(self, x: m.Ask) -> str:
        if x.what:
            return f"when was {self.name(x.what)} delivered{f' to {self.name(x.where)}' * bool(x.where)}"
        return f"what have you delivered to {self.name(x.where)}" if x.where else ""

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
        if x.robots or x.but:
            who = self._names(x.robots) if x.robots else f"all but {self._names(x.but)}"
            return f"{who} {'wait' if x.how == 'pause' else _STEERED[x.how]}"
        if x.where:
            what = f"{what} to {self.name(x.where)}"
            return f"{x.how} {what}" if x.how != "prioritise" else f"give {what} a {x.level} priority"
        if x.level == "all":
            return f"{x.how} everything"
        if x.level == "mine":
            return f"{x.how} my order"
        return f"{x.how} {what}" if x.what else _STEERED[x.how]

    def _alter(self, x: m.Alter) -> str:
        kit = self.name(x.kit)
        if x.how == "set" and x.count == 0:
            return f"{kit} no longer contains {self.some(x.item, 1)}"
        if x.how == "set":
            return f"{kit} should contain {self.some(x.item, x.count)}"
        if x.how == "swap":
            return f"swap {self.name(x.item)} for {self.some(x.other, x.count)} in {kit}"
        return f"{x.how} {self.some(x.item, x.count)} {'to' if x.how == 'add' else 'from'} {kit}"

    def _reaction(self, x: m.Policy) -> str:
        if x.then in ("ask", "bring"):
            person = self.name(x.person)
            return f"ask {person} first" if x.then == "ask" else f"get it from {person}"
        words = {"retry": "try again", "other robot": "use another robot", "give up": "give up", "wait": "wait"}
        return words.get(x.then) or self._wants(x.wants)
