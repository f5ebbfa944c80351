"""What a rule mind does in many situations, each named by what it shows."""

import pytest

from coterie.core.facts import UNKNOWN, Fact
from coterie.protocols.rules import Memory
from coterie.protocols.shared.hearing import Signs
from coterie.worlds.indoor.tasks.goals import Pack, Sort
from tests.protocols.rules.situations import (
    FAR,
    NEAR,
    NOW,
    STACK,
    Case,
    failed,
    lies,
    played,
    said,
    searched,
    spot_at,
)

S0, S1, S2, S3 = (f"stand_pose_{i}" for i in range(4))
CUP_ON_SOFA = lies("cup_0", "sofa", (0.8, 0.6, 0.45))
BOOK_ON_BED = lies("book_0", "bed")
ONE = Pack(("cup_0",))
THREE = Pack(("cup_0", "book_0", "egg_0"))
CUP_AT_WORK = lies("cup_0", "cabinet_top")
COLOURS = Sort((("red_0", "panel_red"), ("blue_0", "panel_blue")), ("panel_red", "panel_blue"))

CARRYING = [
    Case("holds a wanted thing away from the table: brings it to the side nearest to the arm", "Alice",
         ("navigate", "table_0", S1), holds="cup_0", at="sofa"),
    Case("that side is closed to it: the next one", "Alice", ("navigate", "table_0", S0), holds="cup_0", at="sofa",
         knows=(("stand_allowed", "Alice", "table_0", S1, False),)),
    Case("that side was taken a moment ago: another one", "Alice", ("navigate", "table_0", S0), at="sofa",
         holds="cup_0", last=("failed", "occupant", "navigate", "table_0", S1)),
    Case("it could not get to the sofa a moment ago: the nearest side of the table all the same", "Alice",
         ("navigate", "table_0", S1), holds="cup_0", at="bed", last=("failed", "allowed", "navigate", "sofa", S1)),
    Case("all sides are closed to it: waits", "Alice", ("wait",), holds="cup_0", at="sofa",
         knows=tuple(("stand_allowed", "Alice", "table_0", s, False) for s in (S0, S1, S2, S3))),
    Case("at the table, the arm has nothing else to do: lays it down for the arm", "Alice",
         ("place", "cup_0", "table_0"), holds="cup_0", at="table_0", stand=0,
         knows=(("contents", "tray", ("book_0",)),)),
    Case("the arm has something else to take first, the tray within reach: tries the last placement itself", "Alice",
         ("place", "cup_0", "tray"), holds="cup_0", at="table_0", stand=0, knows=lies("book_0", "table_0", NEAR)),
    Case("the same while something is left to fetch: lays it down and goes", "Alice", ("place", "cup_0", "table_0"),
         holds="cup_0", at="table_0", stand=0, goal=Pack(("cup_0", "book_0", "pen_0")),
         knows=(*lies("book_0", "table_0", NEAR), *lies("pen_0", "bed"))),
    Case("at the table, the tray out of reach: lays it down for the arm", "Alice", ("place", "cup_0", "table_0"),
         holds="cup_0", at="table_0", stand=1),
    Case("it was told that only the arm may: lays it down for the arm", "Alice", ("place", "cup_0", "table_0"),
         holds="cup_0", at="table_0", stand=0,
         knows=(("may_place", "Alice", "tray", False), *lies("book_0", "table_0", NEAR))),
    Case("another who moves may not: it does not try it either", "Alice", ("place", "cup_0", "table_0"),
         holds="cup_0", at="table_0", stand=0,
         knows=(("may_place", "Lucy", "tray", False), *lies("book_0", "table_0", NEAR))),
    Case("the side where it stands was closed to it meanwhile: goes to another", "Alice",
         ("navigate", "table_0", S1), holds="cup_0", at="table_0", stand=2,
         knows=(("stand_allowed", "Alice", "table_0", S2, False),)),
    Case("a layer that is not next: lays it down for the arm", "Alice", ("place", "ham_0", "table_0"), holds="ham_0",
         at="table_0", stand=0, goal=STACK),
    Case("the layer that is next, for which the arm waits: lays it down for the arm", "Alice",
         ("place", "ham_0", "table_0"), holds="ham_0", at="table_0", stand=0, goal=STACK,
         knows=(("contents", "cutting_board", ("bread_0",)),)),
    Case("the layer that is next, on a stack with a wrong layer: lays it down", "Alice", ("place", "ham_0", "table_0"),
         holds="ham_0", at="table_0", goal=STACK, knows=(("contents", "cutting_board", ("bread_0", "egg_0")),)),
    Case("holds what is not wanted any more: puts it down where it stands", "Alice", ("place", "apple_0", "sofa"),
         holds="apple_0", at="sofa"),
    Case("holds what is not wanted before a shut box: to the table with it", "Alice", ("navigate", "table_0", S1),
         holds="apple_0", at="fridge"),
    Case("holds what is not wanted in the middle of the room: to the table with it", "Alice",
         ("navigate", "table_0", S1), holds="apple_0"),
]  # fmt: skip

