"""table.md: the scores of a bench with their intervals, section by section. Every number comes from results.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from coterie import __version__
from coterie.bench.latency import latency, timed_calls
from coterie.bench.metrics import STAGES
from coterie.bench.results import Row
from coterie.bench.runner import Bench
from coterie.bench.statistics import FEWEST, RESAMPLES
from coterie.bench.studies import paper
from coterie.bench.studies.dynahmrc.failures import LINES, MODES
from coterie.bench.studies.dynahmrc.sensitivity import matched, sensitivity
from coterie.bench.studies.meco.numbers import in_rooms
from coterie.bench.studies.meco.report import planning_and_memo
from coterie.bench.suites import TASKS
from coterie.bench.summary import (
    DYNAMIC,
    METRICS,
    SETTING_NAMES,
    compare,
    cost,
    distinct,
    estimate,
    label,
    scored,
    select,
    standard,
)
from coterie.bench.table import NONE, interval, markdown, number, p_value, share, signed, with_interval

DIGITS = {"succ": 3, "ps": 3, "ts": 1, "as": 1, "cc": 2}
FEW = 5  # episodes per line of a section; with fewer the section is left out
PAPER = 15  # episodes of a setting, to be held against the paper's
MATCHED = 20  # episodes for correlations with the difficulty
SIGHT = {"own": "its own belief", "pooled": "the beliefs of all its robots", "truth": "the truth of the world"}


def report(bench: Bench) -> str:
    """The whole file."""
    rows, names = scored(bench.rows), [m.name for m in bench.methods]
    rooms = in_rooms(rows)  # teams, levels and poor coordination mean little where arms stand around a table
    played = f"{len(bench.specs)} episodes for each of {len(names)} method(s)"
    seeds = f"seeds from {min((s.config.seed for s in bench.specs), default=0)}"
    noise = sorted({s.config.noise for s in bench.specs} - {"none"})
    models = sorted({r["model"] for r in bench.rows} - {"none"})
    parts = [played, seeds, *(f"noise {n}" for n in noise), *(f"model {m}" for m in models)]
    lines = [f"# {bench.suite or 'Bench'}", "", f"{', '.join(parts)}, Coterie {__version__}.", ""]
    command = bench.settings.get("command")
    if command:
        lines += ["Made with", "", f"    {command}", ""]
    sections = (
        ("Methods", _methods(bench)),
        ("How to read this", _legend()),
        ("All settings", _everything(rows, names)),
        ("Settings", breakdown(rows, names, "setting")),
        ("Beside the paper", _paper(rows, names)),
        ("Tasks", breakdown(rows, names, "task")),
        ("Planning and memo", planning_and_memo(bench.rows, bench.walls, names)),
        ("Levels", breakdown(rooms, names, "level")),
        ("Teams", breakdown(rooms, names, "team")),
        ("Transitions", breakdown([r for r in rows if label(r, "transition")], names, "transition")),
        ("Time and size of the change", _sweeps(rows, names)),
        ("Paired comparison", _pairs(rows, names)),
        ("Coordination", _coordination(rooms, names)),
        ("Failure modes", _failures(rooms, names)),
        ("Model calls", _calls(rows, names)),
        ("Latency", latency(timed_calls(rows, bench.walls), names)),
        ("Replies and loops", _loops(rows, names)),
        ("Elections", _elections(rows, names)),
        ("Changes", _changes(rows, names)),
        ("Task generator", _generator(in_rooms(bench.rows))),
        ("Difficulty weights", _weights(rows, names)),
        ("Cells", _cells(rooms, names)),
    )
    for title, body in sections:
        body = list(body)
        if body:
            lines += [f"## {title}", "", *body]
    return "\n".join(lines).rstrip() + "\n"


# -- sections -------------------------------------------------------------------------------------------------------
def _methods(bench: Bench) -> list[str]:
    rows = [
        [m.name, SIGHT[m.sees], "on" if m.guard else "off", _prompts(bench.rows, m.name), m.about or NONE]
        for m in bench.methods
    ]
    return markdown(["method", "it sees", "guard rails", "prompts", "about"], rows, left=5)


def _prompts(rows: Sequence[Row], method: str) -> str:
    """The fingerprint of the templates that a method's prompts were written from."""
    return ", ".join(sorted({r.get("prompts", "") for r in select(rows, method=method)} - {""})) or NONE


