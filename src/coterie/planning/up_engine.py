"""Our engine as one of `unified_planning`'s, so that it can be exchanged for others and others for it.

    from coterie.planning.up_engine import register
    register()
    with OneshotPlanner(name="coterie") as planner: ...

Importing this module needs the package `unified-planning`.
"""

from __future__ import annotations

from typing import IO, Any

from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum
from coterie.core.fluents import BOOL, NUMBER, Declared
from coterie.core.skill import Clause, Effect, How, Param, Skill
from coterie.planning import own
from coterie.planning.answer import Limits
from coterie.planning.needs import load, shortcuts
from coterie.planning.operators import Operator
from coterie.planning.question import ROBOT, Question

NAME = "coterie"
NOBODY = "nobody!"  # problems of others name no robot: this one does everything
_up: Any = load("unified_planning")
_engines: Any = load("unified_planning.engines")
_mixins: Any = load("unified_planning.engines.mixins")
_plans: Any = load("unified_planning.plans")
_kinds: Any = load("unified_planning.model")
_FEATURES = {
    "set_problem_class": ("ACTION_BASED",),
    "set_problem_type": ("SIMPLE_NUMERIC_PLANNING", "GENERAL_NUMERIC_PLANNING"),
    "set_typing": ("FLAT_TYPING", "HIERARCHICAL_TYPING"),
    "set_fluents_type": ("INT_FLUENTS", "REAL_FLUENTS", "OBJECT_FLUENTS"),
    "set_conditions_kind": ("NEGATIVE_CONDITIONS", "DISJUNCTIVE_CONDITIONS", "EQUALITIES"),
    "set_effects_kind": (
        "INCREASE_EFFECTS",
        "DECREASE_EFFECTS",
        "STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS",
        "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS",
        "FLUENTS_IN_NUMERIC_ASSIGNMENTS",
        "FLUENTS_IN_OBJECT_ASSIGNMENTS",
    ),
}


def register() -> None:
    """Make the engine known under its name."""
    shortcuts().get_environment().factory.add_engine(NAME, __name__, "CoterieEngine")