FETCHING = [
    Case("a wanted thing lies before it: picks it", "Alice", ("pick", "cup_0"), at="sofa",
         knows=(*CUP_ON_SOFA, *searched("sofa"))),
    Case("a thing known elsewhere: goes to a side from where it reaches it", "Alice", ("navigate", "sofa", S0),
         knows=CUP_ON_SOFA, goal=ONE),
    Case("a thing at the far end of the bed: goes to the side that reaches it", "Alice", ("navigate", "bed", S3),
         knows=lies("book_0", "bed", (1.9, 7.5, 0.5)), goal=Pack(("book_0",))),
    Case("that side was refused a moment ago: tries another side, however far", "Alice", ("navigate", "bed", S0),
         knows=lies("book_0", "bed", (1.9, 7.5, 0.5)), goal=Pack(("book_0",)),
         memory=failed(f"navigate(bed, {S3})", times=1)),
    Case("there, but out of reach: goes round", "Alice", ("navigate", "bed", S3), at="bed", stand=0,
         knows=lies("book_0", "bed", (1.9, 7.5, 0.5)), goal=Pack(("book_0",))),
    Case("a little off the side that reaches it: another one, if there is one", "Lucy", ("navigate", "bed", S3),
         at="bed", stand=2, knows=(*lies("book_0", "bed", (1.18, 7.3, 0.5)), ("pose", "Lucy", (2.53, 6.5))),
         goal=Pack(("book_0",))),
    Case("there is no side that reaches it: moves its base a little", "Alice", ("move", -0.2, 0.0), at="sofa",
         knows=lies("cup_0", "sofa", (0.48, 0.32, 0.45)), goal=ONE),
    Case("the arm found no way from here: another side, if there is one that reaches", "Alice",
         ("navigate", "sofa", S1), at="sofa", stand=0, goal=ONE, knows=lies("cup_0", "sofa", (1.2, 0.6, 0.45)),
         last=("failed", "arm_path", "pick", "cup_0"),
         remembers=("no way to cup_0 at (1.2, 0.6, 0.45) from sofa stand_pose_0",)),
    Case("the thing lies in a shut box before it: opens it", "Alice", ("open", "drawer"), at="drawer", goal=ONE,
         knows=lies("cup_0", "drawer")),
    Case("the box is open: picks it", "Alice", ("pick", "cup_0"), at="drawer", goal=ONE,
         knows=(*lies("cup_0", "drawer"), ("open", "drawer", True))),
    Case("it lies on the floor before a shut box: picks it and opens nothing", "Alice", ("pick", "cup_0"), at="drawer",
         goal=ONE, knows=lies("cup_0", "floor@drawer", (4.05, 7.0, 0.0))),
    Case("two wanted things are known elsewhere: the first of the carriers who open nothing takes the first", "Lucy",
         ("navigate", "sofa", S0), knows=(*CUP_ON_SOFA, *BOOK_ON_BED)),
    Case("and who opens boxes takes the second", "Alice", ("navigate", "bed", S0), knows=(*CUP_ON_SOFA, *BOOK_ON_BED)),
    Case("and the first, where the other has something in hand", "Alice", ("navigate", "sofa", S0),
         goal=Pack(("cup_0", "book_0", "pen_0")), knows=(*CUP_ON_SOFA, *BOOK_ON_BED, ("where", "pen_0", "Lucy"))),
    Case("a layer is found while one below is to be found: leaves it and searches on", "Lucy",
         ("navigate", "cabinet_top", S0), at="sofa", goal=STACK, knows=lies("ham_0", "sofa")),
    Case("the layer that comes first is found: takes it", "Lucy", ("pick", "bread_0"), at="sofa", goal=STACK,
         knows=lies("bread_0", "sofa")),
    Case("a layer is found, and there is nowhere left to search: takes it", "Lucy", ("pick", "ham_0"), at="sofa",
         goal=STACK, knows=(*searched("sofa"), *lies("ham_0", "sofa"), ("open", "fridge", True),
                            ("open", "dishwasher", True), ("open", "drawer", True))),
    Case("a teammate stood where it must go: tries it again at once", "Alice", ("navigate", "sofa", S0),
         knows=(*CUP_ON_SOFA, ("job", "cup_0", "Alice")), last=("failed", "occupant", "navigate", "sofa", S0)),
    Case("and still stands there: another side", "Alice", ("navigate", "sofa", S1),
         knows=(*CUP_ON_SOFA, ("job", "cup_0", "Alice")), last=("failed", "occupant", "navigate", "sofa", S0),
         memory=failed(f"blocked navigate(sofa, {S0})", times=1)),
    Case("asked for by a teammate: what it was asked for comes before what it knows of", "Alice",
         ("navigate", "bed", S0), knows=(*CUP_ON_SOFA, *BOOK_ON_BED, ("job", "book_0", "Alice"))),
    Case("the job of another: left to it", "Alice", ("navigate", "bed", S0),
         knows=(*CUP_ON_SOFA, *BOOK_ON_BED, ("job", "cup_0", "Lucy"))),
    Case("the job of one who has vanished: anybody's again", "Alice", ("navigate", "sofa", S0), others=("Bob",),
         knows=(*CUP_ON_SOFA, *BOOK_ON_BED, ("job", "cup_0", "Lucy"))),
    Case("two carriers at one thing: the second by name lets the first have it, once", "Lucy", ("wait",),
         others=("Alice", "Bob"), at="sofa", goal=ONE, knows=(*CUP_ON_SOFA, ("holding", "Alice", None)),
         remembers=("after you cup_0",)),
    Case("the other did not take it: the second takes it", "Lucy", ("pick", "cup_0"), others=("Alice", "Bob"),
         at="sofa", goal=ONE, knows=(*CUP_ON_SOFA, ("holding", "Alice", None)), memory=said("after you cup_0")),
    Case("the other has its hand full: the second takes it", "Lucy", ("pick", "cup_0"), others=("Alice", "Bob"),
         at="sofa", goal=ONE, knows=(*CUP_ON_SOFA, ("holding", "Alice", "book_0"))),
    Case("two carriers at one thing: the first by name takes it", "Alice", ("pick", "cup_0"), others=("Bob", "Lucy"),
         at="sofa", goal=ONE, knows=(*CUP_ON_SOFA, ("holding", "Lucy", None))),
    Case("a thing too heavy for it: asks the one who can", "Lucy", ("communicate", "Alice, please bring book_0."),
         others=("Alice", "Bob"), knows=lies("book_0", "bed", mass=2.0), goal=Pack(("book_0",)),
         tells=(("where", "book_0", "bed"), ("mass", "book_0", 2.0), ("job", "book_0", "Alice")),
         remembers=("find book_0 bed",)),
    Case("exactly as heavy as it can bear: fetches it", "Lucy", ("navigate", "bed", S0), others=("Alice", "Bob"),
         knows=lies("book_0", "bed", mass=1.5), goal=Pack(("book_0",)), memory=said("after you book_0")),
    Case("a thing too heavy for all: searches on, asks nobody", "Lucy", ("navigate", "cabinet_top", S0),
         others=("Alice", "Bob"), knows=lies("book_0", "bed", mass=9.0)),
    Case("too high for its arm: asks the drone", "Alice", ("communicate", "Lucy, please bring cup_0."),
         knows=lies("cup_0", "cabinet_top"), goal=ONE, tells=(("job", "cup_0", "Lucy"),)),
    Case("refused twice: asks somebody else", "Alice", ("communicate", "Lucy, please bring cup_0."), at="sofa",
         knows=CUP_ON_SOFA, goal=ONE, memory=failed("pick(cup_0)")),
    Case("refused once: tries again", "Alice", ("pick", "cup_0"), at="sofa", knows=CUP_ON_SOFA, goal=ONE,
         memory=failed("pick(cup_0)", times=1)),
    Case("refused twice, long ago: tries again", "Alice", ("pick", "cup_0"), at="sofa", knows=CUP_ON_SOFA, goal=ONE,
         memory=failed("pick(cup_0)", step=5), step=12),
    Case("refused for the second time just now", "Alice", ("communicate", "Lucy, please bring cup_0."), at="sofa",
         knows=CUP_ON_SOFA, goal=ONE, memory=failed("pick(cup_0)", times=1),
         last=("refused", "in_view", "pick", "cup_0")),
    Case("more than one wanted thing here: takes the first, asks for the second", "Alice",
         ("communicate", "Lucy, please bring book_0."), at="sofa",
         knows=(("contents", "sofa", ("book_0", "cup_0")), ("spot", "cup_0", (0.8, 0.6, 0.45)),
                ("spot", "book_0", (1.2, 0.6, 0.45))),
         tells=(("job", "book_0", "Lucy"),), remembers=("find book_0 sofa",)),
    Case("alone with the arm, more than one wanted thing here: takes the first wordlessly", "Alice", ("pick", "cup_0"),
         at="sofa", others=("Bob",),
         knows=(("contents", "sofa", ("book_0", "cup_0")), ("spot", "cup_0", (0.8, 0.6, 0.45)),
                ("spot", "book_0", (1.2, 0.6, 0.45)))),
]  # fmt: skip