def _legend() -> list[str]:
    return [
        "- n: episodes. SUCC: share of episodes that reached their goal. PS: mean share of the goal that was reached.",
        "- TS: steps until the goal; an episode that missed it counts its step limit. AS: actions other than wait, per "
        "robot. CC: messages (`communicate`), per robot. ↑ more is better, ↓ less is better.",
        f"- Brackets: 95% bootstrap intervals, {RESAMPLES:,} resamples of the episodes with their weights; [{NONE}] "
        f"with fewer than {FEWEST}. Where all succeed or all fail, Wilson's interval. No width: all gave the same.",
        "- Averages weigh settings equally, in each the sizes of teams, and transitions where a robot joins or leaves.",
        "",
    ]


def _scores(rows: Sequence[Row]) -> list[str]:
    return [str(len(rows)), *(with_interval(estimate(rows, m), DIGITS[m]) for m in METRICS)]


def breakdown(rows: Sequence[Row], methods: Sequence[str], by: str) -> list[str]:
    """The five metrics for every value of a label; nothing if the label takes one value and is no news."""
    values = distinct(rows, by)
    if not values or (len(values) == 1 and by != "setting") or (by != "setting" and _thin(rows, methods, len(values))):
        return []
    table = []
    for v in values:
        for method in methods:
            mine = select(rows, method=method, **{by: v})
            if mine:
                table.append([SETTING_NAMES.get(v, str(v)) if by == "setting" else str(v), method, *_scores(mine)])
    return markdown([by, "method", "n", *METRICS.values()], table, left=2)


