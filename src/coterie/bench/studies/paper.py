"""Figures that the DynaHMRC and MeCo papers report, each with its table. Nothing here is measured by this program."""

from __future__ import annotations

from typing import NamedTuple


class Figures(NamedTuple):
    succ: float
    ps: float
    ts: float
    as_: float
    cc: float


GPT4O, QWEN = "DynaHMRC-GPT4o", "DynaHMRC-Qwen3-4B (fine-tuned)"

#: Averages of the five settings (Tab. 11).
SETTINGS: dict[str, dict[str, Figures]] = {
    GPT4O: {
        "static": Figures(0.8210, 0.9105, 18.6016, 15.1650, 3.9678),
        "cto": Figures(0.8346, 0.9220, 18.1800, 15.5975, 3.5079),
        "irz": Figures(0.8492, 0.9406, 20.0247, 17.1875, 4.2283),
        "anc": Figures(0.7720, 0.8769, 20.6181, 16.8727, 5.4826),
        "rec": Figures(0.5956, 0.7455, 19.5220, 12.7058, 3.5795),
    },
    QWEN: {
        "static": Figures(0.8533, 0.9194, 15.8004, 11.3326, 1.5117),
        "cto": Figures(0.8045, 0.8851, 17.7881, 13.1754, 1.9085),
        "irz": Figures(0.9815, 0.9928, 13.4753, 10.6754, 1.2089),
        "anc": Figures(0.8735, 0.9367, 15.8102, 11.5324, 1.8787),
        "rec": Figures(0.7917, 0.8773, 14.5787, 8.9564, 1.1963),
    },
}

#: Success on real robots, eight trials (Tab. 12).
REAL = {GPT4O: 5 / 8, QWEN: 8 / 8}

#: Success on Pack Objects by the step of the change or the number of zones (Tab. 21, 22, 23).
SWEEPS: dict[str, dict[str, dict[int, float]]] = {
    GPT4O: {
        "cto": {3: 0.5000, 5: 0.7091, 10: 0.7037},
        "irz": {1: 0.5714, 2: 0.8750, 3: 1.0000},
        "anc": {3: 0.5000, 5: 0.7600, 13: 0.1389},
        "rec": {3: 0.2500, 5: 0.5750, 13: 0.5833},
    },
    QWEN: {
        "cto": {3: 0.7593, 5: 0.6909, 10: 0.7407},
        "irz": {1: 1.0000, 2: 0.9444, 3: 1.0000},
        "anc": {3: 0.8056, 5: 0.8000, 13: 0.6389},
        "rec": {3: 0.5833, 5: 0.6909, 13: 0.7143},
    },
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

#: Calls per episode and tokens per call by stage, DynaHMRC-GPT4o (Tab. 26).
STAGE_COSTS: dict[str, dict[str, tuple[float, float]]] = {
    "static": {"SD": (2.95, 670.90), "TALB": (2.95, 1687.08), "LE": (3.67, 2217.93), "HMRC": (53.42, 3532.95),
               "GD": (3.25, 3015.17), "LP": (1.17, 1273.50)},
    "cto": {"SD": (2.77, 659.59), "TALB": (2.77, 1607.12), "LE": (3.34, 2067.84), "HMRC": (56.27, 3505.75),
            "GD": (3.58, 3130.14), "LP": (1.36, 1283.46)},
    "irz": {"SD": (3.29, 667.14), "TALB": (3.29, 1783.55), "LE": (4.02, 2416.39), "HMRC": (60.60, 3717.89),
            "GD": (3.38, 3222.91), "LP": (1.07, 1411.23)},
    "anc": {"SD": (2.53, 971.45), "TALB": (2.53, 2336.88), "LE": (3.17, 2493.01), "HMRC": (68.41, 3853.70),
            "GD": (4.76, 3175.95), "LP": (1.37, 1487.05)},
    "rec": {"SD": (3.46, 679.66), "TALB": (3.46, 1823.02), "LE": (4.03, 2463.01), "HMRC": (55.47, 3551.53),
            "GD": (3.01, 2917.18), "LP": (1.26, 1197.33)},
}  # fmt: skip

#: COHERENT asks one central model (Tab. 26).
CENTRAL_COSTS: dict[str, tuple[float, float]] = {
    "static": (17.63, 6654.57),
    "cto": (17.56, 7117.76),
    "irz": (17.88, 7572.02),
    "anc": (18.21, 7449.58),
    "rec": (19.18, 6732.11),
}


# -- MeCo -------------------------------------------------------------------------------------------------------------
class Planned(NamedTuple):
    """What one method took for one job at the table."""

    succ: float
    planning_s: float
    tokens: int


MECO, LLM_ALONE = "MeCo", "LLM every time"
MECO_MODEL = "RoCo with DeepSeek-V3, a 24-core i9-14900HX"

#: MeCo over RoCo and its ablations, 30 random seeds a job (Tab. 1). "LLM every time" is its row "w/o S-Planner", which
#: the paper calls almost the same as asking the model for every task.
MECO_JOBS: dict[str, dict[str, Planned]] = {
    MECO: {
        "move-rope": Planned(0.98, 154.63, 1320),
        "pack-grocery": Planned(0.33, 1300.98, 250264),
        "sandwich": Planned(0.98, 78.78, 3304),
        "sort-cubes": Planned(0.95, 132.70, 19684),
        "sweep-floor": Planned(0.99, 72.82, 1443),
        "arrange-cabinet": Planned(1.00, 47.82, 0),
    },
    LLM_ALONE: {
        "move-rope": Planned(0.78, 444.35, 25737),
        "pack-grocery": Planned(0.24, 1502.32, 286297),
        "sandwich": Planned(0.62, 313.38, 34537),
        "sort-cubes": Planned(0.51, 608.80, 123028),
        "sweep-floor": Planned(0.52, 229.98, 23171),
        "arrange-cabinet": Planned(0.66, 229.79, 32505),
    },
    "no-similarity": {
        "move-rope": Planned(0.84, 447.81, 17465),
        "pack-grocery": Planned(0.25, 1573.88, 281165),
        "sandwich": Planned(0.90, 128.30, 7679),
        "sort-cubes": Planned(0.78, 291.46, 68592),
        "sweep-floor": Planned(0.99, 75.86, 2164),
        "arrange-cabinet": Planned(1.00, 43.58, 0),
    },
    "no-continue": {
        "move-rope": Planned(0.97, 214.29, 2871),
        "pack-grocery": Planned(0.30, 1381.33, 261346),
        "sandwich": Planned(0.98, 81.15, 3368),
        "sort-cubes": Planned(0.91, 180.37, 51671),
        "sweep-floor": Planned(0.99, 79.11, 1821),
        "arrange-cabinet": Planned(1.00, 45.94, 0),
    },
}