CUP_FAR = lies("cup_0", "table_0", FAR)
TOP_FAR = (("contents", "cutting_board", ("bread_0",)), *lies("bread_1", "table_0", FAR), *lies("ham_0", "bed"))

#: What saves a step, and is done only where all is heard.
SAVING = [
    Case("at the table something is out of the arm's reach, and it alone carries: searches, and takes that later",
         "Alice", ("navigate", "book_case", S0), others=("Bob",), knows=CUP_FAR),
    Case("not where something may go unheard: goes for it", "Alice", ("navigate", "table_0", S3), others=("Bob",),
         knows=CUP_FAR, sure=False),
    Case("nor where others carry as well and one thing alone is to be found", "Lucy", ("navigate", "table_0", S1),
         knows=CUP_FAR),
    Case("but where two are", "Lucy", ("navigate", "cabinet_top", S0), knows=CUP_FAR, goal=THREE),
    Case("both are found: first the one elsewhere", "Alice", ("navigate", "bed", S0), others=("Bob",),
         knows=(*CUP_FAR, *BOOK_ON_BED)),
    Case("and in the order of the goal where something may go unheard", "Alice", ("navigate", "table_0", S3),
         others=("Bob",), knows=(*CUP_FAR, *BOOK_ON_BED), sure=False),
    Case("brings it to the side from which it takes that", "Alice", ("navigate", "table_0", S3), holds="book_0",
         at="bed", others=("Bob",), knows=CUP_FAR),
    Case("or to the side nearest to the arm", "Alice", ("navigate", "table_0", S1), holds="book_0", at="bed",
         others=("Bob",), knows=CUP_FAR, sure=False),
    Case("of a stack, what lies below comes before what is here", "Alice", ("navigate", "bed", S0), goal=STACK,
         others=("Bob",), at="table_0", stand=3, knows=TOP_FAR),
    Case("or what is here", "Alice", ("pick", "bread_1"), goal=STACK, others=("Bob",), at="table_0", stand=3,
         knows=TOP_FAR, sure=False),
]  # fmt: skip

