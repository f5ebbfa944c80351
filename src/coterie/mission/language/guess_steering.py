"""Guesses at who is to stop, pause, go on or hurry."""

from __future__ import annotations

from coterie.mission.language.guess_words import is_question
from coterie.mission.language.heard import Heard
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning

#: A thing is not wanted any more.
_UNNEEDED = (
    "(?:do|does|will) not (?:need|want|require)|no longer (?:need|needs|want|wants|required|needed|wanted)|"
    "(?:is|are) not (?:needed|wanted|required|necessary)|(?:nobody|no «n\\d+») (?:needs|wants)|can do without|"
    "not (?:need|needed|wanted) (?:any more|anymore|any longer|after all)|"
    "no (?:more |longer any )?(?:need|reason) (?:for|to (?:bring|deliver|get|send|fetch|carry|take))|"
    "need not (?:bring|deliver|get|send|fetch|carry|take)"
)
#: To have no more to do with something.
_RID = "(?:please )?(?:ditch|dump|lose|kill|axe|bin|get rid of|throw away|throw out)"
#: A stop that is a thing, or something that has happened, of which something is told.
_A_STOP = (
    "(?:the|an?|every|each|your|my|his|our|that|this) (?:emergency |full |big |red |short |long |next |last |first )?"
    "(?:stop|halt|freeze) (?:«\\w+»|\\w+)"
)
_STOP_BUTTON = "stop (?:button|switch|sign|light|word|command|lamp)"
#: To keep something in a hand, which is no wait.
_HOLD = "hold(?! (?:an?|the|my|his|her|its|our|some|this|that|two|one|both|\\d+) (?!«k|one|second|moment|minute|sec))"
_UNDECIDED = "if|when|unless|until|yet|think|maybe|perhaps|said|says|might|to (?:hurry|be|go|come|wait)|was|were"


def stop(h: Heard) -> Meaning | None:
    """A stop in few words, whatever else is cried with it."""
    if h.of("kit", "room", "table", "item", "door", "person", "robot", "task") or h.negated:
        return None
    words = h.text.split()
    if h.has(
        "(?:undo|lift|end|revoke|take back|cancel|remove) (?:the |that |this |my )?stop|"
        "take (?:the |that |this |my )stop back"
    ):
        return m.Steer("resume")
    if h.has("(?:stop|end|quit|abort) (?:the |this |my )?(?:lesson|teaching)"):
        return m.Refuse(m.LEAVE)
    if h.begins(_A_STOP) or h.has(_STOP_BUTTON):
        return None
    what = h.has(
        "stop (?:trying|teaching|asking|talking|telling|saying|by|it from|worrying|fretting|complaining|fussing|"
        "moaning|"
        "whining|panicking|apologi[sz]ing|stressing|grumbling|sulking)",
        "if|when|before|until|after",
    )
    asks = h.asked and not h.begins("can you|could you|would you|will you|please")
    return m.Stop() if h.has("stop|halt|freeze") and len(words) <= 7 and not what and not asks else None


