"""Danger without a blow: fire, somebody who fell, a child near a robot, a robot that tips or has gone mad.

These are clauses of a cry (`harm.py` puts them beside blows); all of them are stops.
"""

from __future__ import annotations

import re

from coterie.mission.language.stops.bodies import BEAST, PART, WORN, YOUNG

_BE = r"(?: is| are|'s|'re| am|'m)"
_HAS = r"(?: has| have|'s|'ve)?"
_HOW = (
    r"(?: (?:just|now|all|still|really|nearly|almost|already|actually|totally|completely|suddenly|right|badly|even))*"
)
_SOON = r"(?:about to|going to|gonna)"
#: What burns, or what pours out.
_BURNS = (
    r"(?:on fire|in flames|burning(?: up)?|smoking|smou?ldering|sparking|overheating|melting|exploding|leaking|"
    r"giving off (?:smoke|sparks)|catching fire)"
)
_STUFF = (
    r"(?:the|a|an|that|this|your|its|our) (?:\w+ )?(?:battery|charger|cable|machine|motor|engine|socket|plug|bin|"
    r"curtains?|"
    r"kitchen|room|ward|building|house|oven|microwave|computer|monitor|lamp|cupboard|trolley|cart|caddy|oxygen|gas|"
    r"acid|tank|bottle|pipe|screen|wheels?)"
)
_FUMES = r"(?:smoke|flames?|sparks?|fire|fumes|gas|steam)"
_FIRES = (
    rf"(?:there's|there is|there are|i smell|i can smell|we smell|i see|we have)(?: a| an| some)?"
    rf"(?: (?:lots?|smell) of)? (?:fire|smoke|flames|sparks|fumes|gas(?: leak)?|burning|something burning|explosion)|"
    rf"(?:the )?{_FUMES}{_BE}? (?:coming|pouring|shooting|rising|flying)(?: out)?(?: of| from)?(?: .+)?|"
    rf"something{_BE}? (?:burning|on fire|leaking|exploding|exploded)|(?:the )?(?:fire|smoke) alarm"
    rf"(?:{_BE} (?:going off|ringing|on)| (?:went|goes) off|)|(?:the )?oxygen{_BE} (?:leaking|escaping)"
)
_ROOMS = r"(?:floor|room|kitchen|bath(?:room)?|corridor|hall(?:way)?|ward|cellar|basement|house|toilet|place|lift)"
_FLOODS = (
    rf"(?:(?:the|our|this|that|your) (?:\w+ )?{_ROOMS}|it|everything){_BE}{_HOW} (?:being )?(?:flooding|flooded|"
    r"under water|awash|full of water)(?: .{0,30})?|(?:there's|there is) (?:a flood|flooding|water (?:everywhere|all "
    rf"over)).{{0,30}}|(?:there's |there is )?(?:the )?water(?:{_BE}{_HOW})? (?:everywhere|all "
    rf"over(?: .{{0,20}})?|(?:coming|pouring|gushing|leaking|"
    r"flooding|shooting) (?:in|out|from|through|down|everywhere)(?: .{0,30})?)|"
    rf"(?:an?|the|this|that) (?:\w+ )?(?:pipe|tap|hose|boiler|sink|hydrant){_HAS}(?: is)?{_HOW} (?:burst|bursting|"
    r"overflowing|leaking)(?: .{0,30})?"
)
#: What a robot may run over, fall down or tear, and somebody warns of.
_TRIPS = (
    r"(?:wires?|cables?|cords?|hoses?|tubes?|drip|plug|(?:broken )?glass|shards|puddle|spill|ladder|(?:wet )?paint|"
    r"vase|lamp|stairs|edge|trolley|bed|stretcher|wheelchair|pram|cot|wet floor|water|monitor|oxygen)"
)
#: Who is in need of a doctor, whatever a robot does.
_ILL = (
    r"(?:unconscious|unresponsive|choking|suffocating|convulsing|fitting|dying|bleeding(?: (?:out|badly|heavily|"
    r"a lot))|"
    r"having (?:a|an) (?:\w+ )?(?:seizure|fit|stroke|heart attack|cardiac arrest|attack))"
)
_CODES = (
    r"(?:we have (?:a |an )?|it's (?:a |an )?|it is (?:a |an )?|there's (?:a |an )?|there is (?:a |an )?)?"
    r"(?:code (?:blue|red|pink|black|white)|(?:medical|real) emergency|cardiac arrest|heart attack|man down|"
    r"mayday(?: mayday)*|medic|emergency (?:in|at|on|over|here|outside)\b.{0,30}|respiratory arrest|evacuat(?:e|"
    r"ion)(?: the (?:building|ward|floor))?)"
)
_BREATH = (
    r"(?:(?:he|she|WHOLE)(?: is|'s)? (?:not|isn't|stopped|has stopped) breathing|"
    r"(?:he|she|i|WHOLE) (?:can't|cannot|can not) (?:breathe|(?:get|move|break) (?:out|free|up|away|loose)?(?: "
    r"(?:from|of) .+)?)|"
    r"(?:he|she|WHOLE) (?:has no|hasn't got a|has not got a) pulse|i (?:can't|cannot) feel (?:a|his|her) pulse)"
)
#: A robot that minds nobody.
_MAD = (
    r"(?:(?: is|'s| are| got| getting| gets| is getting)(?: \w+)? (?:out of (?:control|hand)|berserk|haywire|amok|"
    r"uncontrollable|too close to (?:WHOLE|the \w+))|"
    r"(?: is| are|'s|'re)? (?:go(?:es|ing|ne)?|went|run(?:s|ning)?|ran|has gone|have gone|has run|act(?:s|ing)?)"
    r"(?: totally| completely| absolutely)? (?:out of control|mad|crazy|nuts|berserk|haywire|wild|amok|rogue|bananas|"
    r"insane|mental|bonkers|loose)|"
    r"(?: is| are|'s|'re) (?:spinning|turning|driving|running|going) (?:round and round|in circles|around wildly|wild|"
    r"wildly|way too fast|much too fast|far too fast|too fast))"
)
_HEEDS = (
    r"(?:won't|will not|isn't|is not|doesn't|does not|can't|cannot|aren't|are not|don't|do not|didn't|did not) "
    r"(?:stop|stopping|brak(?:e|ing)|slow(?:ing)? down|respond(?:ing)?|(?:react|answer|listen|obey)(?:ing)?(?: "
    r"(?:to )?(?:me|us|anything|anybody|anyone|commands|orders|my \w+))?|"
    r"let(?:ting)? (?:go|me go|him go|her go|go of .+)|mov(?:e|ing) off WHOLE|get(?:ting)? off WHOLE)"
)
_TIPS = (
    r"(?:wobbl(?:es?|ed|ing)|swaying|tip(?:s|ped|ping)?(?: over)?|"
    r"toppl(?:es?|ed|ing)(?: over)?|keel(?:s|ed|ing)? over|overturn(?:s|ed|ing)?|"
    r"(?:f(?:alls?|ell|allen|alling)|roll(?:s|ed|ing)?|slid(?:es?|ing)?|slip(?:s|ped|ping)?|lean(?:s|ed|ing)?|"
    r"crash(?:es|ed|ing)?|com(?:es?|ing)|tumbl(?:es?|ed|ing)|plung(?:es?|ed|ing)) "
    r"(?:over|down(?! to)|off|backwards?|sideways|forwards?|away|onto|into|on|out of) ?(?:.{0,30}))"
)
_NO_TIP = r"(?!f\w+ (?:apart|behind|asleep|short|back on)\b)"
#: What hangs on somebody: a robot that has it hurts them.
_LINE = (
    r"(?:(?:the|a|an|that|this|my|his|her|their|somebody's|someone's|OWNER) )(?:\w+ )?(?:iv|drip|infusion|catheter|"
    r"hose|tubes?|tubing|ventilator|respirator|oxygen|cannula|(?:iv|oxygen|power|drip|feeding|breathing|air) "
    r"(?:line|tube|hose|cable|cord|pole|stand|mask|supply)|monitor cable)s?(?: (?:line|pole|stand|bag|tube|hose))?"
)
_TAKES = (
    r"(?:got|caught|grabb(?:ed|ing)|hooked|snagged|pull(?:s|ed|ing)(?: out| on| at)?|ripp?(?:s|ed|ing)(?: out)?|"
    r"tear(?:s|ing)(?: out)?|tor[en](?: out| off)?|dragg?(?:s|ed|ing)|unplugg?(?:s|ed|ing)|cut(?:s|ting)?|"
    r"yank(?:s|ed|ing)(?: out)?|"
    r"(?:tangled|caught|stuck) (?:up )?in|(?:driv|roll|run)(?:es|s|ing|ning) over|drove over|ran over|knock(?:s|"
    r"ed|ing) "
    r"(?:over|down)|(?:standing|parked|sitting) on)"
)
_COMES = (
    r"(?:running|crawling|walking|coming|stumbling|heading|going|rolling|toddling|playing|sitting|standing|jumping|"
    r"dancing|climbing|riding|hanging|lying|sneaking|cycling|wandering|hiding|crossing|chasing|teasing|poking|touching|"
    r"hugging|holding on to|kicking)"
)
_NEAR = (
    r"(?:(?:right|straight|directly|just|very|too|up|over|out|all|way) )*(?:towards?|into|in front of|at|up to|next to|"
    r"around|behind|between|near|close to|under|underneath|beside|before|on|on top of|onto|with|after|to|by|across|"
    r"in the way of|along with|from|inside)"
)
_FLOORS = (
    r"(?:in|on|into|onto|across|along|down|through|around) (?:the|this|that|your|our|its) (?:\w+ )?(?:corridors?|"
    r"hall(?:way)?s?|"
    r"passage|floor|ground|way|path|aisle|doorway|lift|elevator|stairs|lobby|route|lane|driveway|ward)"
)
_VITAL = (
    r"(?:the|our|that|a|an|my) (?:\w+ )?(?:crash (?:cart|team|trolley)|emergency (?:\w+)|fire (?:exit|door|"
    r"escape)|exit|"
    r"stretcher|ambulance|resus\w*|defibrillator|gurney|escape route|way out)"
)


