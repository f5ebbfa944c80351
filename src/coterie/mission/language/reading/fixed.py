"""Alternatives of the grammar that always mean the same, and those whose meaning has one name in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Want
from coterie.talk.vocabulary import WHICH

IT, OTHER, THERE, HERE, ME, ALL = "@it", "@other", "@there", "@here", "@me", "@all"
SAME = "@same"  # one more of what was spoken of, where `IT` is that one itself


class Name(str):
    """A name with its kind; for things, how many."""

    kind: str = ""
    many: int | None = None

    @property
    def so_many(self) -> int:
        """How many; one where no number was said. Zero is a number."""
        return 1 if self.many is None else self.many


def named(name: str, kind: str, count: int | None = None) -> Name:
    found = Name(name)
    found.kind, found.many = kind, count
    return found


THAT_DOOR = named(f"{IT} door", "door")
_SILENT = ("so_far", "whatif", "able", "lesson_left", "leaving", "goes", "later", "yes", "no", "rather_than",
           "correcting", "does", "same", "unsaid")  # fmt: skip

FIXED: dict[str, Any] = {
    **dict.fromkeys(_SILENT),
    # names and numbers
    "it_robot": named(IT, "robot"),
    "you": named("", "robot"),
    "all_robots": (named(ALL, "robot"),),
    "me": named(ME, "person"),
    "there": named(THERE, "place"),
    "here_place": named(HERE, "place"),
    "that_place": named(f"{IT} place", "place"),
    "other_place": named(f"{OTHER} place", "place"),
    "which_room": named(f"{WHICH} room", "room"),
    "which_table": named(f"{WHICH} table", "table"),
    "that_door": THAT_DOOR,
    "other_door": named(f"{OTHER} door", "door"),
    "it_thing": named(IT, "thing"),
    "same_thing": named(SAME, "thing"),
    "other_thing": named(OTHER, "thing"),
    "one": 1,
    "two": 2,
    # orders
    "open_it": Want(m.DOOR, str(THAT_DOOR)),
    "shut_it": Want(m.DOOR, str(THAT_DOOR), holds=False),
    # questions
    **{f"ask_{about}": m.Ask(about) for about in (
        "plan", "why", "history", "changed", "taught", "understood", "rights", "goals", "who", "help")},
    "ask_doing_all": m.Ask("doing"),
    "ask_who_said_no": m.Ask("who said", what=m.NO),
    "ask_who_said_yes": m.Ask("who said", what=m.YES),
    "ask_who_can_it": m.Ask("who can"),
    "ask_contents_it": m.Ask("contents", what=IT),
    "ask_in_charge": m.Ask("who may", right="command"),
    "which_open": Claim(m.DOOR),
    "which_shut": Claim(m.DOOR, holds=False),
    "which_jammed": Claim(m.JAMMED),
    "which_empty": Claim(m.EMPTY),
    "which_broken": Claim(m.ABLE, holds=False),
    "which_fine": Claim(m.ABLE),
    "which_away": Claim(m.PRESENT, holds=False),
    "can_other": ("other", ""),
    # answers
    "approve": m.Approve(),
    "refuse": m.Refuse(),
    "refuse_for_now": m.Refuse(m.LATER),
    "refuse_all": m.Refuse(m.LEAVE),
    "refuse_lesson": m.Refuse(m.LESSON),
    "nothing": m.Nothing(),
    "stop_all": m.Stop(),
    "pause_all": m.Steer("pause"),
    "resume_all": m.Steer("resume"),
    "cancel_all": m.Steer("cancel"),
    "help_team": m.Steer("help"),
    "hurry": m.Steer("prioritise", level="high"),
    # lessons, rights and small talk
    "teach_something": m.Teach(""),
    **{f"{kind}_kind": kind for kind in ("kit", "task", "skill", "object", "policy")},
    "forget_last": m.Forget(),
    "trigger_missing": (Claim(m.STOCK, holds=False),),
    "trigger_jammed": (Claim(m.JAMMED),),
    "trigger_shut": (Claim(m.DOOR, holds=False),),
    "trigger_grasp": (Claim(m.HOLD, holds=False),),
    "trigger_any": (),
    "react_retry": ("retry", "", ()),
    "react_other": ("other robot", "", ()),
    "react_give_up": ("give up", "", ()),
    **{f"right_{right}": right for right in ("command", "teach", "approve", "stop", "policy", "prioritise")},
    **{how.replace(" ", "_"): m.Greet(how) for how in ("hello", "no worries", "thanks", "bye")},
    "repeat": m.Repeat(),
}  # fmt: skip

#: The first name of an alternative, empty where there is none, into its meaning.
NAMED: dict[str, Callable[[str], Any]] = {
    "go_to": lambda place: Want(m.AT, "", place),
    "do_task": lambda task: Want(m.TASK, task),
    "place_empty": lambda place: Claim(m.EMPTY, "", place),
    "place_not_empty": lambda place: Claim(m.EMPTY, "", place, holds=False),
    "door_open": lambda door: Claim(m.DOOR, door),
    "door_shut": lambda door: Claim(m.DOOR, door, holds=False),
    "door_jammed": lambda door: Claim(m.JAMMED, door),
    "door_not_jammed": lambda door: Claim(m.JAMMED, door, holds=False),
    "person_here": lambda person: Claim(m.PRESENT, person),
    "person_away": lambda person: Claim(m.PRESENT, person, holds=False),
    "robot_fine": lambda robot: Claim(m.ABLE, robot),
    "robot_broken": lambda robot: Claim(m.ABLE, robot, holds=False),
    "kit_ready": lambda kit: Claim(m.KIT, kit),
    "ask_chance": lambda what: m.Ask("chance", what=what),
    "ask_where": lambda what: m.Ask("where", what=what),
    "ask_ability": lambda robot: m.Ask("ability", robot=robot),
    "ask_doing": lambda robot: m.Ask("doing", robot=robot),
    "ask_why_not_robot": lambda robot: m.Ask("why not", robot=robot),
    "cancel_name": lambda what: m.Steer("cancel", what),
    "cancel_room": lambda room: m.Steer("cancel", where=room),
    "pause_room": lambda room: m.Steer("pause", where=room),
    "left_kit": lambda what: m.Steer("cancel", what, "mine"),  # "Not the medkit.", of what its speaker has ordered
    "robot_answer": lambda name: m.Somewhere(name),
    "show": lambda what: m.Show(what),
    "nobody_zone": lambda place: m.Zone(place),
}
#: What somebody can do, with the first name of an alternative.
ABLE = {"can_open": "open", "can_carry": "carry", "can_pick": "pick", "can_pack": "pack", "can_go": "go"}
