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
    r"is not there|are not there|not there|there not|cannot find|no longer there|none|lack\w*|used up|absent|nowhere|"
    "not in stock|out of stock|cannot be found|unavailable|not available|not (?:in|at|on) (?:its|the|their) (?:right |usual )?"
    "(?:place|spot|shelf)|not where (?:it|they) (?:should|belongs?|is|are)|not to be found|do(?:es)? not turn up|"
    r"(?:no|not any|no more|zero) (?:more )?(?:the )?«i\d+»|short of|not present|do not see"
)  # fmt: skip
_BROKEN = (
    "broken|broken down|breaks(?: down)?|broke(?: down)?|break(?:s|ing)? down|out of order|"
    "out of action|out of service|not working|does not work|stopped working|stops working|"
    "stop working|defective|unavailable|down|not available|fails?|failed|without|not usable|"
    "cannot use|dead|not function\\w*|no use|useless|of no use|no good|malfunction\\w*|faulty|kaput|died|dies|not respond\\w*|"
    "offline|not operational|not in working order|unusable|on strike|cannot be used|does nothing|cannot do (?:anything|a thing|any)|"
    "unable to (?:work|do anything|function)|not able to (?:work|do anything|function)|cannot (?:work|function|help|be of)|"
    "gives? up|given up|drops? out|dropped out|fails? us|packed up|conked out|had it|switched off|not fit|incapacitated"
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
_EMPTY = (
    "empty|cleared|bare|nothing|clear|emptied|not anything|no things?|no items?|not a thing|vacant|nothing left|empties|"
    "no stuff|everything (?:is|has) (?:gone|been taken)"
)
_FAIL = (
    r"fail\w*|go(?:es|ing)? wrong|went wrong|gone wrong|troubles?|problems?|errors?|difficult\w+|issues?|"
    "break(?:s|ing)? down|mishap|anything unexpected|something unexpected|not work out|does not work|do not work|"
    "go(?:es)? (?:bad|badly|amiss|south|awry)|not go (?:as planned|well|right)|stuck"
)
_ALWAYS = (
    "whenever|every time|everytime|each time|any time|anytime|always|as a rule|no matter|from now on|in future|in the future|in general|"
    "generally|as often as|every single time|at all times|rule"
)
_ASK = (
    r"ask|asked|ask(?:ing)?|check with|turn to|contact|consult\w*|tell|inform(?:ed)?|notif(?:y|ied)|call|called|told|"
    "talk to|speak to|come to|let|go to|report to|get in touch|check back|refer to|get back to|get|alert|consult|is the one|"
    "be asked|be told|want to (?:know|hear)|decides?|knows?|give me|run it by"
)
_WISH = (
    "i need|we need|i want|we want|i would like|we would like|make sure|see that|see to it|"
    "needs|should|must|let|have|please|get"
)
_IF = (
    "if|when|once|in case|in case of|as soon as|after|means|in the event|whatever|for any|any kind of|any sort of|until|till|"
    "on any|upon|with any|should (?:a|an|any|anything|something|one)|the moment|the minute" + "|" + _ALWAYS
)
_WONDER = "tell me|i am wondering|i wonder|wondering|can you confirm|could you confirm|confirm (?:whether|that)|do you know|can you tell|could you tell|i would like to know|let me know"
_CARRY = (
    r"bring\w*|deliver\w*|take|taken|carr\w+|get|getting|fetch\w*|send|sent|put|plac\w+|"
    r"drop\w*"
)

#: How an order begins once politeness is gone.
_DO = (
    "can you (?!tell|give)|will you|open|close|shut|bring|get|take|put|place|ask|look|"
    "have a look|having|find|search|locate|check(?! whether| if)|go|grab|pick|pack|make|"
    "deliver|carry|fetch|send|drop|move|give|stop|pause|hold|wait|interrupt|cancel|resume|"
    "continue|add|let|try|hand|start|looking|opening|bringing|taking|getting|putting|closing|shutting|packing|"
    "checking|searching|finding|picking|grabbing|carrying|delivering|fetching|pausing|stopping|moving|teaching"
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
    if not h.has(
        r"teach\w*|learn\w*|define|show(?:ing)? you how|train you|explain|introduce|lesson|(?:a|the) new (?:task|skill|job)|new (?:task|skill)|"
        "teaching"
    ) or h.of("person", "kit"):
        return None
    if h.has(r"undo|unlearn|forget|scrap|revert|delete|erase|discard|wipe|last lesson|taught|learn(?:ed|t)"):
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
            r"(?:called|named|name is|how to do|how to|the task of|task of|task|skill|kit|known as|call it|to)\s+"
            r"((?!of\b|called\b|named\b|how\b|teach\b|is\b|do\b|you\b|it\b)(?:the )?[a-z]+(?: (?!is\b)[a-z]+){0,2})"
            r"(?: (?:task|now|today))?$",
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
        r"approv\w+|sign(?:s|ing)? (?:\w+ )?off|say(?:s|ing)? yes|confirm\w*|agree\w*|ok plans|"
        r"authori[sz]\w+ (?:plans?|things|it|that)|green light|go-ahead|decid\w+|give (?:\w+ )?(?:ok|okay|approval)|accept (?:plans|proposals)",
    ):
        right = "approve"
    elif h.has(r"teach\w*|learn\w*|train\w*|taught"):
        right = "teach"
    elif h.has(
        r"command\w*|orders?|ordering|tell(?:ing)? you what to do|what to do|"
        "instruct(?:s|ing|ions?)?|direct you|boss|order you|in charge|a say|listen to|obey|"
        "tell you (?:anything|things)",
    ):
        right = "command"
    if not right:
        return None
    allowed = h.has(
        r"may|allow\w*|let|permi\w+|right|okay|ok|fine|can|accept|listen|lets?|authority|"
        r"authori[sz]\w+|trust|free to|take|taking|follow|obey|want|have|has|giv\w+|grant\w*|stop|revok\w+|withdraw\w*|forbid\w*|ignore|counts?|is to|should",
    )
    if not allowed and not h.negated:
        return None
    if h.begins("i was") or _question(h):
        return None
    return m.Permit(
        person,
        right,
        not (
            h.negated
            or h.has(
                r"stop|forb\w+|no longer|ignore|refuse|revok\w+|take away|take .* away|away from|"
                r"withdraw\w*|lost|loses|lose|forbidden|anymore|any more"
            )
        ),
        h.numbers[0] if h.numbers and h.has(r"«n\d+» (?:more )?minutes?") else 0,
    )


# -- conditions -------------------------------------------------------------------------------------------------------
def _conditional(h: Heard) -> Meaning | None:
    if not (h.has(_IF) or h.begins("should")) or _question(h) or h.has("suppose|imagine|what if"):
        return None
    item, table, person = h.one("item"), h.one("table"), h.one("person")
    me = (
        h.has("me|myself|i (?:want|need|should|must|have|would like|wish) to be|i should be|i must be|i will decide")
        and not person
    )
    if table and h.has(_EMPTY) and item:
        want = Want(m.STOCK, item, table, h.many(item))
        claim = Claim(m.EMPTY, "", table)
        if h.has(_ALWAYS) or h.has(r"an empty «t\d+»"):
            return m.Policy((claim,), "wants", "", (want,))
        return m.Order((want,), (), (claim,))
    trigger: tuple[Claim, ...] | None = None
    if h.has(_JAM):
        trigger = (Claim(m.JAMMED, h.one("door")),)
    elif h.has(
        r"grasp\w*|grab\w*|pick(?:ing|s)? (?:\w+ ){0,2}up|pick|gripper|grip\w*|hold\w*|get hold|pickup|take hold|catch"
    ) and h.has(_FAIL, r"slip\w*|cannot|does not|not work|drop\w*|unable|not able|lose[sd]?|not manage|misses|not get"):
        trigger = (Claim(m.HOLD, holds=False),)
    elif h.has(_MISSING, "not find") or h.has("is not there|item is not|not available"):
        trigger = (Claim(m.STOCK, item, holds=False),)
    elif h.has(_FAIL):
        trigger = ()
    if trigger is None:
        return None
    if h.has(
        "another robot|a different robot|different robot|other robots?|another one of you|"
        "someone else|somebody else|the other one|a second robot|one of the others|the next robot|the others?|another one|"
        "(?:swap|switch|change) robots|a different one",
    ):
        return m.Policy(trigger, "other robot")
    if person or me:
        who = person or "@me"
        if (
            trigger
            and trigger[0].kind == m.STOCK
            and item
            and h.has(_BRING, r"pick\w*|collect|go to|suppl\w+|provid\w+")
            and not h.has("ask(?! \\S+ to (?:bring|get|fetch))|check with")
        ):
            return m.Policy(trigger, "bring", who)
        return m.Policy(trigger, "ask", who) if h.has(_ASK, "advice|the one to ask|first|help") else None
    if h.has("try again|retry|once more|another try|try it again"):
        return m.Policy(trigger, "retry")
    if h.has("give up|leave it|stop trying|forget about it"):
        return m.Policy(trigger, "give up")
    return None


# -- questions --------------------------------------------------------------------------------------------------------
def _what_if(h: Heard) -> Meaning | None:
    robot = h.one("robot")
    if not h.has(
        "suppose|supposing|imagine|what if|what happens|what would|how would|would you manage|cope|if|"
        "what (?:do|will|are) you (?:going to )?do (?:when|if|in case)|in case|what when|when",
    ):
        return None
    if not (_question(h) or h.has("suppose|supposing|imagine|say")):
        return None
    if h.has("whether") and not h.has("what|how would|suppose|supposing|imagine"):
        return None
    if (
        robot
        and h.has(_BROKEN, "cannot|can not|not able|unable|not|no longer")
        and not h.of("door", "kit", "room", "table", "item")
    ):
        return m.Ask("what if", claims=(Claim(m.ABLE, robot, holds=False),))
    claims = _claims(h)
    return m.Ask("what if", claims=claims) if claims else None


def _ask(h: Heard) -> Meaning | None:
    if h.begins("count|give me the (?:number|count)") and len(h.names) <= 2 and h.one("item"):
        return m.Ask("how many", what=h.one("item"), where=h.one("table"))
    if not _question(h):
        return None
    robot, kit, item, table = h.one("robot"), h.one("kit"), h.one("item"), h.one("table")
    if h.has("how many|number of|how much|count of|count|amount of|quantity") and item:
        return m.Ask("how many", what=item, where=table)
    if (
        kit
        and not h.of("room", "table", "item")
        and (
            h.has(
                "progress|far|along|update|status|coming|ready|going|where we are|where are we|done|finished|stand|standing|yet|state|nearly|almost|news",
            )
            and not h.has("how long|take")
        )
    ):
        return m.Ask("progress", what=kit)
    if h.has(
        "how long|how much time|how soon|how many minutes|what time|time will|time left|"
        "time is left|will it take|when will|when do you|when are you|finish|when you (?:will|are|have|can)|when it (?:will|is)|take long|"
        "going to take|much longer|how quick|how fast|minutes|duration|eta|time (?:do|does|will|would) (?:you|it|that|this)|take (?:you )?(?:to|for)",
    ) and not h.of("table", "item", "person", "door"):
        return m.Ask("duration", what=kit)
    if robot and h.begins("why") and h.has("use|send|take|ask|part|help|used|involved|involve"):
        return m.Ask("why not", robot=robot) if h.negated else m.Ask("why that", robot=robot)
    if (
        h.has(
            "why|went wrong|go wrong|gone wrong|reason|the problem|problem|cause|explain|how so|what for|the matter|how come|what makes you|what made you"
        )
        and not h.of("kit", "door", "room", "item", "table", "person")
        and not h.has("how can i|how do i|if")
    ):
        return m.Ask("why")
    if h.has(
        "capable|able to do|what can you|can you do|able to help|abilities|help me with|"
        "things you can|what you can do|kinds? of things|good (?:at|for)|useful for|can help|you help|help with|know how to do|"
        "your skills|skills|what (?:do|all) you do|sorts? of things|your job|capabilit\\w+|what you are able|assist|services|made for|what do you do$",
    ) and not h.of("item", "door", "kit", "table", "room", "person"):
        return m.Ask("ability", robot=robot)
    if h.has("how likely|chances?|probability|odds|will it work|succeed"):
        return m.Ask("chance")
    if table and not item and h.has("anything|something|what is on|things"):
        return m.Ask("contents", what=table)
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
        and h.has(
            "stop|halt|freeze|stops|stand still|stopped|standstill|at once stop|stopping|do not move|stay still|hold still"
        )
        and not h.negated
    ):
        return m.Stop((robot,))
    paused = h.has(
        r"paus\w+|wait|waits|on hold|hold|interrupt\w*|suspend\w*|hold on|hang on|hang fire|stay put|hold off|holding|waiting|"
        "a break|stop working on|set aside|rest|rests|stop work|take five|stand by|stay where (?:it|you)|leave (?:it|the «k\\d+») (?:for now|for a)|"
        "put (?:it|the «k\\d+») aside|a pause|take it easy|breather|idle|freeze work|stop (?:with )?(?:the )?(?:work|packing)|shelve",
    )
    if (
        kit
        and paused
        and h.has("later|for now|for a (?:moment|while|bit|minute)|on hold|for the moment|until")
        and not h.has("resum\\w+|again")
    ):
        return m.Steer("pause", kit) if not h.negated else None
    if h.has(
        r"resum\w+|continu\w+|going again|carry on|go on|goes on|keep going|keep on|keep working|pick up (?:the )?work|"
        "get back to|back to|start again|where (?:you|we) left off|proceed with|proceed|move on with|go ahead with|get on with|unpause|restart|"
        "work on .*again|working on",
    ):
        return m.Steer("resume", kit) if kit else None
    if kit and h.has(
        r"cancel\w*|abort\w*|abandon\w*|call(?:ed|ing)? (?:\S+ ){0,3}off|do not need|no longer need|not needed|need no|no need for|"
        "no longer needed|scrap|drop|forget about|never mind|not want|do not bother|no longer want|no longer required|not required|"
        "skip|leave out|do without|scratch|off the list|withdraw|obsolete",
    ):
        if h.has(
            "(?:do|should|must|need) not (?:cancel|abort|abandon|call|scrap|drop|forget|skip)|against|decided|never (?:cancel|abort)"
        ):
            return None
        return m.Steer("cancel", kit)
    if (
        kit
        and h.has(
            "first|urgent|urgently|important|priority|top|prioriti[sz]e|hurry|before anything|"
            "before everything|ahead|rush|asap|quickly|comes before|matters? (?:the )?most|before (?:the rest|all|any)|goes before|precedence|"
            "most important|first of all|needed (?:first|most)|everything else|takes priority|speed up|quick|critical|at once|right away|immediately|"
            "as soon as possible|cannot wait|will not wait|pressing|in front|number «n\\d+»|focus on|concentrate on",
        )
        and not h.has("low|less|were you|was you|if i|would")
    ):
        waits = h.has(
            "cannot wait|will not wait|must not wait|should not wait|no time|nothing (?:else )?(?:is )?(?:more|before)"
        )
        return m.Steer("prioritise", kit, "high") if not h.negated or waits else None
    if paused and robot and not kit:
        return m.Steer("pause", robots=(robot,))
    if paused and kit:
        return m.Steer("pause", kit)
    if (
        not h.names
        and h.has(
            r"cancel\w*|abort\w*|abandon\w*|call(?:ed|ing)? (?:\w+ ){0,3}off|drop (?:it|everything|what|whatever|all|that|this)|stop what you are doing|"
            "forget about it|forget the whole|changed my mind|scrap (?:it|everything|what|whatever|all)|leave (?:it|everything|what) (?:be|as)|"
            "quit what|break (?:it )?off|terminate|give (?:it )?up on|end (?:what|the|this|that)",
        )
        and not h.negated
        and not h.has("lesson|taught|teach|learn(?:ed|t)|learn")
    ):
        return m.Steer("cancel")
    return None


