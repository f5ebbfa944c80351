"""Frames of guesses: each looks at a sentence and says what it would mean, or nothing. The first that does counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from coterie.mission.language import meanings as m
from coterie.mission.language.heard import Heard
from coterie.mission.language.meanings import Claim, Meaning, Want
from coterie.mission.language.understand import known_words

_BRING = (
    r"bring\w*|deliver\w*|take|taken|carr\w+|get|getting|fetch\w*|send|sent|put|plac\w+|"
    r"drop\w*|transport\w*|mov\w+|stock|restock\w*|hand|give|goes|go"
)  # fmt: skip
_MISSING = (
    "missing|gone|run(?:s|ning)? out(?: of)?|ran out(?: of)?|out of(?! order| action)|"
    r"is not there|are not there|not there|cannot find|no longer there|none|lack\w*|used up|"
    "not in stock|out of stock"
)  # fmt: skip
_BROKEN = (
    "broken|broken down|breaks(?: down)?|broke(?: down)?|break(?:s|ing)? down|out of order|"
    "out of action|out of service|not working|does not work|stopped working|stops working|"
    "stop working|defective|unavailable|down|not available|fails|failed|without|not usable|"
    "cannot use|dead"
)  # fmt: skip
_OPEN = "open|opened|opens|opening|unlocked|unlock|ajar"
_SHUT = "shut|close|closed|closing|shuts|lock|locked"
_JAM = (
    "jammed|jams|jam|stuck|blocked|sticks|wedged|will not open|does not open|cannot be opened|would not open|"
    "refuses to open|will not budge|does not move"
)
#: Somebody has done it already: "I put two boxes on table E", "someone moved it".
_PAST = (
    r"(?:i|we|he|she|they|somebody|someone|anybody|who|«p\d+»|the «p\d+») (?:have |has |had )?(?:just |already )?"
    r"(?:put|moved|placed|left|brought|dropped|laid|took|taken|removed|found|saw|seen|stocked|restocked|delivered|packed)|"
    r"(?:was|were|been|got) (?:put|moved|placed|left|brought|dropped|taken|removed)"
)
_EMPTY = "empty|cleared|bare|nothing|clear"
_FAIL = (
    r"fail\w*|go(?:es)? wrong|went wrong|trouble|problems?|errors?|difficult\w+|"
    "break(?:s|ing)? down|mishap|anything unexpected"
)
_ALWAYS = "whenever|every time|each time|any time|anytime|always|as a rule|no matter|from now on|in future|in general"
_ASK = (
    r"ask|asked|ask(?:ing)?|check with|turn to|contact|consult\w*|tell|inform(?:ed)?|notif(?:y|ied)|call|called|told|"
    "talk to|speak to|come to|let|go to|report to|get in touch"
)
_WISH = (
    "i need|we need|i want|we want|i would like|we would like|make sure|see that|see to it|"
    "needs|should|must|let|have|please|get"
)
_IF = "if|when|once|in case|in case of|as soon as|after|means|in the event" + "|" + _ALWAYS
_WONDER = (
    "tell me|i am wondering|i wonder|wondering|do you know|can you tell|could you tell|i would like to know|let me know"
)
_CARRY = (
    r"bring\w*|deliver\w*|take|taken|carr\w+|get|getting|fetch\w*|send|sent|put|plac\w+|"
    r"drop\w*"
)

#: How an order begins once politeness is gone.
_DO = (
    "can you (?!tell|give)|will you|open|close|shut|bring|get|take|put|place|ask|look|"
    "have a look|having|find|search|locate|check(?! whether| if)|go|grab|pick|pack|make|"
    "deliver|carry|fetch|send|drop|move|give|stop|pause|hold|wait|interrupt|cancel|resume|"
    "continue|add|let|try|hand|start|looking|opening|bringing|taking|getting|putting"
)


def _question(h: Heard) -> bool:
    if h.asked and not h.begins(_DO):
        return True
    return h.begins(
        _WONDER,
        "how|what|where|who|why|which|when will|is|are|does|do you|has|have you",
    ) or h.has("right$|is it not$|is not it$|tell me|wondering|wonder")


# -- teaching and rights ----------------------------------------------------------------------------------------------
def _kit_told(h: Heard) -> Meaning | None:
    """ "An eyekit is a caddy with two gloves": somebody begins to tell of a kit that nobody knows."""
    new = re.match(r"(?:an? |the |my |our )?((?!it\b|there\b|this\b|that\b)[a-z]{3,}(?: kit)?) "
                   r"(?:is|are|consists of|contains|has|means|needs|should contain)\b.*«[ic]\d", h.text)  # fmt: skip
    if new is None or h.asked or h.of("kit", "room", "table", "robot", "person", "door") or new[1] in known_words():
        return None
    return m.Teach("kit", new[1])


def _teach(h: Heard) -> Meaning | None:
    if not h.has(r"teach\w*|learn\w*|define|show you how|train you|explain|introduce") or h.of("person", "kit"):
        return None
    kind = (
        "kit" if h.has("kit") else "skill" if h.has("skill|procedure") else "object" if h.has("object|item") else "task"
    )
    label = h.labels[0] if h.labels else ""
    is_one = re.search(r"what (?:an? |the )?([a-z]+(?: [a-z]+)?) is$", h.text)
    if not label and is_one:
        label = is_one[1]
    if not label:
        found = re.search(
            r"(?:called|named|how to do|how to|the task of|task|skill|kit|known as|to)\s+"
            r"((?!of\b|called\b|named\b|how\b|teach\b|is\b|do\b|you\b)(?:the )?[a-z]+(?: (?!is\b)[a-z]+){0,2})$",
            h.text,
        )
        label = found[1].removeprefix("the ") if found else ""
    return (
        m.Teach(kind, label)
        if label and h.has(r"explain|introduce|new|teach\w*|learn|define|train you|how to|called|named|task")
        else None
    )


def _permit(h: Heard) -> Meaning | None:
    person = h.one("person")
    if not person or h.of("kit", "item", "door", "table") or h.has(_FAIL, "whenever|when|in case"):
        return None
    right = ""
    if h.has(
        r"approv\w+|sign(?:s|ing)? off|say(?:s|ing)? yes|confirm\w*|agree\w*|ok plans|"
        r"authori[sz]\w+ plans?|green light|go-ahead|decid\w+",
    ):
        right = "approve"
    elif h.has(r"teach\w*|learn\w*|train\w*|taught"):
        right = "teach"
    elif h.has(
        r"command\w*|orders?|ordering|telling you what to do|tell you what to do|"
        "instruct(?:s|ing|ions?)?|direct you|boss",
    ):
        right = "command"
    if not right:
        return None
    allowed = h.has(
        r"may|allow\w*|let|permi\w+|right|okay|ok|fine|can|accept|listen|lets?|authority|"
        r"authori[sz]\w+|trust|free to|take|follow|obey|want|have|has",
    )
    if not allowed and not h.negated:
        return None
    return m.Permit(
        person,
        right,
        not (h.negated or h.has(r"stop|forb\w+|no longer|ignore|refuse|revok\w+|take away|take .* away|away from")),
        h.numbers[0] if h.numbers and h.has(r"«n\d+» (?:more )?minutes?") else 0,
    )


# -- conditions -------------------------------------------------------------------------------------------------------
def _conditional(h: Heard) -> Meaning | None:
    if not (h.has(_IF) or h.begins("should")) or _question(h) or h.has("suppose|imagine|what if"):
        return None
    item, table, person = h.one("item"), h.one("table"), h.one("person")
    me = h.has("me|myself") and not person
    if table and h.has(_EMPTY) and item:
        want = Want(m.STOCK, item, table, h.many(item))
        claim = Claim(m.EMPTY, "", table)
        if h.has(_ALWAYS) or h.has(r"an empty «t\d+»"):
            return m.Policy((claim,), "wants", "", (want,))
        return m.Order((want,), (), (claim,))
    trigger: tuple[Claim, ...] | None = None
    if h.has(_JAM):
        trigger = (Claim(m.JAMMED, h.one("door")),)
    elif h.has(r"grasp\w*|grab\w*|pick(?:ing|s)? (?:\w+ )?up|gripper|grip\w*|hold\w*") and h.has(
        _FAIL, r"slip\w*|cannot|does not work|drop"
    ):
        trigger = (Claim(m.HOLD, holds=False),)
    elif h.has(_MISSING, "not find") or h.has("is not there|item is not|not available"):
        trigger = (Claim(m.STOCK, item, holds=False),)
    elif h.has(_FAIL):
        trigger = ()
    if trigger is None:
        return None
    if h.has(
        "another robot|a different robot|different robot|other robot|another one of you|"
        "someone else|somebody else|other robots",
    ):
        return m.Policy(trigger, "other robot")
    if person or me:
        who = person or "@me"
        if (
            trigger
            and trigger[0].kind == m.STOCK
            and item
            and h.has(_BRING, r"pick\w*|collect|go to")
            and not h.has("ask|check with")
        ):
            return m.Policy(trigger, "bring", who)
        return m.Policy(trigger, "ask", who) if h.has(_ASK, "advice|the one to ask|first") else None
    if h.has("try again|retry|once more|another try|try it again"):
        return m.Policy(trigger, "retry")
    if h.has("give up|leave it|stop trying|forget about it"):
        return m.Policy(trigger, "give up")
    return None


# -- questions --------------------------------------------------------------------------------------------------------
def _what_if(h: Heard) -> Meaning | None:
    robot = h.one("robot")
    if not h.has(
        "suppose|supposing|imagine|what if|what happens|what would|how would|would you manage|cope|if",
    ):
        return None
    if not (_question(h) or h.has("suppose|imagine")):
        return None
    if robot and h.has(_BROKEN):
        return m.Ask("what if", claims=(Claim(m.ABLE, robot, holds=False),))
    claims = _claims(h)
    return m.Ask("what if", claims=claims) if claims else None


def _ask(h: Heard) -> Meaning | None:
    if not _question(h):
        return None
    robot, kit, item, table = h.one("robot"), h.one("kit"), h.one("item"), h.one("table")
    if h.has("how many|number of|how much|count of") and item:
        return m.Ask("how many", what=item, where=table)
    if (
        kit
        and not h.of("room", "table", "item")
        and (
            h.has(
                "progress|far|along|update|status|coming|ready|going|where we are|done|finished|stand|standing|yet",
            )
            and not h.has("how long|take")
        )
    ):
        return m.Ask("progress", what=kit)
    if h.has(
        "how long|how much time|how soon|how many minutes|what time|time will|time left|"
        "time is left|will it take|when will|when do you|when are you|finish",
    ):
        return m.Ask("duration", what=kit)
    if robot and h.begins("why") and h.has("use|send|take|ask|part|help|used|involved|involve"):
        return m.Ask("why not", robot=robot) if h.negated else m.Ask("why that", robot=robot)
    if h.has("why|went wrong|go wrong|gone wrong|reason|the problem|problem|cause|explain") and not h.of(
        "kit", "door", "room"
    ):
        return m.Ask("why")
    if h.has(
        "capable|able to do|what can you|can you do|able to help|abilities|help me with|"
        "things you can|what you can do|kinds? of things|good (?:at|for)|useful for",
    ) and not h.of("item", "door", "kit"):
        return m.Ask("ability", robot=robot)
    if h.has("how likely|chances?|probability|odds|will it work|succeed"):
        return m.Ask("chance")
    claims = _claims(h)
    if claims and not h.begins("what is your|what are you"):
        return m.Ask("is it so", claims=claims)
    if h.begins("where") and (item or robot):
        return m.Ask("where", what=item or robot)
    if h.has("doing|going on|happening|on (?:the|its|his|her|their) way|heading|under way") or (
        h.has("up to") and h.begins("what|who|tell|i")
    ):
        return m.Ask("doing", robot=robot)
    if h.has("plan|next|intend|going to do"):
        return m.Ask("plan")
    if kit and h.one("room") and h.begins("how (?:would|will|do|can|could|are)"):
        return m.Ask("can", robot=robot, wants=(Want(m.KIT, kit, h.one("room"), h.many(kit)),))
    if kit and h.begins("why") and not h.negated:
        return m.Ask("goals")
    if h.begins("who") and h.has("ask|tell|talk to|turn to") and h.has("need|want|order|would like"):
        return m.Ask("who may", right="command")
    if kit and h.has("how|what about"):
        return m.Ask("progress", what=kit)
    return None


# -- steering ---------------------------------------------------------------------------------------------------------
def _stop(h: Heard) -> Meaning | None:
    """A stop in few words, whatever else is cried with it."""
    if h.of("kit", "room", "table", "item", "door", "person", "robot", "task") or h.negated:
        return None
    words = h.text.split()
    what = h.has(
        "stop (?:trying|teaching|asking|talking|telling|saying|by|it from|worrying)", "if|when|before|until|after"
    )
    asks = h.asked and not h.begins("can you|could you|would you|will you|please")
    return m.Stop() if h.has("stop|halt|freeze") and len(words) <= 7 and not what and not asks else None


def _steer(h: Heard) -> Meaning | None:
    kit, robot = h.one("kit"), h.one("robot")
    if h.of("room", "table", "item", "door", "person"):
        return None
    if (
        robot
        and not kit
        and h.has("stop|halt|freeze|stops|stand still|stopped|standstill|at once stop")
        and not h.negated
    ):
        return m.Stop((robot,))
    paused = h.has(
        r"paus\w+|wait|waits|on hold|hold|interrupt\w*|suspend\w*|hold on|hang on|stay put|"
        "take a break|stop working on|set aside|rest|stop work",
    )
    if h.has(
        r"resum\w+|continu\w+|going again|carry on|go on|keep going|pick up (?:the )?work|"
        "get back to|back to work|start again|where you left off|proceed with",
    ):
        return m.Steer("resume", kit) if kit else None
    if kit and h.has(
        r"cancel\w*|abort\w*|abandon\w*|call off|do not need|no longer need|not needed|"
        "no longer needed|scrap|drop|forget about|never mind|not want",
    ):
        return m.Steer("cancel", kit)
    if (
        kit
        and h.has(
            "first|urgent|urgently|important|priority|top|prioriti[sz]e|hurry|before anything|"
            "before everything|ahead|rush|asap|quickly|comes before",
        )
        and not h.has("low|less")
    ):
        return m.Steer("prioritise", kit, "high") if not h.negated else None
    if paused and robot and not kit:
        return m.Steer("pause", robots=(robot,))
    if paused and kit:
        return m.Steer("pause", kit)
    if (
        not h.names
        and h.has(
            r"cancel\w*|abort\w*|abandon\w*|call (?:\w+ ){0,3}off|drop it|stop what you are doing|"
            "forget about it|forget the whole|changed my mind",
        )
        and not h.negated
    ):
        return m.Steer("cancel")
    return None


# -- kits and corrections ---------------------------------------------------------------------------------------------
def _alter(h: Heard) -> Meaning | None:
    kit, item = h.one("kit"), h.one("item")
    if not kit or len(h.of("item")) != 1 or h.of("room", "table", "robot", "door") or h.asked:
        return None
    if h.has(r"remov\w+|take out|leave out|without|no longer|drop|does not need"):
        if h.count(item) is None and h.has("all|every|any|without|no longer|does not need"):
            return m.Alter(kit, "set", item, 0)
        return m.Alter(kit, "remove", item, h.many(item))
    if h.has(
        "add|added|adding|also|include|includes|included|as well|too|extra|additionally|in it|"
        "into|in the|part of|goes in|belongs in|additional",
    ):
        return m.Alter(kit, "add", item, h.many(item))
    return None


def _correct(h: Heard) -> Meaning | None:
    if not h.has(
        "meant|mean|misspoke|mistake|i was talking about|make that|make it|instead|rather|"
        "correction|actually|wrong|i should have said|not that|sorry|i had in mind|"
        "i was thinking of",
    ):
        return None
    if len(h.names) != 1 or h.has(_CARRY, "open"):
        return None
    kind, name, count = h.names[0]
    if kind in ("table", "room"):
        return m.Correct(m.Somewhere(name))
    if kind in ("kit", "item", "caddy"):
        return m.Correct(m.Things(((name, 1 if count is None else count),)))
    return None


# -- orders -----------------------------------------------------------------------------------------------------------
def _order(h: Heard) -> Meaning | None:
    if h.negated and not h.has("nothing else"):
        return None
    if _question(h) and not h.begins("can you|could you|would you|will you"):
        return None
    if h.has(_PAST):
        return None
    if h.has(
        "has already|have already|somebody has|someone has|has been|have been|we have got|"
        "you will find|by the way|just so you know|heads-up|heads up|is ready|is packed|"
        "is finished|is done|was|were|i just|i see|it needs|it takes|they have",
    ):
        return None
    wants: list[tuple[int, Want]] = []
    robots, kit, room, door = h.of("robot"), h.one("kit"), h.one("room"), h.one("door")
    item, table, person, caddy = h.one("item"), h.one("table"), h.one("person"), h.one("caddy")
    at = lambda kind: h.text.find(f"«{kind}")  # noqa: E731
    wished = h.has(_WISH, "can you|could you|would you")
    if door and (
        h.has("opened|opening|open up|unlock") or (h.has("open") and not h.has("is open|stands open|is standing open"))
    ):
        if h.begins("open|unlock|go|first|please") or wished or h.has("then|opening|and"):
            wants.append((at("d"), Want(m.DOOR, door)))
    elif door and h.has(_SHUT) and (h.begins("shut|close|lock|please|go") or wished or robots):
        return m.Order((Want(m.DOOR, door, holds=False),), tuple(robots[:1]))
    elif room and not door and h.begins("open up|open"):
        wants.append((0, Want(m.DOOR, f"{room}door")))
    if kit and not item:
        if room and h.has(
            _BRING, r"get|drop off|handl\w+|needs|need|deliver\w*|loves?|wants?|likes?|ask(?:s|ed|ing) for|request\w*|"
            "waiting for|could use|is after|is due|short of|out of",
        ):  # fmt: skip
            wants.append((at("k"), Want(m.KIT, kit, room, h.many(kit))))
        elif h.has(r"pack\w*|assembl\w+|make|prepar\w+|put together|build|put a|ready"):
            wants.append((at("k"), Want(m.KIT, kit, "", h.many(kit))))
    if item and not kit and not door:
        if h.has(
            r"look|looking|find|found|search\w*|locate|hunt|check|see if|where|keep an eye|seek|"
            "track down",
        ):
            return m.Order((Want(m.LOOK, item, table),), tuple(robots[:1]))
        if person and table and h.has(_BRING, "ask"):
            return m.Order((Want(m.STOCK, item, table, h.many(item), source=person),), tuple(robots[:1]))
        if table and h.has(r"pick|grab|pick\w*|collect|lift|take hold|hold|grasp") and not h.has("bring|put|place"):
            return m.Order((Want(m.HOLD, item, table, h.many(item)),), tuple(robots[:1]))
        if table and h.has(_BRING) and not h.has("from"):
            return m.Order((Want(m.STOCK, item, table, h.many(item)),), tuple(robots[:1]))
    del caddy
    if not wants:
        return None
    hurry = h.has("urgent(?:ly)?|asap|immediately|right away|quickly|at once|as fast as|as soon as possible|in a hurry")
    return m.Order(tuple(w for _, w in sorted(wants, key=lambda r: r[0])), tuple(robots[:1]), urgent=hurry)


# -- facts ------------------------------------------------------------------------------------------------------------
def _claims(h: Heard) -> tuple[Claim, ...]:
    """What a sentence says is so, in whatever mood."""
    robot, kit, room, door = h.one("robot"), h.one("kit"), h.one("room"), h.one("door")
    item, table, person = h.one("item", "caddy"), h.one("table"), h.one("person")
    if door and h.has(_JAM):
        free = h.has("(?:not|no longer|never) (?:jammed|stuck|blocked|wedged)", "no longer (?:jams|sticks)")
        return (Claim(m.JAMMED, door, holds=not free),)
    if door and h.has(_OPEN):
        return (Claim(m.DOOR, door, holds=not h.has("not|no longer|never")),)
    if door and h.has(_SHUT):
        return (Claim(m.DOOR, door, holds=h.has("not|no longer|never")),)
    if table and not item and h.has(_EMPTY):
        return (Claim(m.EMPTY, "", table, holds=not h.has("not")),)
    if item and table:
        gone = h.has("(?:took|taken|removed) .*(?:from|off)") or h.has(
            "no|not|none|gone|missing|without|nothing|run(?:s|ning)? out(?: of)?|ran out(?: of)?|"
            "out of|run out|used up|empty of|lacks?",
        )
        gone = gone or h.count(item) == 0
        return (Claim(m.STOCK, item, table, None if gone else h.count(item), not gone),)
    if robot and not h.of("kit", "item") and (h.has("open|opening") and (h.negated or h.has("lost|unable|no longer"))):
        return (Claim(m.ABLE, robot, "open", holds=False),)
    if robot and (room or table) and not kit and not item:
        return (Claim(m.AT, robot, room or table),)
    if robot and not h.of("kit", "item", "person") and h.has(_BROKEN):
        return (Claim(m.ABLE, robot, holds=False),)
    if robot and h.has(
        "working again|repaired|fixed|back in (?:action|service|order)|works again|back on|back at work|up and running|"
        "charged|fine again|recovered|ok again|okay again",
    ):
        return (Claim(m.ABLE, robot),)
    if person and not h.of("kit", "table", "robot", "door"):
        if item and h.has("has|have|got"):
            return (Claim(m.SUPPLY, item, person, holds=not h.negated),)
        if h.has("away|gone|left|out|absent|not here|not there|not around|not available|off"):
            return (Claim(m.PRESENT, person, holds=False),)
        if h.has("here|back|present|in|arrived|available|around|there|returned|in now"):
            return (Claim(m.PRESENT, person),)
    if (
        kit
        and not h.of("room", "table", "robot", "item")
        and h.has("ready|packed|finished|done|complete|completed|assembled|together|made|prepared")
    ):
        return (Claim(m.KIT, kit),) if not h.negated else ()
    return ()


def _tell(h: Heard) -> Meaning | None:
    if (
        _question(h)
        or h.has(_ALWAYS, "if|when|once")
        or h.begins("never|do not|not|no (?!more|longer)", "(?:there is )?no need|you need not")
    ):
        return None
    claims = _claims(h)
    return m.Tell(claims) if claims else None


# -- answers and small talk -------------------------------------------------------------------------------------------
def _answer(h: Heard) -> Meaning | None:
    kinds = {k for k, _, _ in h.names}
    if h.names and kinds <= {"item", "caddy"} and not h.asked and len(h.text.split()) <= 12:
        strange = [w for w in re.findall(r"[a-z']+", re.sub(r"«\w+»", " ", h.text)) if w not in _around()]
        if not strange and not h.has(_CARRY, "open|look|find|where|grab|not|missing|skip|without|except|but|or"):
            rows = tuple(dict.fromkeys((n, 1 if c is None else c) for _, n, c in h.names))
            return m.Things(rows)
        return None
    if h.names:
        return None
    if h.has("teach|taught|lesson|unlearn|learned|learnt") and h.has(
        "undo|unlearn|forget|scrap|revert|take back|last|delete|erase|wipe|discard"
    ):
        return m.Forget()
    if h.begins("forget|undo|scrap|unlearn") and h.has("that|last|it") and not h.has("plan|task|order|whole"):
        return m.Forget()
    if h.has(
        "what did you say|say that again|repeat|come again|once more|did not catch|did not hear|"
        "did not get that|say again|pardon",
    ):
        return m.Repeat()
    if h.has(
        "goodbye|bye|see you|so long|farewell|have a good|good night|take care|until tomorrow|"
        "talk to you later|signing off|off now",
    ):
        return m.Greet("bye")
    if h.has(
        "thanks|thank you|cheers|much appreciated|appreciate|grateful|well done|good job|great job|very kind",
    ):
        return m.Greet("thanks")
    if h.begins(
        "hello|hi|hey|good morning|good afternoon|good evening|greetings|morning|howdy|welcome|nice to",
    ):
        return m.Greet("hello")
    if len(h.numbers) == 1 and len(h.text.split()) <= 7 and not h.asked:
        return m.Number(h.numbers[0])
    no = h.has(
        "no|not|never|cannot|did not|do not|disagree|reject|rather you did not|nope|refuse|against|bad idea",
    )
    yes = h.has(
        "yes|sure|fine|okay|ok|good|go ahead|proceed|approve|approval|approved|agreed|agree|"
        "happy with|do it|works for me|go for it|sounds|permission|green light|all right|alright|"
        "please do|by all means|carry on with that|absolutely|definitely|of course|perfect",
    )
    short = len(h.text.split()) <= 12 and not h.asked
    if no and short and h.has("no|that|plan|it|agree|absolutely|you did not|way|do so|want|rather"):
        return m.Refuse()
    if yes and short and not no:
        return m.Approve()
    return None


@cache
def _around() -> frozenset[str]:
    """Words that may stand around things in an answer; where there is another, it may be a thing that is not known."""
    more = "i guess think suppose hm hmm um uh er maybe probably kinds kind sort please think needs need"
    return known_words() | frozenset(more.split())


@cache
def frames() -> tuple[Callable[[Heard], Meaning | None], ...]:
    return (
        _stop,
        _kit_told,
        _teach,
        _permit,
        _what_if,
        _conditional,
        _correct,
        _ask,
        _steer,
        _alter,
        _order,
        _tell,
        _answer,
    )
