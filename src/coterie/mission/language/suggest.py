"""What somebody could have meant: everything that can be said of the names in a sentence, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coterie.mission.language.heard import Heard, heard_of
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording

#: Words that speak for a kind of meaning, by what `_key` calls it; any of them counts the same.
_CUES = {
    "ask progress": "progress far along ready status update how going",
    "order kit": "bring deliver take make pack need send",
    "pause": "pause hold wait break rest moment stop halt later",
    "resume": "resume continue again carry on back going restart unpause",
    "cancel": "cancel stop need longer anymore off abort drop never mind forget leave",
    "prioritise": "urgent first important priority top before hurry rush soon",
    "alter": "add include also contain extra more put needs",
    "contents": "what contain in on inside",
    "tell kit": "ready packed finished done is",
    "stop": "stop halt freeze still",
    "ask doing": "doing happening going now up",
    "ask where": "where find",
    "ask ability": "can able abilities skills capable",
    "ask plan": "plan plans suggest suggesting propose intend way steps",
    "ask chance": "chance chances likely sure certain risk safe work odds",
    "ask duration": "long time when soon minutes eta wait longer",
    "ask why": "why reason wrong happened failed fail",
    "ask goals": "asked ordered goals goal orders want wanted",
    "ask who": "who team people robots guys",
    "ask rights": "allowed may rights permission",
    "tell able": "broken down work working use order action",
    "ask what if": "if what suppose happen without imagine",
    "order door": "open opened need",
    "order door shut": "close shut closed lock",
    "tell door": "open is opened",
    "tell not door": "closed shut is locked",
    "ask is it so": "is are whether if there has does",
    "jammed": "jammed stuck blocked",
    "tell empty": "empty nothing cleared",
    "order stock": "bring put place get restock",
    "order look": "look find search check see where",
    "order hold": "take grab pick hold lift off",
    "tell stock": "is are there on has",
    "tell not stock": "no not gone missing out none nothing empty",
    "ask how many": "many number count how much",
    "policy": "if whenever when always every time missing fails wrong ask",
    "permit": "may allow let can okay permission right",
    "forbid": "not do no longer forbid stop",
    "present": "here back there in away",
    "things": "one two some a needs just",
    "correct": "meant sorry actually instead rather",
    "teach": "teach learn new how",
    "forget": "forget undo unlearn lesson scratch",
    "repeat": "again repeat say pardon catch",
    "approve": "yes ok okay ahead fine",
    "refuse": "no nope rather",
    "zone": "nobody not never away off keep close near enter avoid stay closed out",
    "greet": "hello thanks bye good day see thank",
}


def suggestions(sentence: str, vocabulary: Vocabulary, most: int = 4) -> list[Meaning]:
    """Meanings with the names of a sentence, those first whose words it shares; none that shares neither."""
    heard = heard_of(sentence, vocabulary, sentence.rstrip().endswith("?"))
    words = set(re.findall(r"[a-z']+", heard.text))
    rated = []
    for i, meaning in enumerate(dict.fromkeys(_meanings(heard))):
        key = _key(meaning)
        cues = set(_CUES.get(key, "").split())
        named = {n for n in _names(meaning)} & {n for _, n, _ in heard.names}
        asks = 0.5 if heard.asked == isinstance(meaning, m.Ask) else 0.0
        shared = 2.0 * len(named) + len(words & cues)
        undone = (
            heard.negated and isinstance(meaning, m.Order) and not heard.asked
        )  # "do not bring ..." wants nothing done
        if shared and not undone:
            rated.append((-(shared + asks), i, meaning))
    return [meaning for _, _, meaning in sorted(rated, key=lambda r: r[:2])[:most]]


def _names(meaning: Meaning) -> list[str]:
    text = str(meaning.to_json())
    return re.findall(r"'([A-Za-z]\w*)'", text)


def _key(x: Meaning) -> str:
    if isinstance(x, m.Order):
        w = x.wants[0]
        return f"order {w.kind}{'' if w.holds else ' shut'}"
    if isinstance(x, m.Tell):
        c = x.claims[0]
        if c.kind in (m.JAMMED, m.PRESENT):
            return c.kind
        return f"tell {'not ' if not c.holds and c.kind in (m.DOOR, m.STOCK) else ''}{c.kind}"
    if isinstance(x, m.Ask):
        return "contents" if x.about == "contents" else f"ask {x.about}"
    if isinstance(x, m.Steer):
        return x.how
    if isinstance(x, m.Permit):
        return "permit" if x.holds else "forbid"
    return type(x).__name__.lower()


def _meanings(h: Heard) -> Iterator[Meaning]:
    kit, robot, door, room = h.one("kit"), h.one("robot"), h.one("door"), h.one("room")
    item, table, person, caddy = h.one("item"), h.one("table"), h.one("person"), h.one("caddy")
    count = h.many(item)
    if kit:
        yield m.Order((Want(m.KIT, kit, room, h.many(kit)),), (robot,) if robot else ())
        yield m.Ask("progress", what=kit)
        for how in ("cancel", "pause", "resume"):
            yield m.Steer(how, kit)
        yield m.Steer("prioritise", kit, "high")
        yield m.Tell((Claim(m.KIT, kit),))
        yield m.Correct(m.Things(((kit, 1),)))
        for other in h.of("item"):
            yield m.Alter(kit, "add", other, h.many(other))
            yield m.Alter(kit, "remove", other, h.many(other))
        if door:
            yield m.Order((Want(m.DOOR, door), Want(m.KIT, kit, room)))
            yield m.Order((Want(m.KIT, kit, room), Want(m.DOOR, door)))
    if door:
        yield m.Order((Want(m.DOOR, door),))
        yield m.Order((Want(m.DOOR, door, holds=False),))
        for holds in (True, False):
            yield m.Tell((Claim(m.DOOR, door, holds=holds),))
        yield m.Ask("is it so", claims=(Claim(m.DOOR, door),))
        yield m.Tell((Claim(m.JAMMED, door),))
    if robot and not kit:
        yield m.Ask("doing", robot=robot)
        yield m.Stop((robot,))
        yield m.Steer("pause", robots=(robot,))
        yield m.Tell((Claim(m.ABLE, robot, holds=False),))
        yield m.Tell((Claim(m.ABLE, robot, "open", holds=False),))
        yield m.Ask("what if", claims=(Claim(m.ABLE, robot, holds=False),))
        yield m.Ask("ability", robot=robot)
        if room or table:
            yield m.Ask("is it so", claims=(Claim(m.AT, robot, room or table),))
            yield m.Order((Want(m.AT, "", room or table),), (robot,))
    if item:
        if table:
            yield m.Order((Want(m.STOCK, item, table, count, source=person),))
            yield m.Order((Want(m.LOOK, item, table),))
            yield m.Order((Want(m.HOLD, item, table, count),))
            yield m.Tell((Claim(m.STOCK, item, table, h.count(item)),))
            yield m.Tell((Claim(m.STOCK, item, table, holds=False),))
            yield m.Ask("how many", what=item, where=table)
            yield m.Order((Want(m.STOCK, item, table, count),), (), (Claim(m.EMPTY, "", table),))
            yield m.Policy((Claim(m.EMPTY, "", table),), "wants", "", (Want(m.STOCK, item, table, count),))
        yield m.Order((Want(m.LOOK, item),))
        yield m.Ask("where", what=item)
        if person:
            yield m.Policy((Claim(m.STOCK, item, holds=False),), "bring", person)
        things = tuple((n, 1 if c is None else c) for k, n, c in h.names if k in ("item", "caddy"))
        yield m.Things(things)
    elif caddy:
        yield m.Things(((caddy, h.many(caddy)),))
    if table or room:
        yield m.Zone(table or room, (robot,) if robot else ())
    if table and not item:
        yield m.Ask("contents", what=table)
        yield m.Tell((Claim(m.EMPTY, "", table),))
        yield m.Ask("is it so", claims=(Claim(m.EMPTY, "", table),))
        yield m.Correct(m.Somewhere(table))
    if person:
        for right in ("approve", "teach", "command"):
            for holds in (True, False):
                yield m.Permit(person, right, holds)
        for holds in (True, False):
            yield m.Tell((Claim(m.PRESENT, person, holds=holds),))
        yield m.Policy((Claim(m.STOCK, holds=False),), "ask", person)
        yield m.Policy((), "ask", person)
    if not h.names:
        yield m.Policy((Claim(m.HOLD, holds=False),), "other robot")
        yield m.Policy((Claim(m.HOLD, holds=False),), "retry")
        if h.has("me"):
            yield m.Policy((Claim(m.JAMMED),), "ask", "@me")
        if h.has("kit|teach|learn|define|new"):
            yield m.Teach("kit", "firstaid")
        yield m.Stop()
        for about in ("why", "duration", "ability", "plan", "doing", "chance", "progress", "goals", "who", "rights"):
            yield m.Ask(about)
        yield from (m.Approve(), m.Refuse(), m.Forget(), m.Repeat(), m.Steer("cancel"))
        yield from (m.Greet(), m.Greet("thanks"), m.Greet("bye"))
        if h.numbers:
            yield m.Number(h.numbers[0])


def sentences_for(sentence: str, vocabulary: Vocabulary, most: int = 4) -> list[str]:
    wording = Wording(vocabulary)
    return [wording.sentence(x) for x in suggestions(sentence, vocabulary, most)]
