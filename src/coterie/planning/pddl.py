"""Planning problems as PDDL text, for planners that read nothing else.

PDDL knows no fluents with names for values, and none within others. `where(x) = p` becomes `(where x p)`, and a fluent
within another one becomes "there is a value such that".
"""

from __future__ import annotations

from typing import Any, NamedTuple

from coterie.planning.needs import load, shortcuts


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
    for condition in action.preconditions:
        plain, holds, variables = _named(condition)
        made.add_precondition(up.Exists(up.And(*holds, plain), *variables) if variables else condition)
    for effect in action.effects:
        add = made.add_effect
        if effect.is_increase():
            add = made.add_increase_effect
        elif effect.is_decrease():
            add = made.add_decrease_effect
        value, holds, variables = _named(effect.value, effect.fluent.type)
        when = up.And(effect.condition, *holds) if holds else effect.condition
        add(effect.fluent, value, when, forall=(*effect.forall, *variables))
    return made


def _named(node: Any, kind: Any = None) -> tuple[Any, list[Any], list[Any]]:
    """An expression with a variable for every fluent within another one: what each variable is, and the variables.

    So are fluents that stand beside one of another type, or that give a value to one of the type `kind`.
    """
    up = shortcuts()
    found = dict.fromkeys(_nested(node))
    if kind is not None and node.is_fluent_exp() and kind.is_user_type() and node.type != kind:
        found[node] = None
    variables = {f: up.Variable(f"v{i}", f.type) for i, f in enumerate(found)}
    holds = [up.Equals(f, up.VariableExp(v)) for f, v in variables.items()]
    plain = node.substitute({f: up.VariableExp(v) for f, v in variables.items()}) if variables else node
    return plain, holds, list(variables.values())


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