class CoterieEngine(_engines.Engine, _mixins.OneshotPlannerMixin):  # type: ignore[misc, unused-ignore]
    """`states` is how many may be visited; without it the limit is that of every question."""

    def __init__(self, states: int | None = None):
        _engines.Engine.__init__(self)
        _mixins.OneshotPlannerMixin.__init__(self)
        self.states = states

    @property
    def name(self) -> str:
        return NAME

    @staticmethod
    def supported_kind() -> Any:
        kind = _kinds.ProblemKind(version=3)
        for setter, features in _FEATURES.items():
            for feature in features:
                getattr(kind, setter)(feature)
        return kind

    @staticmethod
    def supports(problem_kind: Any) -> bool:
        return bool(problem_kind <= CoterieEngine.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: Any) -> bool:
        return bool(optimality_guarantee == _mixins.oneshot_planner.OptimalityGuarantee.SATISFICING)

    def _solve(
        self, problem: Any, heuristic: Any = None, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> Any:
        status = _engines.PlanGenerationResultStatus
        usual = Limits()
        limits = Limits(self.states or usual.states, usual.wall_s if timeout is None else timeout)
        answer = own.solve(question_of(problem), limits)
        if answer.found:
            return _engines.PlanGenerationResult(status.SOLVED_SATISFICING, _plan(problem, answer.steps), NAME)
        if answer.status == "none":
            return _engines.PlanGenerationResult(status.UNSOLVABLE_PROVEN, None, NAME)
        late = answer.effort.get("late", False)
        return _engines.PlanGenerationResult(status.TIMEOUT if late else status.UNSOLVABLE_INCOMPLETELY, None, NAME)


def _plan(problem: Any, steps: Any) -> Any:
    named = problem.environment.expression_manager.ObjectExp
    found = []
    for step in steps:
        names = tuple(named(problem.object(a)) for a in step.action.args)
        found.append(_plans.ActionInstance(problem.action(step.action.skill), names))
    return _plans.SequentialPlan(found)


# -- reading ----------------------------------------------------------------------------------------------------------
def question_of(problem: Any) -> Question:
    """A problem of theirs as a question of ours. Every kind gets a name that no kind of ours has."""
    parents = {ROBOT: "", **{_kind(t): _kind(t.father) if t.father is not None else "" for t in problem.user_types}}
    declared = {f.name: _declared(problem, f) for f in problem.fluents}
    objects = {NOBODY: ROBOT, **{o.name: _kind(o.type) for o in problem.all_objects}}
    operators = {a.name: _operator(a) for a in problem.actions}
    able = {NOBODY: frozenset(operators)}
    made = Question(operators, declared, parents, objects, able, {}, tuple(_expr(g) for g in problem.goals))
    facts = {}
    for fluent, value in problem.initial_values.items():
        key = (fluent.fluent().name, *(a.object().name for a in fluent.args))
        known = _constant(value)
        if known != made.default(key[0]):
            facts[key] = known
    return Question(operators, declared, parents, objects, able, facts, made.goal)


def _kind(kind: Any) -> str:
    return f"their {kind.name}"


def _declared(problem: Any, fluent: Any) -> Declared:
    kind = fluent.type
    value = BOOL if kind.is_bool_type() else _kind(kind) if kind.is_user_type() else NUMBER
    return Declared(fluent.name, tuple(_kind(p.type) for p in fluent.signature), value, 0 if value == NUMBER else None)


def _constant(node: Any) -> Any:
    if node.is_object_exp():
        return node.object().name
    value = node.constant_value()
    return value if isinstance(value, (bool, int)) else int(value) if value.denominator == 1 else float(value)


def _operator(action: Any) -> Operator:
    params = tuple(Param(f"their {p.name}", _kind(p.type)) for p in action.parameters)
    when = tuple(_expr(c) for c in action.preconditions)
    then = tuple(Effect(_term(e.fluent), _term(e.value), _how(e)) for e in action.effects)
    clauses = tuple(Clause(w, "", f"{action.name} {i}") for i, w in enumerate(when))
    return Operator(Skill(action.name, params), params, when, then, clauses)


def _how(effect: Any) -> How:
    return "increase" if effect.is_increase() else "decrease" if effect.is_decrease() else "set"


def _term(node: Any) -> Any:
    if node.is_fluent_exp():
        return Fluent(node.fluent().name, tuple(_term(a) for a in node.args))
    if node.is_parameter_exp():
        return f"?their {node.parameter().name}"
    if node.is_plus() or node.is_minus():
        first, *rest = (_term(a) for a in node.args)
        for other in rest:
            first = Sum("+" if node.is_plus() else "-", first, other)
        return first
    if node.is_constant() or node.is_object_exp():
        return _constant(node)
    raise _up.exceptions.UPUsageError(f"The engine {NAME} adds and subtracts numbers and does nothing else: {node}")


def _expr(node: Any) -> Expr:
    if node.is_and() or node.is_or():
        parts = tuple(_expr(a) for a in node.args)
        return All(parts) if node.is_and() else Some(parts)
    if node.is_not():
        return Not(_expr(node.arg(0)))
    if node.is_implies():
        return Some((Not(_expr(node.arg(0))), _expr(node.arg(1))))
    if node.is_iff():
        one, two = (_expr(a) for a in node.args)
        return Some((All((one, two)), All((Not(one), Not(two)))))
    if node.is_bool_constant():
        return All(()) if node.bool_constant_value() else Some(())
    if node.is_equals() or node.is_le() or node.is_lt():
        op = "==" if node.is_equals() else "<=" if node.is_le() else "<"
        return Compare(op, _term(node.arg(0)), _term(node.arg(1)))
    found: Expr = _term(node)
    return found