# -- kits and corrections ---------------------------------------------------------------------------------------------
def _alter(h: Heard) -> Meaning | None:
    kit, item = h.one("kit"), h.one("item")
    if not kit or len(h.of("item")) != 1 or h.of("room", "table", "robot", "door"):
        return None
    if h.asked and not h.has("(?:could|can|shall|may|might) (?:we|you|i)|please|would you"):
        return None
    if h.has(r"remov\w+|take out|leave out|without|no longer|drop|does not need"):
        if h.count(item) is None and h.has("all|every|any|without|no longer|does not need"):
            return m.Alter(kit, "set", item, 0)
        return m.Alter(kit, "remove", item, h.many(item))
    if h.has(
        "add|added|adding|also|include|includes|included|including|as well|too|extra|additionally|in it|more|another|plus|"
        "into|in the|part of|goes in|belongs in|additional|in a|contain|supplement|on top|append|extend",
    ):
        return m.Alter(kit, "add", item, h.many(item))
    return None


def _correct(h: Heard) -> Meaning | None:
    if not h.has(
        "meant|mean|misspoke|mistake|i was talking about|make that|make it|instead|rather|"
        "correction|actually|wrong|i should have said|not that|not there|sorry|i had in mind|i wanted|my bad|oops|"
        "i was thinking of|the other|correct that|change that|change it|i said|should (?:have been|be|go)|supposed to|not this|in fact",
    ) and not h.begins("no|nope|nah|oh no|wait|hold on|hang on|stop|oops"):
        return None
    if h.has("if|when|whenever|once|unless|while") or _question(h):
        return None
    names = list(dict.fromkeys(h.names))
    put = re.sub(
        r"(?<![\w«])(?:put|place|set|drop|bring|take|get|leave|move) (?:it|that|them|this|these|those)(?![\w»])",
        "",
        h.text,
    )
    carries = re.search(rf"(?<![\w«])(?:{_CARRY}|open|shut|close|stop|pause)(?![\w»])", put) is not None
    wrong = re.search(r"(?:not|instead of|rather than) (?:the |a |an |on |to |in |into |onto )*«(\w)\d+»", h.text)
    if len(names) == 2 and wrong is not None and names[0][0] == names[1][0]:  # "not the medkit, the woundkit"
        first = h.text.index("«") >= wrong.start()
        names = names[1:] if first else names[:1]
    if (
        len(names) != 1
        or carries
        or h.has("is (?:not )?(?:empty|ready|open|shut|closed|packed|jammed|urgent)|there (?:is|are)|no «")
    ):
        return None
    kind, name, count = names[0]
    if kind in ("table", "room"):
        return m.Correct(m.Somewhere(name))
    if kind in ("kit", "item", "caddy"):
        return m.Correct(m.Things(((name, 1 if count is None else count),)))
    return None