SEARCHING = [
    Case("nothing is known: searches what it must, first what few can", "Lucy", ("navigate", "cabinet_top", S0)),
    Case("the one who opens begins with what need not be opened", "Alice", ("navigate", "book_case", S0)),
    Case("and then looks where another would come last, while that one has more left", "Alice",
         ("navigate", "washstand", S0), knows=(("contents", "book_case", ()),)),
    Case("and then goes to the boxes", "Alice", ("navigate", "drawer", S0),
         knows=searched("fridge", "dishwasher", "drawer", "wall_top", "cabinet_top", "sofa", "bed")),
    Case("the other has something to bring: looks at a place of its share before it opens a box", "Alice",
         ("navigate", "sofa", S0), knows=(*searched("fridge", "dishwasher", "drawer", "wall_top", "sofa", "bed"),
                                          ("where", "book_0", "Lucy"), *CUP_AT_WORK, ("job", "cup_0", "Lucy")),
         goal=THREE),
    Case("an earlier episode points to a box: opens it and leaves the others' places to them", "Alice",
         ("navigate", "fridge", S0), knows=(("contents", "washstand", ()), ("hunch", "fridge", 0.9))),
    Case("at a shut box while something is lost: opens it", "Alice", ("open", "fridge"), at="fridge"),
    Case("at a shut box that would not open twice: goes on", "Alice", ("navigate", "book_case", S0), at="fridge",
         memory=failed("open(fridge)"), knows=(("contents", "fridge", ()),)),
    Case("at a shut box that it cannot open: goes on", "Lucy", ("navigate", "cabinet_top", S0), at="fridge"),
    Case("nothing is lost: a shut box stays shut", "Alice", ("wait",), at="drawer",
         knows=(("contents", "tray", ("cup_0", "book_0")),)),
    Case("an earlier episode points to a place: goes there first", "Alice", ("navigate", "fridge", S0),
         knows=(("hunch", "fridge", 0.9),)),
    Case("its share is done: says what it has looked at", "Lucy", ("communicate", "I have looked at"),
         knows=searched("fridge", "dishwasher", "drawer", "book_case"), remembers=("share done",),
         tells=(("contents", "cabinet_top", ()), ("contents", "wall_top", ()))),
    Case("its share is done and told: helps with the others' share", "Lucy", ("navigate", "book_case", S0),
         knows=searched("fridge", "dishwasher", "drawer", "book_case"), memory=said("share done")),
    Case("alone on the move: no words about shares, goes on with the rest", "Alice", ("navigate", "drawer", S0),
         others=("Bob",), knows=searched("drawer")),
    Case("everything was searched: there is nothing to do early on", "Alice", ("wait",), knows=searched(), step=6),
    Case("everything was searched, and half the time is gone: looks again", "Alice", ("navigate", "bed", S0),
         knows=searched(), step=20, memory=said("share done")),
    Case("everything was searched, and a teammate has vanished: it may have dropped something", "Alice",
         ("navigate", "bed", S0), knows=searched(), others=("Bob",),
         memory=said("share done", team=frozenset(("Alice", "Bob", "Lucy")))),
    Case("looks again, but not where it stands", "Alice", ("navigate", "book_case", S0), knows=searched(), at="bed",
         step=20, memory=said("share done")),
    Case("a place closed to it: tells the others, who can go", "Alice", ("communicate", "I may not enter washstand"),
         knows=(("allowed", "Alice", "washstand", False),), remembers=("closed washstand",),
         tells=(("allowed", "Alice", "washstand", False),)),
    Case("a place closed to it that nobody else can search: no words", "Alice", ("navigate", "book_case", S0),
         knows=(("allowed", "Alice", "fridge", False),)),
    Case("a place closed to it that was searched: no words", "Alice", ("navigate", "washstand", S0),
         knows=(("allowed", "Alice", "book_case", False), ("contents", "book_case", ()))),
    Case("a side could not be reached a moment ago: tries another side", "Alice", ("navigate", "book_case", S1),
         memory=failed(f"navigate(book_case, {S0})", times=1)),
    Case("no side can be reached: tries the first again", "Alice", ("navigate", "book_case", S0),
         memory=failed(f"navigate(book_case, {S0})", f"navigate(book_case, {S1})", times=1)),
    Case("a find with one who is gone is lost again", "Alice", ("navigate", "book_case", S0), others=("Bob",), goal=ONE,
         knows=(("where", "cup_0", "Lucy"),)),
    Case("a find in the hand of a teammate is not lost", "Alice", ("wait",), goal=ONE,
         knows=(("where", "cup_0", "Lucy"),)),
    Case("one that cannot carry tells what it found, to one who can and is not needed for boxes", "David",
         ("communicate", "Lucy, please bring cup_0."), others=("Alice", "Bob", "Lucy"), at="sofa", knows=CUP_ON_SOFA,
         goal=ONE, tells=(("job", "cup_0", "Lucy"), ("where", "cup_0", "sofa"))),
    Case("and whoever has a job already is asked last", "David", ("communicate", "Alice, please bring cup_0."),
         others=("Alice", "Bob", "Lucy"), at="sofa", knows=(*CUP_ON_SOFA, *BOOK_ON_BED, ("job", "book_0", "Lucy"))),
    Case("and says so once", "David", ("navigate", "book_case", S1), others=("Alice", "Bob", "Lucy"),
         knows=CUP_ON_SOFA, memory=said("find cup_0 sofa")),
    Case("it stands in the way of one on wheels who must come here: makes room", "David", ("navigate", "book_case", S0),
         others=("Alice", "Bob"), at="sofa", knows=CUP_ON_SOFA, goal=ONE, memory=said("find cup_0 sofa")),
    Case("a drone needs no room on the floor: stays", "David", ("wait",), others=("Bob", "Lucy"), at="sofa",
         knows=CUP_ON_SOFA, goal=ONE, memory=said("find cup_0 sofa")),
    Case("the goal is unknown: waits", "Alice", ("wait",), goal=None),
    Case("an action that fails again and again is left alone", "Alice", ("wait",), knows=searched("sofa"),
         others=("Bob",), goal=ONE, memory=failed(*(f"navigate(sofa, {s})" for s in (S0, S1, S2)), times=3)),
    Case("fails often, but not too often: tried again", "Alice", ("navigate", "sofa", S0), knows=searched("sofa"),
         others=("Bob",), goal=ONE, memory=failed(*(f"navigate(sofa, {s})" for s in (S0, S1, S2)), times=2)),
]  # fmt: skip

