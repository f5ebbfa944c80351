"""Figures that the DynaHMRC paper reports, each with its table. Nothing here is measured by this program."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import NamedTuple


class Figures(NamedTuple):
    succ: float
    ps: float
    ts: float
    as_: float
    cc: float


GPT4O, QWEN = "DynaHMRC-GPT4o", "DynaHMRC-Qwen3-4B (fine-tuned)"

_TABLES = tomllib.loads((resources.files(__package__) / "paper.toml").read_text(encoding="utf-8"))
#: Averages of the five settings (Tab. 11).
SETTINGS = {model: {name: Figures(*row) for name, row in rows.items()} for model, rows in _TABLES["settings"].items()}

#: Success on real robots, eight trials (Tab. 12).
REAL = {GPT4O: 5 / 8, QWEN: 8 / 8}

#: Success on Pack Objects by the step of the change or the number of zones (Tab. 21, 22, 23).
SWEEPS: dict[str, dict[str, dict[int, float]]] = {
    model: {kind: {int(n): share for n, share in row.items()} for kind, row in rows.items()}
    for model, rows in _TABLES["sweeps"].items()
}

#: Rank correlation of the number of targets with TS and PS, Pack Objects (App. 5.3).
RHO_TARGETS = {"ts": 0.847, "ps": -0.571}

#: Difficulty weights (alpha, beta, gamma) of Tab. 13, and its columns rho(D, PS), rho(D, TS), rho(D, H), pairwise
#: accuracy.
SENSITIVITY: dict[tuple[float, float, float], tuple[float, float, float, float]] = {
    (0.5, 0.0, 0.5): (-0.589, 0.856, 0.785, 0.870),
    (0.4, 0.2, 0.4): (-0.602, 0.913, 0.801, 0.851),
    (0.3, 0.4, 0.3): (-0.602, 0.915, 0.803, 0.852),
    (0.2, 0.6, 0.2): (-0.604, 0.921, 0.807, 0.856),
    (0.1, 0.8, 0.1): (-0.604, 0.921, 0.807, 0.856),
    (0.0, 1.0, 0.0): (-0.571, 0.847, 0.714, 0.885),
}

#: Mean redundant actions per episode over all settings (App. 5.20, from Tab. 29).
REDUNDANT = {GPT4O: 3.64, "COHERENT": 7.67}

#: Calls per episode and tokens per call, by setting and stage, DynaHMRC-GPT4o (Tab. 26).
STAGE_COSTS: dict[str, dict[str, tuple[float, float]]] = {
    name: {stage: (row[0], row[1]) for stage, row in rows.items()} for name, rows in _TABLES["stage_costs"].items()
}

#: COHERENT asks one central model (Tab. 26).
CENTRAL_COSTS: dict[str, tuple[float, float]] = {name: (r[0], r[1]) for name, r in _TABLES["central_costs"].items()}
