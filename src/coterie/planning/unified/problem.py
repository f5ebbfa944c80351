"""Planning problems as objects of `unified_planning`, made of a world's skills and of what a lookup knows.

A fluent whose values are names becomes an object fluent; "no value" and "not known" are two objects of the value's type
that nothing is true of. The problem is a view of a belief, or of the truth: what is unknown is not stated, so that a
plan counts only on what its author knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coterie.core.action import Action
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import ORDER, All, Compare, Expr, Fluent, Not, Some, Sum
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL, NUMBER, Declared, is_a
from coterie.planning.forms import inner, kind_of, normal
from coterie.planning.operators import Operator
from coterie.planning.question import ROBOT, Question, Step
from coterie.planning.unified.names import Names, load, number, shortcuts


class Planning:
    """The problem that a question is about, and the way from its names to ours and back."""

    def __init__(self, question: Question):
        self.up = shortcuts()
        self.question, self.operators, self.parents = question, question.operators, question.parents
        self.given = dict(question.objects)
        self.problem = self.up.Problem(question.name)
        self.names = Names(self.up, question)
        self.objects: dict[str, Any] = {}
        self.fluents: dict[str, Any] = {}
        self.actions: dict[str, Any] = {}
        self._declare()
        self._add_objects()
        for op in self.operators.values():
            self._add_action(op)
        self._state()
        for condition in question.goal:
            self.problem.add_goal(self.condition(condition, {}))

    # -- what there is --------------------------------------------------------------------------------------------
    def _declare(self) -> None:
        for declared in self.question.fluents.values():
            self._add_fluent(declared)
        for name in self.operators:
            fluent = self.up.Fluent(self.names.free(f"can_{name}"), self.up.BoolType(), robot=self.names.type(ROBOT))
            self.fluents[f"can {name}"] = fluent
            self.problem.add_fluent(fluent, default_initial_value=False)

    def declared(self, pred: str) -> Declared:
        known = self.question.fluents
        if pred not in known:
            raise unknown_name("fluent", pred, known)
        return known[pred]

    def _add_fluent(self, d: Declared) -> None:
        up = self.up
        kinds = {f"a{i}": self.names.type(kind) for i, kind in enumerate(d.args)}
        if d.value == BOOL:
            made, default = up.Fluent(self.names.free(d.name), up.BoolType(), **kinds), False
        elif d.value == NUMBER:
            kind = up.RealType() if self.names.broken(d.name) else up.IntType()
            made, default = up.Fluent(self.names.free(d.name), kind, **kinds), self.term(d.initial or 0, {})
        else:
            made = up.Fluent(self.names.free(d.name), self.names.type(d.value), **kinds)
            default = self._special("unknown", d.value)
            self._special("no", d.value)
        self.fluents[d.name] = made
        self.problem.add_fluent(made, default_initial_value=default)

    def _special(self, what: str, kind: str) -> Any:
        """No value, or one that is not known."""
        key = f"{what} {kind}"
        if key not in self.objects:
            self.objects[key] = self.up.Object(self.names.free(f"{what}_{kind}"), self.names.type(kind))
            self.problem.add_object(self.objects[key])
        return self.objects[key]

    def _add_objects(self) -> None:
        self.objects.update(self.names.objects)
        self.problem.add_objects(self.names.objects.values())

    # -- actions --------------------------------------------------------------------------------------------------
    def _add_action(self, op: Operator) -> None:
        up, skill = self.up, op.skill
        kinds = {"robot": ROBOT, **{p.name: p.kind for p in op.params}}
        types = {name: self.names.type(kind) for name, kind in kinds.items()}
        action = up.InstantaneousAction(self.names.free(f"do_{skill.name}"), **types)
        bound = {name: action.parameter(name) for name in kinds}
        action.add_precondition(self.fluents[f"can {skill.name}"](bound["robot"]))
        for name, kind in kinds.items():
            for key, special in self._specials(kind):
                if key not in self.given:
                    action.add_precondition(up.Not(up.Equals(bound[name], special)))
        for expr in op.when:
            action.add_precondition(self.condition(expr, bound))
        for fluent, value, how in op.then:
            for sure in (*self._sure(fluent, bound), *self._copied(fluent, value, bound)):
                action.add_precondition(sure)
            self._add_effect(action, fluent, self.term(value, bound, self.declared(fluent.pred).value), how, bound)
        self.actions[skill.name] = action
        self.problem.add_action(action)

    def _add_effect(self, action: Any, fluent: Fluent, value: Any, how: str, bound: Mapping[str, Any]) -> None:
        """A fluent about the value of another one is changed for whichever value that has."""
        up, names, same, args = self.up, [], [], []
        for i, (arg, kind) in enumerate(zip(fluent.args, self.declared(fluent.pred).args)):
            made = self.term(arg, bound, kind)
            if isinstance(arg, Fluent):
                kinds = sorted((kind, self.declared(arg.pred).value), key=self.names.depth)
                names.append(up.Variable(f"v{i}", self.names.type(kinds[-1])))
                same.append(up.Equals(made, up.VariableExp(names[-1])))
                made = up.VariableExp(names[-1])
            args.append(made)
        add = {"set": action.add_effect, "increase": action.add_increase_effect, "decrease": action.add_decrease_effect}
        try:
            add[how](self.fluents[fluent.pred](*args), value, up.And(same) if same else up.TRUE(), forall=names)
        except load("unified_planning.exceptions").UPConflictingEffectsException as error:
            raise CoterieError(
                f"{action.name}: two effects on {fluent} contradict each other; leave one out."
            ) from error

    def _copied(self, fluent: Fluent, value: Any, bound: Mapping[str, Any]) -> list[Any]:
        """A value that is taken from elsewhere has to be there."""
        kind = self.declared(fluent.pred).value
        found = self._sure(value, bound)
        if isinstance(value, Fluent) and kind not in (BOOL, NUMBER):
            made, of = self.term(value, bound), self.declared(value.pred).value
            found += [self._other(made, "unknown", of), self._other(made, "no", of)]
        return found

    def _specials(self, kind: str) -> list[tuple[str, Any]]:
        found = [(k, o) for k, o in self.objects.items() if " " in k and k not in self.given]
        return [(k, o) for k, o in found if is_a(k.split(" ", 1)[1], kind, self.parents)]

    def term(self, term: Any, bound: Mapping[str, Any], kind: str = "") -> Any:
        """A term of ours as an expression; `kind` is of the value that "none" stands for."""
        up = self.up
        if isinstance(term, Fluent):
            declared = self.declared(term.pred)
            args = [self.term(a, bound, k) for a, k in zip(term.args, declared.args)]
            return self.fluents[term.pred](*args)
        if isinstance(term, Sum):
            add = up.Plus if term.op == "+" else up.Minus
            return add(self.term(term.left, bound, NUMBER), self.term(term.right, bound, NUMBER))
        if isinstance(term, bool):
            return up.TRUE() if term else up.FALSE()
        if isinstance(term, (int, float)):
            return number(up, term)
        if isinstance(term, str) and term.startswith("?"):
            return bound[term[1:]]
        if term is None:
            return up.ObjectExp(self._special("no", kind))
        if term not in self.objects:
            raise unknown_name("object of the planning problem", str(term), self.given)
        return up.ObjectExp(self.objects[term])

    def condition(self, expr: Expr, bound: Mapping[str, Any]) -> Any:
        return self._normal(normal(expr, self.question.fluents), bound)

    def _normal(self, expr: Expr, bound: Mapping[str, Any]) -> Any:
        up = self.up
        if isinstance(expr, (All, Some)):
            parts = [self._normal(e, bound) for e in expr.exprs]
            return up.And(parts) if isinstance(expr, All) else up.Or(parts)
        if isinstance(expr, Compare):
            atom = self._compare(expr, bound)
        elif isinstance(expr, Not):
            atom = up.Not(self.term(expr.expr, bound))
        else:
            atom = self.term(expr, bound)
        return up.And(atom, *self._sure(expr, bound))

    def _sure(self, term: Any, bound: Mapping[str, Any]) -> list[Any]:
        """Conditions that fluents within a term have a value: nothing holds of "nowhere"."""
        found = []
        for fluent in inner(term):
            value, kind = self.term(fluent, bound), self.declared(fluent.pred).value
            found += [self._other(value, "unknown", kind), self._other(value, "no", kind)]
        return found

    def _other(self, value: Any, what: str, kind: str) -> Any:
        return self.up.Not(self.up.Equals(value, self._special(what, kind)))

    def _compare(self, expr: Compare, bound: Mapping[str, Any]) -> Any:
        up, kind = self.up, kind_of(expr, self.question.fluents)
        left, right = self.term(expr.left, bound, kind), self.term(expr.right, bound, kind)
        if expr.op in ORDER:
            return {"<": up.LT, "<=": up.LE, ">": up.GT, ">=": up.GE}[expr.op](left, right)
        same = up.Equals(left, right) if expr.op == "==" else up.Not(up.Equals(left, right))
        sides = [(f, self.declared(s.pred).value) for s, f in ((expr.left, left), (expr.right, right))
                 if isinstance(s, Fluent)]  # fmt: skip
        if kind == NUMBER or not sides or (expr.op == "==" and len(sides) == 1):
            return same
        # What is not known is neither the same as something nor another thing; and two that are nowhere do not meet.
        sure = [self._other(f, "unknown", k) for f, k in sides]
        if expr.op == "==":
            sure += [self._other(f, "no", k) for f, k in sides]
        return up.And(same, *sure)

    # -- the state ------------------------------------------------------------------------------------------------
    def _state(self) -> None:
        for robot, names in self.question.able.items():
            for name in names:
                if name in self.operators:
                    self.problem.set_initial_value(self.fluents[f"can {name}"](self.objects[robot]), True)
        for (pred, *args), value in self.question.facts.items():
            fluent = self.fluents[pred](*(self.objects[a] for a in args))
            self.problem.set_initial_value(fluent, self._value(self.declared(pred), value))

    def _value(self, d: Declared, value: Any) -> Any:
        if value is UNKNOWN:
            return self._special("unknown", d.value)
        return self.term(value, {}, d.value)

    # -- plans ----------------------------------------------------------------------------------------------------
    def plan(self, steps: Iterable[tuple[str, Action]]) -> Any:
        """Actions of robots as a plan of the problem; skills that are no operators are left out."""
        plans = load("unified_planning.plans")
        instances = []
        for robot, action in steps:
            op = self.operators.get(action.skill)
            if op is None:
                continue
            named = dict(zip((p.name for p in op.skill.params), action.args))
            objects = [self.objects[n] for n in (robot, *(named[p.name] for p in op.params))]
            args = tuple(self.up.ObjectExp(o) for o in objects)
            instances.append(plans.ActionInstance(self.actions[action.skill], args))
        return plans.SequentialPlan(instances)

    def steps(self, plan: Any) -> list[Step]:
        """A plan as requests to robots. Parameters that a planner does not know of have their defaults."""
        ours = {o.name: name for name, o in self.objects.items()}
        skill_of = {a.name: name for name, a in self.actions.items()}
        found = []
        for instance in plan.actions:
            robot, *names = (ours[str(a)] for a in instance.actual_parameters)
            found.append(self.question.step(skill_of[instance.action.name], robot, names))
        return found