AT_THE_ARM = [
    Case("a wanted thing within reach: picks it", "Bob", ("pick", "cup_0"), at="table_0",
         knows=lies("cup_0", "table_0", NEAR)),
    Case("holds a wanted thing: onto the tray", "Bob", ("place", "cup_0", "tray"), at="table_0", holds="cup_0"),
    Case("holds what is not wanted: beside the tray", "Bob", ("place", "apple_0", "table_0"), at="table_0",
         holds="apple_0"),
    Case("could not place it twice: lays it down", "Bob", ("place", "cup_0", "table_0"), at="table_0", holds="cup_0",
         memory=failed("place(cup_0, tray)")),
    Case("a wanted thing at its table out of reach: asks a carrier", "Bob",
         ("communicate", "Out of my reach at table_0: cup_0. cup_0 is at table_0 (0.2 kg). Alice, please bring cup_0."),
         at="table_0", others=("Alice", "David"), knows=lies("cup_0", "table_0", FAR),
         tells=(("job", "cup_0", "Alice"),), remembers=("far cup_0 table_0",)),
    Case("and asks once", "Bob", ("wait",), at="table_0", others=("Alice", "David"),
         knows=lies("cup_0", "table_0", FAR), memory=said("far cup_0 table_0")),
    Case("with nobody to carry: waits", "Bob", ("wait",), at="table_0", others=("David",),
         knows=lies("cup_0", "table_0", FAR)),
    Case("what does not belong on the tray: takes it off", "Bob", ("pick", "apple_0"), at="table_0",
         knows=(("contents", "tray", ("cup_0", "apple_0")),)),
    Case("what is needed comes before what is wrong", "Bob", ("pick", "book_0"), at="table_0",
         knows=(("contents", "tray", ("apple_0",)), *lies("book_0", "table_0", NEAR))),
    Case("what is needed could not be picked twice: what is wrong", "Bob", ("pick", "apple_0"), at="table_0",
         knows=(("contents", "tray", ("apple_0",)), *lies("book_0", "table_0", NEAR)), memory=failed("pick(book_0)")),
    Case("nothing is needed or wrong: waits", "Bob", ("wait",), at="table_0",
         knows=(("contents", "tray", ("cup_0", "book_0")),)),
    Case("a stack with a wrong layer: takes the upmost off first", "Bob", ("pick", "bread_1"), at="table_0", goal=STACK,
         knows=(("contents", "cutting_board", ("bread_0", "egg_0", "bread_1")), *lies("ham_0", "table_0", NEAR))),
    Case("the next layer and a later one within reach: the next", "Bob", ("pick", "ham_0"), at="table_0", goal=STACK,
         knows=(("contents", "cutting_board", ("bread_0",)), ("contents", "table_0", ("bread_1", "ham_0")),
                ("spot", "bread_1", NEAR), ("spot", "ham_0", (2.3, 2.6, 0.75)))),
    Case("only a later layer within reach: waits for its turn", "Bob", ("wait",), at="table_0", goal=STACK,
         knows=(("contents", "cutting_board", ("bread_0",)), *lies("bread_1", "table_0", NEAR))),
    Case("holds a later layer: lays it down", "Bob", ("place", "bread_1", "table_0"), at="table_0", goal=STACK,
         holds="bread_1"),
    Case("holds the next layer, but the stack is wrong: lays it down", "Bob", ("place", "ham_0", "table_0"),
         at="table_0", goal=STACK, holds="ham_0", knows=(("contents", "cutting_board", ("bread_0", "egg_0")),)),
    Case("a newcomer: told once what was searched and found", "Bob", ("communicate", "Welcome. Already searched: bed."),
         at="table_0", knows=BOOK_ON_BED, memory=said(team=frozenset(("Alice", "Bob"))), others=("Alice", "Lucy"),
         tells=(("contents", "bed", ("book_0",)), ("where", "book_0", "bed")), remembers=("news Lucy",)),
    Case("a newcomer is told before anything else is done", "Bob", ("communicate", "Already searched: bed."),
         at="table_0", holds="cup_0", knows=BOOK_ON_BED, memory=said(team=frozenset(("Alice", "Bob"))),
         others=("Alice", "Lucy"), remembers=("news Lucy",)),
    Case("a newcomer that was told", "Bob", ("wait",), at="table_0", knows=BOOK_ON_BED, others=("Alice", "Lucy"),
         memory=said("news Lucy", team=frozenset(("Alice", "Bob")))),
    Case("a newcomer without a card yet: waits for its introduction", "Bob", ("wait",), at="table_0", knows=BOOK_ON_BED,
         others=("Alice", "Lucy"), strangers=("Lucy",), memory=said(team=frozenset(("Alice", "Bob")))),
    Case("a newcomer, and nothing to tell", "Bob", ("wait",), at="table_0", others=("Alice", "Lucy"),
         memory=said(team=frozenset(("Alice", "Bob"))), remembers=("news Lucy",)),
]  # fmt: skip

