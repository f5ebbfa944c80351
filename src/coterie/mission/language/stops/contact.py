"""Danger by the few words that make it one, whatever stands between them: a robot, a blow and a body; a child near a
robot; somebody who is down; a robot that burns or thrashes about.

It is looser than the sentences of `harm.py` and `peril.py`: a needless stop costs little.
"""

from __future__ import annotations

import re

from coterie.mission.language.stops.bodies import BEAST, HOLDS, PART, WORN, YOUNG

_SOME = r"(?: [\w']+){0,4}?"
#: What a robot does to a body that it should not do; pushing and pulling somebody may be its work.
_BLOWS = (
    r"(?:flatten|squash|crush|slap|whack|smack|punch|pok|jab|hit|knock|ramm?|trampl|scratch|squeez|trapp?|bump|hurt|"
    r"stabb?|kick|thump|trip|burn|chok|strangl|shov|clipp?|graz|scrap|mow|slamm?|plough|plow|wedg|pinn?|pinch|yank|"
    r"tear|ripp?|nipp?|snapp?|lung|attack|corner|swing|fling|throw|toss|crash|smash|bash|batter|bruis|cutt?|jam|jamm|"
    r"shock|electrocut|suffocat|tackl|bang|mangl|stomp|tread|grabb?|clamp|catch|bit|spill|pour)"
    r"(?:es|s|ed|t|ing|e)?|swung|struck|striking|bit(?:ten)?|threw|thrown|flung|caught|tore|torn|trod|spilt|"
    r"(?:ran|run|runs|running|drove|drives?|driving|rolls?|rolled|rolling|walks?|walking|went|goes|going|"
    r"back(?:s|ed|ing)?)"
    r"(?: \w+)? (?:over|into|onto|against)"
)
#: What a robot does to a tube or cable that somebody hangs on.
_TUGS = (
    r"(?:pull|dragg?|chew|tugg?|hook|tangl|unplugg?|yank|ripp?|tear|cutt?|snagg?|bit|grabb?|catch|trapp?|crush|squeez|"
    r"pinch|kink|knock|sever|roll|driv|stand)(?:es|s|ed|ing|e|led)?|torn|tore|caught|bitten|got|ran over|stuck in|stood"
)
_LINES = (
    r"(?:iv|drip|infusion|catheter|cannula|hose|tube|tubing|ventilator|respirator|oxygen|drain|(?:power|monitor|"
    r"breathing|feeding|oxygen|iv) (?:line|cable|cord|mask))s?"
)
#: Where somebody is in reach of a robot.
_BY = (
    r"(?:in front of|under|underneath|beneath|behind|towards?|next to|near|close to|on top of|into|between|before|"
    r"beside|up to|in the (?:way|path) of)"
)
#: Where a foot or a sleeve is that a robot has caught.
_STUCK = r"(?:under(?:neath)?|beneath|between|(?:stuck|caught|trapped|jammed|wedged|pinned) (?:in|under|between|by))"
_BURNS = r"(?:burning|on fire|in flames|smoking|sparking|smou?ldering|overheating|melting|exploding|glowing red)"
_DOWN = (
    r"(?:unconscious|unresponsive|convulsing|out cold|having an? (?:\w+ )?(?:seizure|stroke|fit|heart attack)|"
    r"bleeding(?! edge)|collaps(?:ed|ing)|faint(?:ed|ing)|passed out|blacked out|keeled over|tumbled|toppled|"
    r"not moving|motionless|lying (?:down )?(?:on the (?:floor|ground)|there))"
)
_WILD = (
    r"(?:spin|whirl|thrash|flail|jerk|twitch|swing|lash|hurtl|career|zigzagg?|rampag|shak|rac)(?:n?ing|s)"
    r"(?= .*\b(?:around|about|like (?:mad|crazy|hell)|wildly|uncontrollably|violently|out of control|through|madly|"
    r"everywhere)\b)|(?:like mad|uncontrollably|out of control|rampaging|amok|berserk|haywire)"
)
#: What is no harm although the words are there.
_TAME = re.compile(
    r"\b(?:pictures?|photos?|drew|drawing|story|stories|joke|song|book|talk(?:s|ed|ing)? (?:to|about)|love[sd]?|"
    r"like[sd]|"
    r"wave[sd]?|waving|smil\w+|look(?:s|ed|ing)? at|hit it off|big hit|a hit|catch(?:es)? (?:up|my eye)|caught my eye|"
    r"name[ds]?|call(?:ed|s)|queue|line of|cheer\w*|practi[sc]\w+|training|exercise|drill)\b"
)


def meets(clause: str, robot: str, whole: str, living: str) -> bool:
    """Whether the words of danger stand in a clause, in their order."""
    if _TAME.search(clause):
        return False
    it = rf"(?:{robot}|it|you|that thing)"
    mine = r"(?:my|our|his|her|their|your|somebody's|someone's|the \w+'s|a \w+'s)"
    body = rf"(?:{whole}|{mine} (?:\w+ )?(?:{PART}|{WORN}|{HOLDS})s?|(?:an?|the|that|this|my|our|two|some) {living}s?)"
    some = rf"(?:somebody|someone|people|(?:an?|the|that|this|my|our|his|her|two|some) {living}s?|he|she)"
    young = rf"(?:{YOUNG}|(?:{BEAST})s?)"
    dangers = (
        rf"\b{it}(?:'s|'ve|'re|'ll)?{_SOME} (?:{_BLOWS})(?: (?:{robot}|its|[\w']+)){{0,3}}? {body}\b",
        rf"\b{it}(?:'s|'ve|'re)?{_SOME} (?:{_TUGS}){_SOME} {_LINES}\b",
        rf"\b{mine} (?:\w+ )?(?:{PART}|{WORN})s?(?:'s)?{_SOME} {_STUCK} (?:the |that |this |your )?"
        rf"(?:{robot}|you|it)\b",
        rf"\b{young}(?:'s)?{_SOME} {_BY} (?:the |that |this |your )?(?:{robot}|you|it)\b",
        rf"\b{some}(?:'s)?{_SOME} {_DOWN}\b",
        rf"\b{robot}(?:'s)?{_SOME} {_BURNS}\b",
        rf"\b(?:smoke|sparks?|flames?){_SOME} (?:out of|from|off|on|inside) (?:the |that |your )?(?:{robot}|it|you)\b",
        rf"\b(?:{robot}|it)(?:'s)?{_SOME} (?:{_WILD})",
    )
    return any(re.search(d, clause) for d in dangers)
