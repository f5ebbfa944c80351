"""Guesses at what people ask."""

from __future__ import annotations

from coterie.mission.language.guess_facts import claims_of
from coterie.mission.language.guess_words import BROKEN, FAIL, is_question
from coterie.mission.language.heard import Heard
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want

NO_ONE = r"(?:nobody|no one|no «n\d+»|no robot|none of (?:you|them|the robots))"  # "one" stands as a number
#: What a "why" is about that asks for a failure.
FAULT = (
    "not|never|cannot|stop|stopped|stops|stopping|late|slow|long|delay\\w*|happen\\w*|wrong|"
    "stuck|nothing|halt\\w*|wait\\w*|still"
)

#: Where a kit is, or what has become of it.
_WHERE_KIT = (
    r"^(?:and |so |but )*(?:where (?:is|are|has|did|went)|"
    r"what (?:has |have )?(?:happened|became|become)(?: to| with| of))(?=.*«k\d+»)",
    r"^(?:is|are|has|have|did) (?:the |my |our |that )*«k\d+» .*"
    r"(?:«o\d+»|arriv\w*|delivered|on (?:its|the) way|under way)",
)


def what_if(h: Heard) -> Meaning | None:
    robot = h.one("robot")
    if not h.has(
        "suppose|supposing|imagine|what if|what happens|what would|how would|would you manage|cope|if|"
        "what (?:do|will|are) you (?:going to )?do (?:when|if|in case)|in case|what when|when",
    ):
        return None
    if not (is_question(h) or h.has("suppose|supposing|imagine|say")):
        return None
    if h.has("whether") and not h.has("what|how would|suppose|supposing|imagine"):
        return None
    if (
        robot
        and h.has(BROKEN, "cannot|can not|not able|unable|not|no longer")
        and not h.of("door", "kit", "room", "table", "item")
    ):
        return m.Ask("what if", claims=tuple(Claim(m.ABLE, r, holds=False) for r in dict.fromkeys(h.of("robot"))))
    door = h.one("door")
    if door and h.has(f"{NO_ONE} (?:(?:can|will|could|would|ever|here) )*(?:open|opens|opened)"):
        return m.Ask("what if", claims=(Claim(m.JAMMED, door),))  # it stays shut, whoever comes
    claims = claims_of(h)
    return m.Ask("what if", claims=claims) if claims else None


_RIGHTS = {
    "approve": r"approv\w+|sign off|say yes|agree to",
    "teach": "teach|train|show you",
    "policy": r"polic\w+|rules?",
    "prioritise": r"priorit\w+",
    "stop": "stop|halt|pause you",
    "command": r"cancel|orders?|command\w*|tell you what|instruct|change (?:orders|goals|the plan)",
}


def rights(h: Heard) -> Meaning | None:
    """Whether somebody may do something: asked, and not done by it."""
    asks = h.begins(
        "(?:can|may|could|might) i|am i|do i have|is it (?:ok|okay|alright|fine|allowed)|would it be (?:ok|okay)"
    )
    begs = h.has("(?:ask|beg|get|have|trouble|request|tell) (?:of )?(?:you|that)")  # "may I ask you to stop"
    if not asks or begs or not h.has("i") or h.of("kit", "item", "table", "room", "door"):
        return None
    allowed = h.begins("may i|am i (?:also )?(?:allowed|permitted|entitled|able)|do i have the right") or h.asked
    right = next((r for r, words in _RIGHTS.items() if h.has(words)), "")
    return m.Ask("rights", right=right) if right and allowed else None