TALKING = [
    Case("its share is done, and something was found: says both", "Lucy",
         ("communicate", "cup_0 is at fridge (0.2 kg)."),
         knows=(*searched("fridge", "dishwasher", "drawer", "book_case"), *lies("cup_0", "fridge")),
         memory=said("find cup_0 fridge"), tells=(("where", "cup_0", "fridge"),)),
    Case("a box it cannot open: asks the one who can", "Lucy", ("communicate", "Alice, please bring cup_0."), goal=ONE,
         knows=lies("cup_0", "fridge"), tells=(("job", "cup_0", "Alice"),)),
    Case("the box stands open: fetches it itself", "Lucy", ("navigate", "fridge", S0), goal=ONE,
         knows=(*lies("cup_0", "fridge"), ("open", "fridge", True)), memory=said("after you cup_0")),
    Case("it stands open for the one who is asked, too", "David", ("communicate", "Lucy, please bring cup_0."),
         goal=ONE,
         others=("Bob", "Lucy"), knows=(*lies("cup_0", "fridge"), ("open", "fridge", True)),
         tells=(("open", "fridge", True), ("spot", "cup_0", spot_at("fridge")))),
    Case("two things for two carriers: one each", "David",
         ("communicate", "Lucy, please bring cup_0. Alice, please bring book_0."),
         others=("Alice", "Bob", "Lucy"), knows=(*CUP_ON_SOFA, *BOOK_ON_BED),
         tells=(("job", "cup_0", "Lucy"), ("job", "book_0", "Alice")),
         remembers=("find cup_0 sofa", "find book_0 bed")),
    Case("a place that is closed to the other: the other is not asked", "David",
         ("communicate", "Lucy, please bring cup_0."),
         others=("Alice", "Bob", "Lucy"), goal=ONE, knows=(*CUP_ON_SOFA, ("allowed", "Alice", "sofa", False))),
    Case("all is found, and one is to bring two things: takes the one that the other did not say it takes", "Alice",
         ("communicate", "Lucy has something else to do. I take cup_0."), tells=(("job", "cup_0", "Alice"),),
         knows=(*CUP_ON_SOFA, *BOOK_ON_BED, ("job", "cup_0", "Lucy"), Fact("job", ("book_0",), "Lucy", NOW, "Lucy"))),
    Case("a third thing is nobody's: goes for that, and takes over nothing", "Alice", ("navigate", "table_1", S0),
         knows=(*CUP_ON_SOFA, *BOOK_ON_BED, *lies("egg_0", "table_1"), ("job", "cup_0", "Lucy"),
                Fact("job", ("book_0",), "Lucy", NOW, "Lucy")), goal=THREE),
    Case("the other brings one thing alone: leaves it to the other", "Alice", ("wait",), goal=ONE,
         knows=(*CUP_ON_SOFA, Fact("job", ("cup_0",), "Lucy", NOW, "Lucy"))),
    Case("something is lost, and nothing left that it could search: takes over all the same", "Lucy",
         ("communicate", "Alice has something else to do. I take cup_0."), goal=THREE,
         knows=(*searched("fridge", "sofa", "bed"), *CUP_ON_SOFA, *BOOK_ON_BED, ("job", "cup_0", "Alice"),
                Fact("job", ("book_0",), "Alice", NOW, "Alice")), memory=said("share done")),
    Case("what the other would have brought sooner is left to the other while there are boxes to open", "Alice",
         ("navigate", "drawer", S0), knows=(*searched("fridge", "dishwasher", "drawer", "sofa"), *CUP_ON_SOFA)),
    Case("of a stack, what a silent one was to bring comes before what lies above it", "Alice",
         ("navigate", "sofa", S0), goal=STACK, memory=Memory(introduced=True, signs=Signs(last=(("Lucy", 2),))),
         knows=(*lies("bread_0", "sofa", (0.8, 0.6, 0.45)), *lies("ham_0", "table_0", NEAR), *lies("bread_1", "bed"),
                ("job", "bread_0", "Lucy"), ("job", "bread_1", "Alice"))),
    Case("and not while the other gives signs", "Alice", ("navigate", "bed", S0), goal=STACK,
         memory=Memory(introduced=True, signs=Signs(last=(("Lucy", 5),))),
         knows=(*lies("bread_0", "sofa", (0.8, 0.6, 0.45)), *lies("ham_0", "table_0", NEAR), *lies("bread_1", "bed"),
                ("job", "bread_0", "Lucy"), ("job", "bread_1", "Alice"))),
    Case("nobody could bring it: searches on", "David", ("navigate", "bed", S3), others=("Bob",), knows=CUP_ON_SOFA),
    Case("a newcomer is told whose job is what", "Bob",
         ("communicate", "Welcome. Already searched: nothing. cup_0 is at sofa."),
         at="table_0", knows=(("where", "cup_0", "sofa"), ("job", "cup_0", "Alice")), others=("Alice", "Lucy"),
         memory=said(team=frozenset(("Alice", "Bob"))), tells=(("job", "cup_0", "Alice"), ("where", "cup_0", "sofa"))),
    Case("nothing is missing: a newcomer needs no words", "Bob", ("wait",), at="table_0", others=("Alice", "Lucy"),
         memory=said(team=frozenset(("Alice", "Bob"))),
         knows=(*lies("apple_0", "bed"), ("contents", "tray", ("cup_0", "book_0")))),
    Case("it saw the other with an empty hand, but not now: takes the thing", "Lucy", ("pick", "cup_0"), at="sofa",
         goal=ONE, knows=(*CUP_ON_SOFA, Fact("holding", ("Alice",), None, NOW - 1, "Lucy"))),
    Case("it heard of an empty hand, but saw none: takes the thing", "Lucy", ("pick", "cup_0"), at="sofa",
         goal=ONE, knows=(*CUP_ON_SOFA, Fact("holding", ("Alice",), None, NOW, "Alice"))),
]  # fmt: skip