def steer(h: Heard) -> Meaning | None:
    kit, robot = h.one("kit"), h.one("robot")
    left = h.has(
        "leave (?:(?:the|that|those|these|all|my) )*«[ik]\\d+» (?:where (?:it|they) (?:is|are)|there|alone|be|in peace)"
    )
    things = h.of("item", "kit")
    if left and len(things) == 1 and not h.asked:
        return m.Steer("cancel", things[0])
    if len(h.names) == 1 == len(things) and h.begins(_RID) and not h.asked and not h.numbers:
        return m.Steer("cancel", things[0])
    if len(h.names) == 1 and h.of("item") and h.has(_UNNEEDED) and not h.asked and not h.has(_UNDECIDED):
        return m.Steer("cancel", things[0])
    there = h.of("room", "table")
    unwanted = len(h.names) == 2 and len(there) == 1 == len(h.of("item")) and h.has(_UNNEEDED)
    if unwanted and h.begins("i|we|nobody|they") and not h.asked and not h.has(_UNDECIDED):
        return m.Steer("cancel", things[0], where=there[0])
    if h.of("room", "table", "item", "door", "person"):
        return None
    if (
        kit
        and h.has("no (?:need|reason|hurry|rush)|not urgent|no longer urgent|take your time")
        and h.has("hurry|rush|urgent|time|quick|quickly|fast|haste")
    ):
        return m.Steer("prioritise", kit, "low")
    if (
        robot
        and not kit
        and h.has(
            "stop|halt|freeze|stops|stand still|stopped|standstill|at once stop|stopping|do not move|stay still|"
            "hold still"
        )
        and not h.negated
        and not h.has(_STOP_BUTTON)
        and not h.begins("how (?:do|does|can|could|would|should) (?:i|we|one|you|somebody)")
    ):
        return m.Stop((robot,))
    if _only_thinks(h):
        return None
    paused = h.has(
        rf"paus\w+|wait|waits|on hold|{_HOLD}|interrupt\w*|suspend\w*|hold on|hang on|hang fire|stay put|"
        rf"hold off|holding|"
        r"waiting|"
        "a break|stop working on|set aside|rest|rests|stop work|take five|stand by|stay where (?:it|you)|leave (?:it|"
        "the «k\\d+») (?:for now|for a)|"
        "put (?:it|the «k\\d+») aside|a pause|take it easy|breather|idle|freeze work|stop (?:with )?(?:the )?(?:work|"
        "packing)|shelve|no more work|no work",
    )
    if (
        kit
        and paused
        and h.has("later|for now|for a (?:moment|while|bit|minute)|on hold|for the moment|until")
        and not h.has("resum\\w+|again")
    ):
        return m.Steer("pause", kit) if not h.negated or h.has("no more work|no work|not work") else None
    if h.has(
        r"resum\w+|continu\w+|going again|carry on|go on|goes on|keep going|keep on|keep working|pick up (?:the )?work|"
        "get back to|back to|start again|where (?:you|we) left off|proceed with|proceed|move on with|go ahead with|"
        "get on with|unpause|restart|"
        "work on .*again|working on",
    ):
        if paused and len(set(h.of("kit"))) > 1:  # one goes on and another waits
            return None
        if robot and not kit and h.begins("only|just") and not h.negated:
            return m.Steer("resume", robots=(robot,))
        return m.Steer("resume", kit) if kit else None
    if kit and h.has(
        r"cancel\w*|abort\w*|abandon\w*|call(?:ed|ing)? (?:\S+ ){0,3}off|do not need|no longer need|not needed|"
        r"need no|no need for|"
        "no longer needed|scrap|drop|forget about|never mind|not want|do not bother|no longer want|no longer required|"
        "not required|"
        "skip|leave out|do without|scratch|off the list|withdraw|obsolete|no «k\\d+» (?:any more|anymore|please|"
        "needed|required|for)",
    ):
        if h.has(
            "(?:do|should|must|need) not (?:cancel|abort|abandon|call|scrap|drop|forget|skip)|against|decided|"
            "never (?:cancel|abort)"
        ):
            return None
        return m.Steer("cancel", kit)
    if (
        kit
        and h.has(
            "first|urgent|urgently|important|priority|top|prioriti[sz]e|hurry|before anything|"
            "before everything|ahead|rush|asap|quickly|comes before|matters? (?:the )?most|before (?:the rest|all|"
            "any)|goes before|precedence|"
            "most important|first of all|needed (?:first|most)|everything else|takes priority|speed up|quick|critical|"
            "at once|right away|immediately|"
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
            r"cancel\w*|abort\w*|abandon\w*|call(?:ed|ing)? (?:\w+ ){0,3}off|drop (?:it|everything|what|whatever|all|"
            r"that|this)|stop what you are doing|"
            "forget about it|forget the whole|changed my mind|scrap (?:it|everything|what|whatever|all)|leave (?:it|"
            "everything|what) be|"
            "quit what|break (?:it )?off|terminate|give (?:it )?up on|end (?:what|the|this|that)",
        )
        and not h.negated
        and not h.has("lesson|taught|teach|learn(?:ed|t)|learn")
    ):
        every = h.has(
            "(?:all|every one) (?:of )?(?:the |my |our |these |those )?(?:orders|goals|tasks|deliveries|them)|"
            "everything|(?:it|that|this) all|all of (?:it|that|this)|the (?:whole )?lot"
        )
        return m.Steer("cancel", level="all" if every else "")
    return None


def _only_thinks(h: Heard) -> bool:
    """Whether somebody asks, or says what they might do or would have done: nothing is wanted by that."""
    asks = is_question(h) and not h.begins("can you|could you|would you|will you|please")
    return asks or h.has(
        "should (?:i|we)|shall (?:i|we)|i (?:was|am|were) (?:going|about|tempted|inclined|thinking)|"
        "i (?:might|may|could|almost|nearly|thought|wondered|considered)|we (?:might|may|could|were going|thought)|"
        "let (?:me|us) (?:hold|wait|rest)|(?:i|we) (?:will|can|could|shall|would)(?: just)? (?:hold|wait|rest|pause)|"
        "i would have|i had (?:thought|planned)"
    )