#: What a robot runs into, and where it would fall.
_RAMS = (
    r"(?:hitting|ramming|smashing|crashing into|banging (?:into|against|on)|bumping (?:into|against)|running into|"
    r"driving into|destroying|wrecking|demolishing|knocking (?:over|down)|tearing down)"
)
_DROP = (
    r"(?:the |a |an )?(?:\w+ )?(?:stairs|staircase|stairwell|steps|edge|ledge|window|lift shaft|crowd|glass door|"
    r"street|road)"
)
_GOES = (
    r"(?:is |are |'s |'re )?(?:driv(?:es?|ing)|head(?:s|ed|ing)|roll(?:s|ing)|go(?:es|ing)|rac(?:es|ing)|com(?:es|ing)|"
    r"mov(?:es|ing)|run(?:s|ning)|speed(?:s|ing)|walk(?:s|ing)|charg(?:es|ing)|backing)"
)


_IT = r"(?:ROBOT|it|they|you|this|that)"
_A_CHILD = (
    r"(?:there's |there is |there are |i see |we have )?(?:(?:some|a|an|the|that|two|three|my|our|another) )?"
    rf"(?:\w+ )?(?:{YOUNG}|(?:{BEAST})s?)"
)
_FELL = (
    r"(?:f(?:e|a)ll(?:en)?(?! (?:in love|asleep|ill|behind|silent|for|out with|pregnant|apart)\b)|went down|gone down|"
    r"collapsed|fainted|passed out|tripped|slipped(?! (?:away|my|his|her)\b)|keeled over|blacked out|"
    r"(?:is|'s) down(?! (?:in|at|with|there|by|to|for|here)\b))"
)
_AT = r"(?: (?:in|on|at|by|near|from|outside|over) (?:[\w']+ ?){1,3})?"
_ANYBODY = r"(?:(?:there's|there is|there are|we have) )?(?:some|somebody|someone|an? LIVING|the LIVING|people|WHOLE)"
_BY_ROBOT = rf"{_NEAR} (?:ROBOT|you|it)(?: and .+)?"
#: What burns, and who is ill.
_FIRE = [
    rf"(?:{_IT}|{_STUFF}|something){_BE}{_HOW} (?:{_SOON} )?{_BURNS}(?: .{{0,30}})?",
    rf"(?:{_IT}|{_STUFF}){_HAS}{_HOW} (?:caught fire|exploded|caught alight)",
    r"(?!(?:our|my|your|we|the|this|that) ?(?:team|band|striker|side|club|player|boys|girls)? ?(?:is|are) on fire$)"
    r"(?:[\w']+ ){1,3}(?:is|are) on fire",
    _FIRES,
    _FLOODS,
    rf"(?:watch|mind|watch out for|look out for|careful with|beware of) (?:the|that|this|my|his|her|our) {_TRIPS}",
    _CODES,
    rf"(?:he|she|{_ANYBODY}){_BE}{_HOW} {_ILL}",
]
#: Who fell, and who is near a robot.
_PEOPLE = [
    rf"(?:there's |there is )?(?:somebody|someone|an? LIVING|the LIVING){_AT}{_HAS}{_HOW} {_FELL}(?: .{{1,40}})?",
    rf"WHOLE{_HAS}{_HOW} {_FELL}(?: (?:over|down|off|out))?(?: .{{0,30}})? (?:{_BY_ROBOT}|on the (?:floor|ground))",
    rf"OWNER (?:\w+ )?(?:{PART}|{WORN})s?{_BE}{_HOW} (?:in|inside|under|between|on) "
    r"(?:(?:the|its|your|one of the|ROBOT's) )(?:\w+ )?(?:gripper|wheel|claw|hand|arm|tray|track|joint|door|motor)s?",
    rf"{_A_CHILD}{_BE}?{_HOW} (?:{_COMES} )?(?:{_BY_ROBOT}|ROBOT|you|(?:out )?{_FLOORS})",
    rf"{_ANYBODY}{_BE}?{_HOW} (?:trapped|stuck|caught|pinned|jammed|crushed) .*(?:ROBOT|you|it|wall|door|lift)",
]
#: What a robot does.
_ROBOTS = [
    rf"(?:ROBOT|it|that thing){_MAD}",
    rf"(?:ROBOT|it){_BE}?{_HAS}(?: will|'ll)?{_HOW} (?:{_SOON} )?{_NO_TIP}{_TIPS}",
    rf"(?:ROBOT|it)(?:{_BE} {_SOON}| will|'ll| might){_HOW} (?:fall|tip|topple|explode|crash|collapse)",
    rf"{_IT}(?:{_BE}|{_HAS}){_HOW} {_TAKES} {_LINE}(?: .{{0,30}})?",
    rf"(?:{_IT}|ROBOT's \w+){_BE}{_HOW} {_RAMS} (?!the (?:rules?|record)).{{2,30}}",
    rf"(?:ROBOT|it){_HAS}? ?{_HOW}{_GOES}{_HOW} (?:straight |right |directly )?(?:for|towards?|at|into|down|over) "
    rf"(?:{_DROP}|{_A_CHILD}|somebody|someone|people)",
    rf"(?:ROBOT|it){_BE}{_HOW} (?:stuck|caught|jammed|parked|leaning) (?:on|against|in|under|between) WHOLE(?:'s .+)?",
    rf"{_IT}{_BE}{_HOW} (?:blocking|in the way of|obstructing) {_VITAL}(?: .{{0,30}})?",
]
#: What is danger only where it is cried.
_ALOUD = [
    rf"(?:he|she|they|{_ANYBODY}){_BE}?{_HOW} (?:{_COMES} )?(?:{_NEAR} )(?:ROBOT|you|it)",
    r"(?:right )?(?:behind|in front of|under|below|beside|next to) (?:you|it)",
    rf"(?:a|the|some|there's a|there is a)? ?(?:{YOUNG})",
    r"(?:smoke|flames|sparks|gas|explosion|it will explode|an explosion)(?: .{0,30})?",
    r"(?:wet|slippery|broken) (?:floor|glass)|(?:there's|there is)(?: \w+)? (?:glass|water|blood|oil|acid|something) "
    r"(?:all over|on) the floor",
    rf"(?:the|that|this|your) (?:\w+ )?\w+{_BE}{_HOW} (?:{_SOON} )?{_NO_TIP}{_TIPS}",
    rf"(?:the|that|this|your) (?:\w+ )?\w+(?:{_BE} {_SOON}| will|'ll){_HOW} (?:fall|tip|topple|explode|collapse)",
    rf"{_IT}{_BE}{_HOW} (?:blocking|obstructing) .{{2,30}}",
    r"(?:call|get|fetch) (?:an? |the )?(?:ambulance|911|112|999|fire (?:brigade|department)|security|crash team|"
    r"police|doctor|help|medic)",
    r"(?:i|we) need (?:a doctor|help|a medic|an ambulance)",
]


def perils(robot: str, whole: str, owner: str, living: str, aloud: bool) -> list[str]:
    """Clauses that cry of danger, for these words for robots, for somebody, for whose something is and for whom;
    `aloud`: with an exclamation mark, or a word to be careful."""
    words = {"ROBOT": robot, "WHOLE": whole, "OWNER": owner, "LIVING": living}
    cries = [*_FIRE, *_PEOPLE, *_ROBOTS, *(_ALOUD if aloud else ())]
    return [re.sub("ROBOT|WHOLE|OWNER|LIVING", lambda f: words[f[0]], c) for c in cries]


def unheeding(robot: str, whole: str) -> re.Pattern[str]:
    """Cries with a no in them: a robot does not stop, somebody does not breathe."""
    heeds, breath = _HEEDS.replace("WHOLE", whole), _BREATH.replace("WHOLE", whole)
    return re.compile(
        rf"(?:(?:help|please|hey|oh|god|stop|quick|and|but|no) )*(?:(?:{robot}|it|that thing|they) {heeds}|{breath}|"
        rf"(?:i|we) (?:can't|cannot|can not) (?:stop|control|hold) (?:it|them|{robot}))"
        r"(?: (?:any ?more|at all|now|please|help|anything|here))*"
    )