EDGES = [
    Case("the arm is gone: what lies on the table is nobody's but the carriers'", "Alice", ("navigate", "table_0", S0),
         others=("Lucy",), goal=ONE, knows=(*lies("cup_0", "table_0", NEAR), ("pose", "Bob", (1.9, 2.65)))),
    Case("the arm is gone: the carrier places it itself", "Alice", ("place", "cup_0", "tray"), others=("Lucy",),
         goal=ONE,
         holds="cup_0", at="table_0", stand=0),
    Case("on the floor beside the work table is not delivered", "Alice", ("navigate", "table_0", S1), goal=ONE,
         knows=lies("cup_0", "floor@table_0", (1.95, 3.2, 0.0))),
    Case("on the table within reach of the arm is delivered", "Alice", ("wait",), goal=ONE,
         knows=lies("cup_0", "table_0", NEAR)),
    Case("on the table out of reach of the arm is not", "Alice", ("navigate", "table_0", S3), goal=ONE,
         knows=lies("cup_0", "table_0", FAR)),
    Case("it stands where it reaches the thing from: stays on this side", "Alice", ("pick", "cup_0"), at="sofa",
         stand=1,
         goal=ONE, knows=lies("cup_0", "sofa", (1.2, 0.6, 0.45))),
    Case("every side of the sofa is closed to it: asks the other", "Alice",
         ("communicate", "Lucy, please bring cup_0."),
         goal=ONE, knows=(*CUP_ON_SOFA, *(("stand_allowed", "Alice", "sofa", s, False) for s in (S0, S1, S2)))),
    Case("makes room in the same room, and not where something is wanted", "David", ("navigate", "sofa", S0),
         at="book_case",
         others=("Alice", "Bob"), memory=said("find cup_0 book_case"), goal=ONE, knows=lies("cup_0", "book_case")),
    Case("it stands elsewhere: no need to make room", "David", ("wait",), at="book_case", others=("Alice", "Bob"),
         memory=said("find cup_0 sofa"), goal=ONE, knows=CUP_ON_SOFA),
    Case("the one who must come is here already, on another side: no need to make room", "David", ("wait",),
         at="sofa", others=("Alice", "Bob"), memory=said("find cup_0 sofa"), goal=ONE,
         knows=(*lies("cup_0", "sofa", (2.4, 0.6, 0.45)), ("holding", "Alice", None))),
    Case("it is here already, but reaches the thing from this side: makes room", "David",
         ("navigate", "book_case", S0), at="sofa", others=("Alice", "Bob"), memory=said("find cup_0 sofa"), goal=ONE,
         knows=(*CUP_ON_SOFA, ("holding", "Alice", None))),
    Case("an unknown spot is worth a try from any side", "Alice", ("navigate", "sofa", S0), goal=ONE,
         knows=(("contents", "sofa", ("cup_0",)),)),
    Case("an unknown spot before it: picks", "Alice", ("pick", "cup_0"), goal=ONE, at="sofa",
         knows=(("contents", "sofa", ("cup_0",)),)),
    Case("a thing below what its arm reaches down to", "Bob", ("wait",), at="table_0", goal=ONE,
         knows=lies("cup_0", "floor@table_0", (1.95, 3.2, 0.0)), memory=said("far cup_0 floor@table_0")),
    Case("a failed word is remembered as a failure and the work goes on", "Alice", ("pick", "cup_0"), at="sofa",
         goal=ONE,
         knows=CUP_ON_SOFA, last=("failed", "slipped", "pick", "cup_0")),
    Case("things for the panels: each on its own", "Bob", ("place", "blue_0", "panel_blue"), at="table_0", goal=COLOURS,
         holds="blue_0"),
    Case("a solid on a panel of another colour comes off", "Bob", ("pick", "blue_0"), at="table_0", goal=COLOURS,
         knows=(("contents", "panel_red", ("red_0", "blue_0")),)),
]  # fmt: skip

