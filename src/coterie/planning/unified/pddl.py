"""Planning problems as PDDL text, for planners that read nothing else.

PDDL knows no fluents with names for values, and none within others. `where(x) = p` becomes `(where x p)`, and a fluent
within another one becomes "there is a value such that".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from coterie.planning.unified.names import load, shortcuts


class Pddl(NamedTuple):
    domain: str
    problem: str


def to_pddl(problem: Any) -> Pddl:
    """Domain and problem as text."""
    writer = load("unified_planning.io").PDDLWriter(flat(problem))
    return Pddl(writer.get_domain(), writer.get_problem())


def flat(problem: Any) -> Any:
    """The same problem with predicates and numbers alone."""
    up = shortcuts()
    plain = problem.clone()
    plain.clear_actions()
    for action in problem.actions:
        plain.add_action(_unfolded(action))
    kind = up.CompilationKind.USERTYPE_FLUENTS_REMOVING
    with up.Compiler(problem_kind=plain.kind, compilation_kind=kind) as compiler:
        made = compiler.compile(plain, kind).problem
    made.name = problem.name
    return made


def _unfolded(action: Any) -> Any:
    """An action without fluents in the arguments of fluents."""
    up = shortcuts()
    made = up.InstantaneousAction(action.name, **{p.name: p.type for p in action.parameters})
    for condition in map(_meeting, action.preconditions):
        (plain,), holds, variables = _named([condition])
        made.add_precondition(up.Exists(up.And(*holds, plain), *variables) if variables else condition)
    for effect in action.effects:
        add = made.add_effect
        if effect.is_increase():
            add = made.add_increase_effect
        elif effect.is_decrease():
            add = made.add_decrease_effect
        inside = [a for a in effect.fluent.args if a.is_fluent_exp()]
        copied = _copied(effect.value, effect.fluent.type)
        (*args, value), holds, variables = _named([*effect.fluent.args, effect.value], [*inside, *copied])
        when = up.And(effect.condition, *holds) if holds else effect.condition
        add(effect.fluent.fluent()(*args), value, when, forall=(*effect.forall, *variables))
    return made


def _meeting(node: Any) -> Any:
    """Two fluents of unlike types that are the same are both one value, of the narrower type."""
    up = shortcuts()
    if node.is_equals() and all(p.is_fluent_exp() for p in node.args) and node.arg(0).type != node.arg(1).type:
        narrow, wide = node.args if node.arg(1).type in node.arg(0).type.ancestors else reversed(node.args)
        same = up.Variable("same", narrow.type)
        return up.Exists(up.And(*(up.Equals(p, up.VariableExp(same)) for p in (narrow, wide))), same)
    if node.is_and() or node.is_or():
        parts = [_meeting(p) for p in node.args]
        return up.And(parts) if node.is_and() else up.Or(parts)
    return node


def _copied(value: Any, kind: Any) -> list[Any]:
    """A fluent that gives its value to one of another type, which PDDL would not let it do."""
    other = value.is_fluent_exp() and kind.is_user_type() and value.type != kind
    return [value] if other else []


def _named(nodes: list[Any], more: Sequence[Any] = ()) -> tuple[list[Any], list[Any], list[Any]]:
    """Expressions with a variable for every fluent within another one, and for `more` fluents: what each variable is,
    and the variables. So are fluents that stand beside one of another type."""
    up = shortcuts()
    found = dict.fromkeys(f for node in nodes for f in _nested(node))
    found.update(dict.fromkeys(more))
    variables = {f: up.Variable(f"v{i}", f.type) for i, f in enumerate(found)}
    holds = []
    for fluent, variable in variables.items():  # the innermost first: those within it have their variables already
        inside = {f: v for f, v in variables.items() if f is not fluent}
        holds.append(up.Equals(_with(fluent, inside), up.VariableExp(variable)))
    return [_with(node, variables) for node in nodes], holds, list(variables.values())


def _with(node: Any, variables: Mapping[Any, Any]) -> Any:
    up = shortcuts()
    for fluent, variable in reversed(list(variables.items())):
        node = node.substitute({fluent: up.VariableExp(variable)})
    return node


def _nested(node: Any) -> list[Any]:
    """Fluents that are arguments of fluents or equal to one of another type, each once."""
    found: dict[Any, None] = {}
    for part in node.args:
        found.update(dict.fromkeys(_nested(part)))
        if node.is_fluent_exp() and part.is_fluent_exp():
            found[part] = None
    if node.is_equals() and all(p.is_fluent_exp() for p in node.args) and node.arg(0).type != node.arg(1).type:
        found[node.arg(1)] = None
    return list(found)