def ask(h: Heard) -> Meaning | None:
    if h.begins("count|give me the (?:number|count)") and len(h.names) <= 2 and h.one("item"):
        return m.Ask("how many", what=h.one("item"), where=h.one("table"))
    if not is_question(h):
        return None
    robot, kit, item, table = h.one("robot"), h.one("kit"), h.one("item"), h.one("table")
    if h.has("how many|number of|how much|count of|count|amount of|quantity") and item:
        return m.Ask("how many", what=item, where=table)
    if (
        kit
        and not h.of("room", "table", "item")
        and (
            h.has(
                "progress|far|along|update|status|coming|ready|going|where we are|where are we|done|finished|stand|"
                "standing|yet|state|nearly|almost|news|forget|forgot|forgotten",
            )
            and not h.has("how long|take")
        )
    ):
        return m.Ask("progress", what=kit)
    if h.has(
        "how long|how much time|how soon|how many minutes|what time|time will|time left|"
        "time is left|will it take|when will|when do you|when are you|finish|when you (?:will|are|have|can)|"
        "when it (?:will|is)|take long|"
        "going to take|much longer|how quick|how fast|minutes|duration|eta|time (?:do|does|will|would) (?:you|it|that|"
        "this)|take (?:you )?(?:to|for)",
    ) and not h.of("table", "item", "person", "door"):
        if h.has("how long (?:did|has|have|was)|(?:did|has|have) (?:it|that|this|you)(?: \\w+)? (?:take|taken)"):
            return m.Ask("took", what=kit, where=h.one("room") if kit else "")
        return m.Ask("duration", what=kit, where=h.one("room") if kit else "")
    if h.begins("who|whose") and h.has("stopped|halted|paused") and not h.of("kit", "door", "room", "item", "table"):
        return m.Ask("who stopped", robot=robot)
    if (
        robot
        and h.begins("why|how come|for what reason|what makes|what made")
        and h.has(
            "use|using|send|sending|take|taking|ask|asking|part|help|used|involved|involve|going|heading|moving|driving|"
            "walking|go|move|drive|let|have|do|does|doing|need|needs|needed|carry|carrying|rely|count on"
        )
    ):
        return m.Ask("why not", robot=robot) if h.negated else m.Ask("why that", robot=robot)
    if (
        h.begins("why|how come|for what reason|what makes|what made")
        and not h.negated
        and h.has(
            "(?:are|is|do|does) (?:you|it|they)(?: \\w+)? (?:going|heading|moving|driving|walking|doing|turning|"
            "there|here|go|move|drive|carrying|holding|looking|opening|do)"
        )
    ):
        return m.Ask("why that", robot=robot)
    why_so = claims_of(h) if h.begins("why|how come|for what reason") and not robot and not h.has("you|we|i") else ()
    if why_so and h.has("is|are|was|were"):
        return m.Ask("why so", claims=why_so)
    if robot and h.begins("why") and len(h.text.split()) <= 2:
        return m.Ask("why that", robot=robot)
    if h.begins("why") and len(h.text.split()) > 4 and not h.has(FAIL, FAULT):
        return None
    if (
        h.has(
            "why|went wrong|go wrong|gone wrong|reason|the problem|problem|cause|explain|how so|what for|the matter|"
            "how come|what makes you|what made you"
        )
        and not h.of("kit", "door", "room", "item", "table", "person")
        and not h.has("how can i|how do i|if")
    ):
        return m.Ask("why")
    if h.has(
        "capable|able to do|what can you|can you do|able to help|abilities|help me with|"
        "things you can|what you can do|kinds? of things|good (?:at|for)|useful for|can help|you help|help with|"
        "know how to do|"
        "your skills|skills|what (?:do|all) you do|sorts? of things|your job|capabilit\\w+|what you are able|assist|"
        "services|made for|what do you do$",
    ) and not h.of("item", "door", "kit", "table", "room", "person"):
        return m.Ask("ability", robot=robot)
    if h.has("how likely|chances?|probability|odds|will it work|succeed"):
        return m.Ask("chance")
    if table and not item and h.has("anything|something|what is on|things"):
        return m.Ask("contents", what=table)
    place = table or h.one("room")
    if place and len(h.names) == 1 and h.has("full|how full|how much is|how much .* there|overloaded|crowded"):
        return m.Ask("contents", what=place)
    claims = claims_of(h)
    if claims and not h.begins("what is your|what are you"):
        return m.Ask("is it so", claims=claims)
    if kit and not item and h.has(*_WHERE_KIT):
        return m.Ask("progress", what=kit)
    if h.begins("did|have|has|could") and item and len(h.names) == 1 and h.has("find|found|seen|see|spot|locate\\w*"):
        return m.Ask("where", what=item)
    if h.begins("is|are|do (?:you|we) have") and h.has("everything|all") and h.has("wanted|ordered|asked for|said"):
        return m.Ask("progress")
    if (
        h.begins("who")
        and h.has("changed|cancel\\w*|called|took|moved|replaced")
        and h.has("order|orders|goal|it|my|that")
    ):
        return m.Ask("history")
    if not h.names and h.has("what (?:am i|are we) (?:getting|going to get)|what will (?:i|we) get"):
        return m.Ask("goals")
    if not h.of("kit", "item", "door", "person") and h.has(
        "(?:anybody|anyone|somebody|any of you|any robots?|the robots|they|you|robots) (?:still )?"
        "(?:moving|busy|driving|at work)"
    ):
        return m.Ask("doing", robot=robot)
    if not h.names and h.begins("is|are") and h.has("stopped|paused|resting|at rest|on hold|halted"):
        return m.Ask("doing")
    if (
        item
        and h.asked
        and h.begins("(?:on |at |in )?(?:which|what) (?:table|room|place|shelf) (?:has|have|holds|is|are)")
    ):
        return m.Ask("where", what=item)
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
    if item and not table and h.begins("how about|what about|how is|how are") and len(h.names) == 1:
        return m.Ask("progress", what=item)
    return None
