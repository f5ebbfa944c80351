"""Figures that the MeCo paper reports, each with its table. Nothing here is measured by this program."""

from __future__ import annotations

from typing import NamedTuple


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

#: What its text tells of Figure 5 (Sec. 5.3), the mean of four planners, from without a memo to with one: success in
#: points, planning time and tokens in per cent. The figure itself prints no numbers.
FIGURE_5: dict[str, dict[str, tuple[str, str, str]]] = {
    "s1": {
        "move-rope": ("", "-64", "below -90"),
        "pack-grocery": ("about +8", "-5", ""),
        "sandwich": ("", "-78", "below -90"),
        "sort-cubes": ("", "-76", "below -90"),
        "all": ("about +29", "", "about -73"),
    },
    "s2": {
        "move-rope": ("", "-77", ""),
        "pack-grocery": ("about +8", "-12", "-18"),
        "sandwich": ("", "-83", ""),
        "sort-cubes": ("", "-80", ""),
        "all": ("about +32", "", "about -82"),
    },
    "s3": {"all": ("on par", "about +6", "comparable")},
}