CASES = [*TALKING, *EDGES, *CARRYING, *FETCHING, *SAVING, *SEARCHING, *AT_THE_ARM]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.who}: {c.name}")
def test_situation(case):
    action, memory = played(case)
    skill, *args = case.does
    if skill == "communicate":
        assert action.skill == skill, f"{action}: {action.why}"
        assert args[0] in action.args[0]
    else:
        assert (action.skill, *action.args) == case.does, f"{action}: {action.why}"
    told = {(f.pred, *f.args, f.value) for f in action.facts}
    assert set(case.tells) <= told
    assert set(case.remembers) <= memory.said
    assert memory.said >= case.memory.said


def test_the_names_say_something_each():
    assert len({(c.who, c.name) for c in CASES}) == len(CASES)


def test_a_team_is_met_once_and_newcomers_are_known_as_such():
    first = Memory().meet(frozenset(("Alice", "Bob")))
    assert (first.team, first.newcomers) == ({"Alice", "Bob"}, frozenset())
    later = first.meet(frozenset(("Alice", "Bob", "Lucy")))
    assert (later.team, later.newcomers) == ({"Alice", "Bob"}, {"Lucy"})
    assert later.meet(frozenset(("Alice", "Bob", "Lucy"))) is later
    assert later.meet(frozenset(("Alice", "Bob"))).newcomers == frozenset()


def test_a_failure_counts_for_six_steps_and_only_the_last_dozen_are_kept():
    memory = Memory().fail("pick(cup_0)", 4).fail("pick(cup_0)", 5)
    assert (memory.failed("pick(cup_0)", 10), memory.failed("pick(cup_0)", 11), memory.failed("pick(cup_0)", 12)) == (
        2,
        1,
        0,
    )
    assert memory.gave_up("pick(cup_0)", 10)
    assert not memory.gave_up("pick(cup_0)", 11)
    assert not memory.hopeless("pick(cup_0)", 10)
    assert memory.fail("pick(cup_0)", 6).hopeless("pick(cup_0)", 10)
    assert Memory().give_up("open(box)", 3).gave_up("open(box)", 3)
    for step in range(20):
        memory = memory.fail("open(box)", step)
    assert len(memory.failures) == 12
    assert memory.failures[-1] == ("open(box)", 19)


def test_what_is_unknown_is_no_fact_for_others():
    case = Case("", "David", (), at="sofa", others=("Alice", "Bob"), knows=(*CUP_ON_SOFA, ("mass", "cup_0", UNKNOWN)))
    action, _ = played(case)
    assert not [f for f in action.facts if f.value is UNKNOWN]
