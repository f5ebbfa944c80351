"""On small random problems the engine agrees with going through every state, and all its plans are valid."""

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from coterie.core.expr import Compare, Fluent, all_of, any_of, eq, fl, ge, gt, le, lt, ne, no, plus
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import fluent
from coterie.core.kinds import Kind
from coterie.core.skill import Clause, Effect, Param, Skill, decrease, increase
from coterie.core.skills import Skills
from coterie.planning import own
from coterie.planning.answer import Limits
from coterie.planning.child import flaw
from coterie.planning.judge import faults
from coterie.planning.moment import Moment
from coterie.planning.question import Question
from tests.planning.reference import Reference
from tests.planning.ward import schedule

KINDS = (Kind("spot"), Kind("place", parent="spot"), Kind("robot", parent="spot"), Kind("thing"))
FLUENTS = (
    fluent("at", "robot", value="place"),
    fluent("where", "thing", value="spot"),
    fluent("next", "place", value="place"),
    fluent("holding", "robot", value="thing"),
    fluent("on", "place"),
    fluent("wet", "thing"),
    fluent("count", "place", value="number"),
)
OBJECTS = {"Ann": "robot", "Bob": "robot", "here": "place", "there": "place", "cup": "thing"}
PLACES, ROBOT = ("here", "there"), "?robot"
AT, HELD = fl("at", ROBOT), fl("holding", ROBOT)

params = st.sampled_from(
    [(), (Param("p", "place"),), (Param("t", "thing"),), (Param("p", "place"), Param("t", "thing"))]
)


@st.composite
def place(draw, names):
    options = [*PLACES, AT, fl("next", AT), *(["?p"] if "p" in names else [])]
    return draw(st.sampled_from(options))


def thing(names):
    return "?t" if "t" in names else "cup"


@st.composite
def atom(draw, names):
    """A condition on what a robot could know, with fluents within fluents."""
    p, q, t = draw(place(names)), draw(place(names)), thing(names)
    n = draw(st.integers(0, 2))
    return draw(
        st.sampled_from(
            [
                fl("on", p),
                no(fl("on", p)),
                fl("wet", t),
                no(fl("wet", t)),
                eq(AT, q if not isinstance(q, Fluent) else "here"),
                ne(AT, q if not isinstance(q, Fluent) else "there"),
                eq(HELD, None),
                eq(HELD, t),
                no(eq(HELD, t)),
                eq(fl("where", t), AT),
                ne(fl("where", t), AT),
                eq(fl("where", t), ROBOT),
                eq(AT, fl("at", "Bob")),
                ge(fl("count", p), n),
                lt(fl("count", p), n),
                eq(fl("count", p), n),
                le(plus(fl("count", "here"), fl("count", "there")), n),
            ]
        )
    )


@st.composite
def condition(draw, names):
    if draw(st.integers(0, 3)) < 3:
        return draw(atom(names))
    one, two = draw(atom(names)), draw(atom(names))
    return draw(st.sampled_from([any_of(one, two), no(all_of(one, two)), no(any_of(one, no(two)))]))


@st.composite
def effects(draw, names):
    """Up to three changes, and the conditions that keep numbers small."""
    found, guards = [], []
    for kind in sorted(draw(st.lists(st.integers(0, 8), min_size=1, max_size=3, unique=True))):
        p, t = draw(place(names)), thing(names)
        if kind == 0:
            found.append(Effect(AT, p))
        elif kind == 1:
            found.append(Effect(fl("where", t), draw(st.sampled_from([AT, ROBOT, None, "here"]))))
        elif kind == 2:
            found.append(Effect(HELD, draw(st.sampled_from([t, None]))))
        elif kind == 3:
            found.append(Effect(fl("on", p), draw(st.booleans())))
        elif kind == 4:
            found.append(Effect(fl("wet", t), draw(st.booleans())))
        elif kind in (5, 6):
            found.append(increase(fl("count", p), draw(st.integers(1, 2))))
            guards.append(lt(fl("count", p), 2))
        elif kind == 7:
            found.append(decrease(fl("count", p)))
            guards.append(gt(fl("count", p), 0))
        elif not guards:  # a number is set, or added to, but not both
            found.append(Effect(fl("count", p), draw(st.integers(0, 2))))
    return tuple(found), guards


