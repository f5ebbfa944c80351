"""Words that guesses look for, and whether a sentence asks."""

from __future__ import annotations

from coterie.mission.language.heard import Heard

BRING = (
    r"bring\w*|deliver\w*|take|taken|carr\w+|get|getting|fetch\w*|send|sent|put|plac\w+|"
    r"drop\w*|transport\w*|mov\w+|stock|restock\w*|hand|give|goes|go"
)  # fmt: skip
MISSING = (
    "missing|gone|run(?:s|ning)? out(?: of)?|ran out(?: of)?|out of(?! order| action)|"
    r"is not there|are not there|not there|there not|cannot find|no longer there|none|lack\w*|used up|absent|nowhere|"
    "not in stock|out of stock|cannot be found|unavailable|not available|not (?:in|at|on) (?:its|the|their) (?:right |"
    "usual )?"
    "(?:place|spot|shelf)|not where (?:it|they) (?:should|belongs?|is|are)|not to be found|do(?:es)? not turn up|"
    r"(?:no|not any|no more|zero) (?:more )?(?:the )?«i\d+»|short of|not present|do not see"
)  # fmt: skip
BROKEN = (
    "broken|broken down|breaks(?: down)?|broke(?: down)?|break(?:s|ing)? down|out of order|"
    "out of action|out of service|not working|does not work|stopped working|stops working|"
    "stop working|defective|unavailable|down|not available|fails?|failed|without|not usable|"
    "cannot use|dead|not function\\w*|no use|useless|of no use|no good|malfunction\\w*|faulty|kaput|died|dies|"
    "not respond\\w*|"
    "offline|not operational|not in working order|unusable|on strike|cannot be used|does nothing|"
    "cannot do (?:anything|a thing|any)|"
    "unable to (?:work|do anything|function)|not able to (?:work|do anything|function)|cannot (?:work|function|help|"
    "be of)|"
    "gives? up|given up|drops? out|dropped out|fails? us|packed up|conked out|had it|switched off|not fit|incapacitated"
)  # fmt: skip
OPEN = "open|opened|opens|opening|unlocked|unlock|ajar"
SHUT = "shut|close|closed|closing|shuts|lock|locked"
JAM = (
    "jammed|jams|jam|stuck|blocked|sticks|wedged|will not open|does not open|cannot be opened|would not open|"
    "refuses to open|will not budge|does not move"
)
#: Somebody has done it already: "I put two boxes on table E", "someone moved it".
PAST = (
    r"(?:i|we|he|she|they|somebody|someone|anybody|who|«p\d+»|the «p\d+») (?:have |has |had )?(?:just |already )?"
    r"(?:put|moved|placed|left|brought|dropped|laid|took|taken|removed|found|saw|seen|stocked|restocked|delivered|"
    r"packed)|"
    r"(?:was|were|been|got) (?:put|moved|placed|left|brought|dropped|taken|removed)"
)
#: When something was so that need not be so now.
AGO = "last (?:week|month|year|time|night|shift)|yesterday|ago|earlier|the other day|once|back then|this morning"
#: What is said about what others say, and not of how things are.
DENIED = (
    "not true|untrue|not so|not the case|not correct|not right|false|a lie|a rumou?r|(?:nobody|no one|none of us) "
    "(?:says?|said|thinks?|thought|believes?|told|claims?|claimed)|(?:not|never) (?:say|said|think|believe|told|claim)|"
    "doubt|hardly|(?:he|she|they|somebody|someone|«p\\d+») (?:says?|said|thinks?|claims?|told)"
)
EMPTY = (
    "empty|cleared|bare|nothing|clear|emptied|not anything|no things?|no items?|not a thing|vacant|nothing left|"
    "empties|"
    "no stuff|everything (?:is|has) (?:gone|been taken)"
)
FAIL = (
    r"fail\w*|go(?:es|ing)? wrong|went wrong|gone wrong|troubles?|problems?|errors?|difficult\w+|issues?|"
    "break(?:s|ing)? down|mishap|anything unexpected|something unexpected|not work out|does not work|do not work|"
    "go(?:es)? (?:bad|badly|amiss|south|awry)|not go (?:as planned|well|right)|stuck"
)
ALWAYS = (
    "whenever|every time|everytime|each time|any time|anytime|always|as a rule|no matter|from now on|in future|"
    "in the future|in general|"
    "generally|as often as|every single time|at all times|rule"
)
ASK = (
    r"ask|asked|ask(?:ing)?|check with|turn to|contact|consult\w*|tell|inform(?:ed)?|notif(?:y|ied)|call|called|told|"
    "talk to|speak to|come to|let|go to|report to|get in touch|check back|refer to|get back to|get|alert|consult|"
    "is the one|"
    "be asked|be told|want to (?:know|hear)|decides?|knows?|give me|run it by"
)
WISH = (
    "i need|we need|i want|we want|i would like|we would like|make sure|see that|see to it|"
    "needs|should|must|let|have|please|get"
)
IF = (
    "if|when|once|in case|in case of|as soon as|after|means|in the event|whatever|for any|any kind of|any sort of|"
    "until|till|"
    "for missing|about missing|doors? that|things that|about (?:every|any|all)|for (?:every|all|each)|"
    "every (?:failure|problem|"
    "error)|every single|missing things|missing items|a failed|"
    r"missing «i\d+»|"
    "on any|upon|with any|should (?:a|an|any|anything|something|one)|the moment|the minute" + "|" + ALWAYS
)
WONDER = (
    "tell me|i am wondering|i wonder|wondering|can you confirm|could you confirm|confirm (?:whether|that)|"
    "do you know|can you tell|could you tell|i would like to know|let me know"
)
CARRY = (
    r"bring\w*|deliver\w*|take|taken|carr\w+|get|getting|fetch\w*|send|sent|put|plac\w+|"
    r"drop\w*"
)

#: How an order begins once politeness is gone.
DO = (
    "can you (?!tell|give)|will you|open|close|shut|bring|get|take|put|place|ask|look|"
    "have a look|having|find|search|locate|check(?! whether| if)|go|grab|pick|pack|make|"
    "deliver|carry|fetch|send|drop|move|give|stop|pause|hold|wait|interrupt|cancel|resume|"
    "continue|add|let|try|hand|start|looking|opening|bringing|taking|getting|putting|closing|shutting|packing|"
    "checking|searching|finding|picking|grabbing|carrying|delivering|fetching|pausing|stopping|moving|teaching"
)


def is_question(h: Heard) -> bool:
    if h.asked and not h.begins(DO):
        return True
    return h.begins(
        WONDER,
        "how|what|where|who|why|which|when will|is|are|does|do you|has|have you",
    ) or h.has("right$|is it not$|is not it$|tell me|wondering|wonder")
