"""Figures that the MeCo paper reports, each with its table. Nothing here is measured by this program."""

from __future__ import annotations

from typing import NamedTuple

from coterie.core.files import tables


class Planned(NamedTuple):
    """The figures of one method for one job at the table."""

    succ: float
    planning_s: float
    tokens: int


MECO, LLM_ALONE = "MeCo", "LLM every time"
MECO_MODEL = "RoCo with DeepSeek-V3, a 24-core i9-14900HX"

_TABLES = tables(__package__, "paper.toml")
#: method -> job -> what it took (Tab. 1)
MECO_JOBS = {method: {job: Planned(*row) for job, row in jobs.items()} for method, jobs in _TABLES["jobs"].items()}
#: suite -> job -> changes of success, time and tokens, in words
FIGURE_5: dict[str, dict[str, tuple[str, str, str]]] = {
    suite: {job: tuple(row) for job, row in jobs.items()} for suite, jobs in _TABLES["figure_5"].items()
}