def _everything(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """One line a method: what a reader looks for first. With a single setting its own table says the same."""
    if len(distinct(rows, "setting")) < 2:
        return []
    table = []
    for method in methods:
        mine = select(rows, method=method)
        if mine:
            costs = [number(cost(mine, k), 0) if any(r["calls"] for r in mine) else NONE for k in ("calls", "tokens")]
            table.append([method, *_scores(mine), *costs])
    return markdown(["method", "n", *METRICS.values(), "calls", "tokens"], table)


def _thin(rows: Sequence[Row], methods: Sequence[str], parts: int) -> bool:
    """Too few episodes for so many lines?"""
    return _played(rows, methods) < FEW * parts


def _played(rows: Sequence[Row], methods: Sequence[str]) -> int:
    return max((len(select(rows, method=m)) for m in methods), default=0)


def _cells(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Task, level and team size of the static episodes, as in Tab. 3; task and group of the others (Tab. 5-8)."""
    cells = {tuple(label(r, k) for k in ("setting", "group", "level", "task")) for r in rows}
    if not cells or _thin(rows, methods, len(cells)):
        return []
    table = []
    for setting in distinct(rows, "setting"):
        here = select(rows, setting=setting)
        for group in distinct(here, "group"):
            for level in distinct(here, "level"):
                for task in distinct(here, "task"):
                    cell = select(here, group=group, level=level, task=task)
                    for method in methods:
                        mine = select(cell, method=method)
                        if mine:
                            table.append([setting, str(group), level, task, method, *_scores(mine)])
    return markdown(["setting", "group", "level", "task", "method", "n", *METRICS.values()], table, left=5)


def _paper(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Average success beside Tab. 11, for settings of which all three tasks were played."""
    rows = standard(rows)
    settings = []
    for s in ("static", *DYNAMIC):
        here = select(rows, setting=s)
        if len(distinct(here, "task")) == len(TASKS) and _played(here, methods) >= PAPER:
            settings.append(s)
    real = select(rows, setting="real")
    if not settings and not real:
        return
    models = (paper.GPT4O, paper.QWEN)
    table = []
    for s in settings:
        ours = [with_interval(estimate(select(rows, setting=s, method=m), "succ")) for m in methods]
        table.append([SETTING_NAMES[s], *ours, *(number(paper.SETTINGS[k][s].succ, 4) for k in models)])
    if real:
        ours = [with_interval(estimate(select(real, method=m), "succ")) for m in methods]
        table.append([SETTING_NAMES["real"], *ours, *(number(paper.REAL[k], 4) for k in models)])
    yield "Average SUCC. The last two columns are the paper's figures (Tab. 11; real robots: Tab. 12, eight trials)."
    if "static" in settings:
        yield (
            "The paper's dynamic settings build on 30-step episodes that search rooms; here these are the level "
            "medium-search, which the static row leaves out, as its levels follow the formula."
        )
    yield ""
    yield from markdown(["setting", *methods, *models], table)


def _sweeps(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Success by the step of the change and by the number of zones, beside Tab. 21-23."""
    table = []
    for setting in DYNAMIC:
        here = [r for r in select(rows, setting=setting) if label(r, "task") == "pack-objects"]
        name = "change_detail" if setting == "irz" else "change_step"
        values = sorted({int(label(r, name) or 0) for r in here})
        if len(values) < 2:
            continue
        for v in values:
            what = f"{SETTING_NAMES[setting]}, {v} zone(s)" if setting == "irz" else f"{SETTING_NAMES[setting]} at {v}"
            if setting == "irz" and v == 0:
                what = "IRZ, 1-3 zones"
            cells = [
                with_interval(estimate([r for r in select(here, method=m) if int(label(r, name) or 0) == v], "succ"))
                for m in methods
            ]
            theirs = (paper.SWEEPS[k][setting].get(v) for k in (paper.GPT4O, paper.QWEN))
            table.append([what, *cells, *(number(x, 4) for x in theirs)])
    if table:
        yield "SUCC on Pack Objects; the last two columns are the paper's (Tab. 21-23)."
        yield ""
        yield from markdown(["change", *methods, paper.GPT4O, paper.QWEN], table)


def _pairs(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """As Tab. 16: the same episodes, one method minus the other."""
    if len(methods) < 2:
        return
    kinds = [(str(SETTING_NAMES.get(s, s)), select(rows, setting=s)) for s in distinct(rows, "setting")]
    dynamic = [r for r in rows if label(r, "setting") in DYNAMIC]
    if len(distinct(dynamic, "setting")) > 1:
        kinds.append(("all changes", dynamic))
    if len(distinct(rows, "setting")) > 1:
        kinds.append(("all", list(rows)))
    table = []
    for first, second in _pairs_of(methods):
        for name, here in kinds:
            for metric, head in METRICS.items():
                c = compare(here, first, second, metric)
                if c.n >= FEWEST or (c.n and len(kinds) == 1):
                    d = DIGITS[metric]
                    pair, ends = f"{first} − {second}", interval(c.low, c.high, d, "+")
                    table.append([pair, name, head[:-2], str(c.n), signed(c.difference, d), ends, p_value(c.p)])
    if not table:
        return
    yield (
        "Differences on the same episodes. p-values are those of the two-sided sign-flip permutation test; the "
        "interval holds the differences that it does not reject at 5%, so it leaves out 0 just where p is at most 0.05."
    )
    yield f"[{NONE}]: so few episodes that it rejects nothing."
    if len(kinds) > 1:
        yield f"Settings with fewer than {FEWEST} common episodes are left out."
    yield ""
    yield from markdown(["pair", "setting", "metric", "n", "mean difference", "95% interval", "p"], table, left=3)


def _pairs_of(methods: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs of a few methods; of many, each against the first."""
    return list(combinations(methods, 2)) if len(methods) <= 4 else [(methods[0], m) for m in methods[1:]]


def _coordination(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """As Tab. 29: redundant and conflicting actions, by setting where there are several."""
    heads = {
        "redundant": "redundant",
        "conflicting": "conflicting",
        "conflicting_things": "of these over things",
        "failed": "failed actions",
        "refused": "refused",
    }
    settings = distinct(rows, "setting")
    kinds = [(SETTING_NAMES.get(s, str(s)), select(rows, setting=s)) for s in settings] if len(settings) > 1 else []
    kinds = [] if _thin(rows, methods, len(settings)) else kinds
    table = []
    for name, here in [("all", rows), *kinds]:
        for method in methods:
            mine = select(here, method=method)
            if mine:
                cells = [_per_episode(mine, k) for k in heads]
                table.append([name, method, str(len(mine)), *cells])
    if table:
        theirs = ", ".join(f"{name} {n}" for name, n in paper.REDUNDANT.items())
        yield (
            "Per episode. Redundant: a robot sets out for furniture that it has reached before, other than to deliver "
            "a target. Conflicting: several robots act on one object in the same step. Refused: by guard rails, before "
            "anything was done."
        )
        yield f"Redundant actions in the paper (App. 5.20): {theirs}."
        yield ""
        yield from markdown(["setting", "method", "n", *heads.values()], table, left=2)
        yield from _by_composition(rows, methods, {"redundant": 2, "conflicting": 2})


def _by_composition(rows: Sequence[Row], methods: Sequence[str], digits: Mapping[str, int]) -> Iterator[str]:
    """Means for every setting and team, or transition, as Tab. 27 and 29: a line a team, columns for each method."""
    name: Callable[[Row], str] = lambda r: str(label(r, "transition") or label(r, "team"))  # noqa: E731
    teams = {(label(r, "setting"), name(r)) for r in rows}
    if len(teams) < 2 or _thin(rows, methods, len(teams)):
        return
    table = []
    for setting in distinct(rows, "setting"):
        here = select(rows, setting=setting)
        for team in dict.fromkeys(name(r) for r in here):
            own = [r for r in here if name(r) == team]
            cells = [_mean(select(own, method=m), key, d) for m in methods for key, d in digits.items()]
            n = str(len(select(own, method=methods[0])))
            table.append([SETTING_NAMES.get(setting, str(setting)), team, n, *cells])
    heads = [f"{m}: {what}" for m in methods for what in digits]
    yield "By team, or transition, means per episode."
    yield ""
    yield from markdown(["setting", "team", "n", *heads], table, left=2)


def _mean(rows: Sequence[Row], key: str, digits: int = 2) -> str:
    return number(sum(r[key] for r in rows) / len(rows), digits) if rows else NONE


def _per_episode(rows: Sequence[Row], key: str, digits: int = 2) -> str:
    return with_interval(estimate(rows, lambda r: float(r[key])), digits)


def _failures(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """The eight modes of Sec. 4.5.5: in how many episodes, how often, and in how many of the lost ones."""
    if not rows:
        return
    yield "Signs of poor coordination (Sec. 4.5.5): in how many episodes, how often in each, and in how many lost ones."
    yield ""
    yield from (f"- {mode}: {line}." for mode, line in LINES.items())
    yield ""
    shown = [mode for mode in MODES if any(r["failures"][mode] for r in rows)]
    if len(shown) < len(MODES):
        yield f"Seen in no episode: {', '.join(mode for mode in MODES if mode not in shown)}."
        yield ""
    table = [[mode, method, *_signs(select(rows, method=method), mode)] for mode in shown for method in methods]
    yield from markdown(["mode", "method", "episodes", "per episode", "lost episodes"], table, left=2)


def _signs(rows: Sequence[Row], mode: str) -> list[str]:
    lost = [r for r in rows if not r["success"]]
    shown, among = (sum(bool(r["failures"][mode]) for r in some) for some in (rows, lost))
    often = number(sum(r["failures"][mode] for r in rows) / len(rows), 2) if rows else NONE
    return [share(shown, len(rows)), often, share(among, len(lost))]


def _calls(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Calls per episode and tokens per call for each stage, as Tab. 26, and both by setting."""
    if not any(r["calls"] for r in rows):
        return
    table = []
    for method in methods:
        mine = select(rows, method=method)
        if not any(r["calls"] for r in mine):
            continue
        found = dict.fromkeys(s for r in mine for s in r["stages"])
        stages = [*(s for s in STAGES if s in found), *sorted(s for s in found if s not in STAGES)]
        for stage in stages:
            table.append([method, stage, *_costs(mine, [r["stages"].get(stage, {}) for r in mine])])
        table.append([method, "all", *_costs(mine, [s for r in mine for s in r["stages"].values()])])
    heads = ["calls per episode", "tokens per call", "of these in the reply", "tokens per episode"]
    yield (
        "By stage: SD self-description, TALB proposals, LE election, HMRC actions, MV small moves, GD discussion, LP "
        "the leader's plan; COMM and PLAN of CoELA, CENTRAL of COHERENT, places and policy of LLM-MCTS."
    )
    yield ""
    yield from markdown(["method", "stage", *heads], table, left=2)
    settings = distinct(rows, "setting")
    table = []
    for setting in settings if len(settings) > 1 else ():
        for method in methods:
            mine = select(rows, method=method, setting=setting)
            if any(r["calls"] for r in mine):
                costs = _costs(mine, [s for r in mine for s in r["stages"].values()])
                table.append([SETTING_NAMES.get(setting, str(setting)), method, *costs])
    if table:
        yield from markdown(["setting", "method", *heads], table, left=2)
    asking = [m for m in methods if any(r["calls"] for r in select(rows, method=m))]
    yield from _by_composition(rows, asking, {"calls": 1, "tokens": 0})


def _costs(rows: Sequence[Row], stages: Sequence[dict[str, int]]) -> list[str]:
    calls, tokens, out = (sum(s.get(k, 0) for s in stages) for k in ("calls", "tokens", "tokens_out"))
    each = [number(x / calls if calls else None, 1) for x in (tokens, out)]
    return [number(calls / len(rows), 2), *each, number(tokens / len(rows), 0)]


def _loops(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """What replies could not be read, and what was tried or said again."""
    if not any(r["calls"] for r in rows):
        return
    heads = {
        "unreadable": "unreadable replies",
        "asked_again": "asked again",
        "reply_errors": "errors of the model",
        "repeated_failures": "repeated failures",
        "repeated_messages": "repeated messages",
    }
    table = []
    for method in methods:
        mine = select(rows, method=method)
        if mine:
            table.append([method, str(len(mine)), *(_per_episode(mine, k) for k in heads)])
    yield (
        "Per episode. Unreadable: a robot waits because no reply could be read. Asked again: a question put a second "
        "time with the reason. Repeated failures: the action that has just failed, tried again, fails again. Repeated "
        "messages: a robot says again what it has said since the last change."
    )
    yield ""
    yield from markdown(["method", "n", *heads.values()], table)


def _elections(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Rounds of voting and the bodies of leaders, as Fig. 15 and 16."""
    bodies = sorted({e["body"] for r in rows for e in r["elections"] if e["body"]})
    how, who = [], []
    for method in methods:
        mine = select(rows, method=method)
        held = [e for r in mine for e in r["elections"]]
        if not held:
            continue
        voted = [e for e in held if e["rounds"]]
        counts = resolutions(voted)
        rounds = number(sum(e["rounds"] for e in voted) / len(voted) if voted else None, 2)
        how.append([method, number(len(held) / len(mine), 2), rounds, *(share(n, len(voted)) for n in counts.values())])
        for team in distinct(mine, "team"):
            leaders = first_leaders(select(mine, team=team))
            if leaders:
                cells = (share(leaders.count(b), len(leaders)) for b in bodies)
                who.append([method, str(team), str(len(leaders)), *cells])
    if not how:
        return
    yield "How elections were settled. Rounds: of voting, in the mean; the referee decides when three give no leader."
    yield ""
    yield from markdown(["method", "elections per episode", "rounds", *RESOLUTIONS], how)
    yield "Who leads from the beginning, by the team that begins."
    yield ""
    yield from markdown(["method", "team", "elections", *(f"{b} leads" for b in bodies)], who, left=2)


RESOLUTIONS = ("after 1 round", "after 2", "after 3", "by the referee")


def resolutions(elections: Sequence[Row]) -> dict[str, int]:
    """How many elections ended in which way."""
    rounds = [sum(e["rounds"] == n and not e["referee"] for e in elections) for n in (1, 2, 3)]
    return dict(zip(RESOLUTIONS, (*rounds, sum(e["referee"] for e in elections))))


def first_leaders(rows: Sequence[Row]) -> list[str]:
    """The bodies of those who were elected first, episode by episode."""
    return [r["elections"][0]["body"] for r in rows if r["elections"] and r["elections"][0]["body"]]


def _changes(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Did the changes happen, and did they matter?"""
    table = []
    for setting in distinct(rows, "setting"):
        for method in methods:
            mine = select(rows, setting=setting, method=method)
            due, fired = sum(r["changes"] for r in mine), sum(r["change_fired"] for r in mine)
            if due:
                bites = sum(r["change_bites"] for r in mine)
                table.append([SETTING_NAMES.get(setting, setting), method, share(fired, due), share(bites, fired)])
    if not table:
        return []
    legend = (
        "Fired: the episode lasted until its change came. Bit: it mattered then: another goal than before (CTO), a "
        "place closed (IRZ) or a robot gone (REC) that the expert's plan needed, a newcomer that makes it faster (ANC)."
    )
    return [legend, "", *markdown(["setting", "method", "fired", "of these it bit"], table, left=2)]


def _generator(rows: Sequence[Row]) -> Iterator[str]:
    """Draws that the generator turned down; the same for every method, so one is asked."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row["key"], row)
    if not first:
        return
    table = []
    for setting in distinct(first.values(), "setting"):
        here = select(first.values(), setting=setting)
        drawn = scored(here)
        rejected = sum(r["about"]["rejected"] or 0 for r in drawn)
        table.append([
            SETTING_NAMES.get(setting, setting), str(len(drawn)), str(rejected),
            number(rejected / (rejected + len(drawn)) if drawn else None), str(len(here) - len(drawn)),
        ])  # fmt: skip
    yield from markdown(["setting", "tasks", "rejected draws", "rejection rate", "could not be drawn"], table)
    errors = _count(r["error"] for r in first.values() if "error" in r)
    for text, n in errors.items():
        yield f"- {n} ×: {text}"
    if errors:
        yield ""


def _count(texts: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    return dict(sorted(counts.items()))


def _weights(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    """Tab. 13, one block per method, beside the paper's columns."""
    table = []
    for method in methods:
        mine = select(rows, method=method)
        for line in sensitivity(mine) if len(matched(mine)) >= MATCHED else ():
            ours = (line.rho_ps, line.rho_ts, line.rho_hard, line.pairwise)
            pairs = [f"{number(a)} ({number(b)})" for a, b in zip(ours, paper.SENSITIVITY[line.weights])]
            weights = "/".join(f"{w:.1f}" for w in line.weights)
            table.append([method, weights, *pairs, f"{line.changed}/{line.tasks}"])
    if table:
        yield (
            "Static Pack Objects: rank correlation of D with PS, TS and the empirical hardness H = z(1 − PS) + z(TS), "
            "share of task pairs that D orders as H does, and labels that change. In parentheses the paper's (Tab. 13)."
        )
        yield ""
        heads = ["method", "α/β/γ", "ρ(D, PS)", "ρ(D, TS)", "ρ(D, H)", "pairwise", "labels changed"]
        yield from markdown(heads, table, left=2)