# -- orders -----------------------------------------------------------------------------------------------------------
def _order(h: Heard) -> Meaning | None:
    lost = h.has("cannot find|no idea|not know where|not see it|not find")
    if h.negated and not lost and not h.has("nothing else"):
        return None
    if _question(h) and not h.begins("can you|could you|would you|will you"):
        return None
    if h.has(_PAST):
        return None
    if h.has(
        "has already|have already|somebody has|someone has|has been|have been|we have got|"
        "you will find|by the way|just so you know|heads-up|heads up|is ready|is packed|"
        "is finished|is done|was|were|i just|i see|it needs|it takes|they have|good to go|all set|all done|"
        r"(?:have|has) (?:just |now )?(?:finished|packed|completed|done)|«k\d+» is|i will|i shall|planned|decided|next time|last (?:week|time)",
    ) and not h.has(
        "once you (?:have|are)|after you (?:have|are)|when you (?:have|are)|as soon as you|is (?:needed|required|wanted|to|due|urgently)"
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
        if (
            h.begins("open|unlock|go|first|please|before|after|once|when|as soon as")
            or wished
            or h.has("then|opening|and|afterwards|after|first")
        ):
            wants.append((at("d"), Want(m.DOOR, door)))
    elif door and h.has(_SHUT) and (h.begins("shut|close|lock|please|go|closing|shutting|locking") or wished or robots):
        return m.Order((Want(m.DOOR, door, holds=False),), tuple(robots[:1]))
    elif room and not door and h.begins("open up|open"):
        wants.append((0, Want(m.DOOR, f"{room}door")))
    if kit and not item:
        if room and h.has(
            _BRING, r"get|drop off|handl\w+|needs|need|deliver\w*|loves?|wants?|likes?|ask(?:s|ed|ing) for|request\w*|"
            r"waiting for|could use|is after|is due|short of|out of|arriv\w+|transfer|ship|haul|lug|wheel|rush|run|drive|convey",
        ) or (room and h.has(r"«k\d+» (?:to|into|for|over to) (?:the )?«o\d+»") and len(h.text.split()) <= 8):  # fmt: skip
            wants.append((at("k"), Want(m.KIT, kit, room, h.many(kit))))
        elif h.has(
            r"pack\w*|assembl\w+|make|prepar\w+|put (?:\S+ ){0,3}together|build|put a|ready|compile|fill|get (?:\S+ ){0,3}(?:done|finished)|finish"
        ):
            wants.append((at("k"), Want(m.KIT, kit, "", h.many(kit))))
    if item and not kit and not door and not h.has("gone|missing|no longer|none|nothing|all out|run out|used up"):
        if h.has(
            r"look|looking|find|found|finding|search\w*|locate|locating|hunt\w*|check\w*|see (?:if|whether)|where|keep an eye|seek|"
            "track down|whereabouts|trace|scan|inspect|verify|make sure there|confirm|lost|go see|dig up|figure out",
        ):
            return m.Order((Want(m.LOOK, item, table),), tuple(robots[:1]))
        if (
            person
            and table
            and h.has(
                _BRING,
                r"ask|needs?|want|should|pick\w*|collect|would like|require|could use|request",
                r"to (?:the )?«t\d+»",
            )
        ):
            return m.Order((Want(m.STOCK, item, table, h.many(item), source=person),), tuple(robots[:1]))
        if (
            table
            and not person
            and h.has(
                r"pick|grab|pick\w*|collect|lift|take hold|hold|grasp|seize|snatch|keep|hang on to|remove|take (?:\S+ ){0,4}(?:off|from)|get (?:\S+ ){0,4}(?:off|from)"
            )
            and not h.has("bring|put|place|to «t")
        ):
            return m.Order((Want(m.HOLD, item, table, h.many(item)),), tuple(robots[:1]))
        if table and h.has(_BRING) and not h.has("from"):
            return m.Order((Want(m.STOCK, item, table, h.many(item)),), tuple(robots[:1]))
    del caddy
    if not wants:
        return None
    hurry = h.has("urgent(?:ly)?|asap|immediately|right away|quickly|at once|as fast as|as soon as possible|in a hurry")
    ordered = [w for _, w in sorted(wants, key=lambda r: r[0])]
    if len(ordered) == 2 and _backwards(h):
        ordered.reverse()
    return m.Order(tuple(ordered), tuple(robots[:1]), urgent=hurry)


def _backwards(h: Heard) -> bool:
    """Whether what is said first is to be done last: "before you ..., ...", "... once you have ..."."""
    rest = h.text[1:]
    if h.begins("before|prior to"):
        return True
    if h.begins("once|after|when|as soon as|first"):
        return False
    later = re.search(
        r"\b(?:once|(?<!and )after(?! that| this)|as soon as|when|but first|but before that|but only after)\b", rest
    )
    if re.search(r"\b(?:first|before that|beforehand)$", rest) and re.search(r"\b(?:but|and|only)\b", rest):
        return True
    return later is not None and "«" in rest[: later.start()] and "«" in rest[later.end() :]


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
        full = h.has("(?:not|no longer|never|far from) (?:\\w+ )?(?:empty|cleared|bare|clear|vacant|emptied)")
        return (Claim(m.EMPTY, "", table, holds=not full),)
    if table and not item and h.negated and h.has("anything|any things|a thing"):
        return (Claim(m.EMPTY, "", table),)
    if item and table:
        gone = h.has("(?:took|taken|removed) .*(?:from|off)") or h.has(
            "no|not|none|gone|missing|without|nothing|run(?:s|ning)? out(?: of)?|ran out(?: of)?|"
            "out of|run out|used up|empty of|lacks?|zero|finished|absent|sold out|exhausted|vanished|disappeared",
        )
        gone = gone or h.count(item) == 0
        return (Claim(m.STOCK, item, table, None if gone else h.count(item), not gone),)
    if (
        robot
        and not h.of("kit", "item")
        and (
            h.has("open|opening|opens")
            and (h.negated or h.has("lost|unable|no longer|incapable|impossible|not possible|not capable|beyond|fails"))
        )
    ):
        return (Claim(m.ABLE, robot, "open", holds=False),)
    if robot and (room or table) and not kit and not item:
        return (Claim(m.AT, robot, room or table),)
    if robot and not h.of("kit", "item", "person", "door") and h.has(_BROKEN):
        return (Claim(m.ABLE, robot, holds=False),)
    if robot and h.has(
        "working again|repaired|fixed|back in (?:action|service|order)|works again|back on|back at work|up and running|"
        "charged|fine again|recovered|ok again|okay again",
    ):
        return (Claim(m.ABLE, robot),)
    if person and not h.of("kit", "table", "robot", "door"):
        if item and h.has("has|have|got"):
            return (Claim(m.SUPPLY, item, person, holds=not h.negated),)
        if h.has(
            "away|gone|left|out|absent|not here|not there|not around|not available|off|there not|not in|not present|not back|not arrived"
        ):
            return (Claim(m.PRESENT, person, holds=False),)
        if not h.negated and h.has(
            "here|back|present|in|arrived|available|around|there|returned|in now|with us|showed up|shown up|turned up|come back|came|came in|come in|has come|on duty|"
            "on site|at hand|joined us|made it|appeared|is among us",
        ):
            return (Claim(m.PRESENT, person),)
    if (
        kit
        and not h.of("room", "table", "robot", "item")
        and h.has(
            "ready|packed|finished|done|complete|completed|assembled|together|made|prepared|good to go|all set|packing"
        )
        and not h.has(
            "wish|want|should|must|needs?|last (?:week|time|month|year)|yesterday|was|ago|tomorrow|soon|if|when|almost|nearly|by"
        )
    ):
        return (Claim(m.KIT, kit),) if not h.negated else ()
    return ()


def _tell(h: Heard) -> Meaning | None:
    if (
        _question(h)
        or h.has(_ALWAYS, "if|when|once")
        or (h.begins(_DO) and not h.begins("get(?=s)"))
        or h.has("should|must|ought|needs?|wants?|please|requires?|supposed|would like")
        or h.begins(
            "never|do not(?! (?:use|count|rely|expect|bother with|see|have|find))|not (?!an?y? )",
            "(?:there is )?no need|you need not",
            r"no (?!more|longer|«i|thing|item)",
        )
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
            if h.numbers and (len(h.names) > 1 or len(h.numbers) > 1 or h.names[0][2] is not None):
                return None
            rows = tuple(dict.fromkeys((n, (h.numbers or [1])[0] if c is None else c) for _, n, c in h.names))
            return m.Things(rows)
        return None
    if h.names:
        return None
    if h.has("teach|taught|lesson|unlearn|learned|learnt") and h.has(
        "undo|unlearn|forget|scrap|revert|take back|last|delete|erase|wipe|discard|remove|drop|cancel|throw away|ignore|disregard|strike|clear|get rid|lose"
    ):
        return m.Forget()
    if h.begins("forget|undo|scrap|unlearn") and h.has("that|last|it") and not h.has("plan|task|order|whole"):
        return m.Forget()
    if h.has(
        "what did you (?:just )?say|say (?:that|it|this) (?:again|once more|one more time)|repeat|come again|once more|did not (?:quite )?(?:catch|hear|get|understand|follow)|"
        "say again|pardon|one more time|what was that|missed (?:that|what)|what you (?:just )?said|tell me (?:that )?again|again",
    ) and not h.has("try|do it|start"):
        return m.Repeat()
    if (
        h.has(
            "rather (?:you )?(?:did )?not|do not (?:do|want|agree|like)|cannot agree|disagree|not (?:like that|that way|agree)|let us not"
        )
        and not h.asked
    ):
        return m.Refuse()
    if h.has(
        "goodbye|bye|bye-bye|see you|see ya|cya|so long|farewell|have a (?:good|nice|great)|good night|take care|until (?:tomorrow|next|later)|"
        "talk to you (?:later|soon|tomorrow)|signing off|off now|i am off|catch you later|i am leaving|got to go|have to go|must go|until then|cheerio|later$|going home",
    ):
        return m.Greet("bye")
    if h.has(
        "thanks|thank you|thx|cheers|much appreciated|appreciate|appreciated|grateful|well done|good job|great job|nice job|very kind|so kind|kind of you|"
        "nice of you|much obliged|great help|very helpful|good work|great work|nice work|ta|thank",
    ):
        return m.Greet("thanks")
    if h.begins(
        "hello|hi|hey|good morning|good afternoon|good evening|good day|greetings|morning|afternoon|evening|howdy|welcome|nice to|hiya|pleased to|"
        "how do you do|how are you|what is up|glad to|yo",
    ):
        return m.Greet("hello")
    if len(h.numbers) == 1 and len(h.text.split()) <= 9 and not h.asked:
        rest = set(re.findall(r"[a-z']+", re.sub(r"«\w+»", " ", h.text)))
        if rest <= _AROUND_NUMBER:
            return m.Number(h.numbers[0])
    no = h.has(_NO)
    yes = h.has(
        "yes|sure|fine|okay|ok|good|go ahead|proceed|approve|approval|approved|agreed|agree|agreeing|"
        "happy with|happy for you|glad for you|happy to|do it|works for me|go for it|sounds|permission|green light|all right|alright|yup|yeah|yep|aye|roger|deal|confirmed|"
        "please do|by all means|carry on with that|absolutely|definitely|of course|perfect|accept|accepted|be my guest|my blessing|"
        "on board|make it so|let us (?:do|go)|like (?:it|that|the plan|your plan|the idea)|no objections?|granted|certainly|great idea|do so|"
        "in favou?r|support|i am in|you may|as you (?:suggest|propose)\\w*|as (?:suggested|proposed|planned)",
    )
    short = len(h.text.split()) <= 14 and not h.asked
    if yes and short and h.has("no objections?|not a problem|no problem|nothing against|do not mind|why not"):
        return m.Approve()
    if (
        no
        and short
        and h.has(
            "no|that|this|plan|it|agree|absolutely|you did not|way|do so|want|rather|idea|so|not|reject|against|object|veto"
        )
    ):
        return m.Refuse()
    if (
        yes
        and short
        and not no
        and not h.has(
            "if|unless|but|except|until|once|when|after|before|only|first|though|later|tomorrow|said|says|he|she|they|was|were"
        )
    ):
        return m.Approve()
    return None


_NO = (
    "no|not|never|cannot|did not|do not|disagree|reject|rejected|rather you did not|nope|refuse|against|bad idea|nah|negative|object|veto|"
    "decline|denied|out of the question|would rather not|better not|rather not"
)
_AROUND_NUMBER = frozenset(
    "it is its i think guess say said would make that be will do just only of them those these please pieces we you should need needs want "
    "take there are in total exactly altogether ok okay yes hm um uh well so let us have give me the a all count number answer enough like "
    "as far i'd".split()
)


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