P, T = Param("p", "place"), Param("t", "thing")
#: Skills that make sense, so that goals take several steps; each may be missing, or have a condition too many.
USUAL = {
    "go": ((P,), [eq(fl("next", AT), "?p")], [Effect(AT, "?p")]),
    "take": ((T,), [eq(fl("where", "?t"), AT), eq(HELD, None)], [Effect(HELD, "?t"), Effect(fl("where", "?t"), ROBOT)]),
    "drop": ((T,), [eq(HELD, "?t")], [Effect(HELD, None), Effect(fl("where", "?t"), AT)]),
    "light": ((P,), [eq(AT, "?p"), no(fl("on", "?p"))], [Effect(fl("on", "?p"), True)]),
    "brew": ((), [fl("on", AT), lt(fl("count", AT), 2)], [increase(fl("count", AT))]),
    "pour": (
        (T,),
        [eq(HELD, "?t"), ge(fl("count", AT), 1)],
        [decrease(fl("count", AT)), Effect(fl("wet", "?t"), True)],
    ),
    "dry": ((T,), [ne(fl("where", "?t"), ROBOT), eq(AT, fl("where", "?t"))], [Effect(fl("wet", "?t"), False)]),
}


@st.composite
def problems(draw):
    own_skills = Skills("small", KINDS, FLUENTS)
    for name, (mine, when, then) in USUAL.items():
        if draw(st.integers(0, 5)) < 5:
            more = [draw(condition({p.name for p in mine}))] if draw(st.integers(0, 4)) == 4 else []
            clauses = tuple(Clause(e, "no", f"c{j}") for j, e in enumerate([*when, *more]))
            own_skills.put(name, Skill(name, mine, clauses, tuple(then), 2.0))
    for i in range(draw(st.integers(0, 2))):
        mine = draw(params)
        names = {p.name for p in mine}
        then, guards = draw(effects(names))
        when = [*guards, *draw(st.lists(condition(names), max_size=3))]
        clauses = tuple(Clause(e, "no", f"c{j}") for j, e in enumerate(when))
        own_skills.put(f"s{i}", Skill(f"s{i}", mine, clauses, then, float(i + 1)))
    facts = {}
    for r in ("Ann", "Bob"):
        facts["at", r] = draw(st.sampled_from([*PLACES, *PLACES, None, UNKNOWN]))
        facts["holding", r] = draw(st.sampled_from([None, None, None, "cup", UNKNOWN]))
    facts["where", "cup"] = draw(st.sampled_from([*PLACES, *PLACES, "Ann", None, UNKNOWN]))
    for p, other in zip(PLACES, reversed(PLACES)):
        facts["next", p] = draw(st.sampled_from([other, other, p, None]))
        facts["on", p], facts["count", p] = draw(st.booleans()), draw(st.integers(0, 2))
    facts["wet", "cup"] = draw(st.booleans())
    robots = {r: [n for n in own_skills if draw(st.integers(0, 3)) < 3] for r in ("Ann", "Bob")}
    goal = [_about_ann(g) for g in draw(st.lists(st.one_of(wishes, atom(set())), min_size=1, max_size=3))]
    return own_skills, facts, robots, goal


wishes = st.sampled_from(
    [
        all_of(fl("wet", "cup"), eq(fl("where", "cup"), "there")),
        all_of(no(fl("wet", "cup")), eq(fl("count", "here"), 2)),
        eq(plus(fl("count", "here"), fl("count", "there")), 3),
        all_of(eq(fl("holding", "Bob"), "cup"), eq(fl("at", "Bob"), "here"), fl("on", "there")),
    ]
)


def _about_ann(expr):
    """A goal names its robot."""
    if isinstance(expr, Fluent):
        return Fluent(expr.pred, tuple(_about_ann(a) for a in expr.args))
    if isinstance(expr, str):
        return "Ann" if expr == ROBOT else expr
    if isinstance(expr, Compare):
        return Compare(expr.op, _about_ann(expr.left), _about_ann(expr.right))
    if hasattr(expr, "exprs"):
        return type(expr)(tuple(_about_ann(e) for e in expr.exprs))
    if hasattr(expr, "expr"):
        return no(_about_ann(expr.expr))
    if hasattr(expr, "left"):
        return type(expr)(expr.op, _about_ann(expr.left), _about_ann(expr.right))
    return expr


@given(problems())
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_the_engine_agrees_with_every_state(problem):
    own_skills, facts, robots, goal = problem
    expected = Reference(own_skills, facts, OBJECTS, robots, goal).solvable()
    assume(expected is not None)
    question = Question.ask(own_skills, lambda *k: facts.get(k, UNKNOWN), OBJECTS, robots, goal)
    answer = own.solve(question, Limits(states=20_000))
    assert answer.status == ("plan" if expected else "none"), answer.words
    if not expected:
        assert answer.why.proof
        return
    assert flaw(question, answer.steps) is None
    moment = Moment(question)
    for step in answer.steps:
        assert moment.unmet(step) is None
        moment.do(step)
    assert moment.reached()
    timed = schedule(question, answer)
    assert faults(question, timed) == []
