"""What the paper reports (Tables I to IV), to hold against: %Suc, %PS, #TS, #AS, %SE by team, stranger and step.

Where a number and the percentage in its brackets do not go together and another number of the same table says which of
them is a misprint, the mended one stands here: steps of random strangers with learnt teams at step 50, and %PS of two
ablations at step 100.
"""

from __future__ import annotations

WEAKER = "irot weaker"  # IRoT with a weaker model: GPT-3.5 in the paper

#: (team, stranger, step) -> the five numbers; "" is no stranger.
REPORTED: dict[tuple[str, str, int], tuple[float, float, float, float, float | None]] = {
    ("heuristic", "", 0): (15.3, 21.7, 467.3, 1863.2, None),
    ("heuristic", "random", 0): (15.3, 21.7, 467.3, 2213.0, 0.0),
    ("heuristic", "heuristic", 0): (18.1, 27.4, 435.6, 2049.3, 1.2),
    ("heuristic", "plastic", 0): (15.6, 22.3, 456.1, 2165.9, 0.4),
    ("heuristic", "naive", 0): (18.3, 27.9, 436.2, 2060.1, 1.2),
    ("heuristic", "gpl", 0): (18.5, 27.9, 433.9, 2046.1, 1.3),
    ("heuristic", "cot", 0): (19.9, 28.5, 421.3, 1987.6, 2.0),
    ("heuristic", "irot", 0): (21.0, 30.7, 410.8, 1922.3, 2.6),
    ("learning", "", 0): (13.5, 20.8, 473.8, 1890.2, None),
    ("learning", "random", 0): (13.5, 20.8, 473.8, 2212.9, 0.0),
    ("learning", "heuristic", 0): (15.6, 25.1, 453.1, 2133.1, 0.6),
    ("learning", "plastic", 0): (13.8, 22.6, 463.8, 2192.1, 0.3),
    ("learning", "naive", 0): (15.7, 25.5, 449.2, 2111.9, 0.8),
    ("learning", "gpl", 0): (15.9, 25.9, 450.3, 2115.3, 0.9),
    ("learning", "cot", 0): (16.9, 26.4, 440.1, 2065.6, 1.2),
    ("learning", "irot", 0): (18.1, 27.3, 431.2, 2010.2, 1.7),
    ("negotiate", "", 0): (21.1, 27.2, 453.2, 1813.3, None),
    ("negotiate", "random", 0): (21.1, 27.2, 453.2, 2186.1, 0.0),
    ("negotiate", "heuristic", 0): (23.1, 33.1, 417.6, 2013.3, 1.8),
    ("negotiate", "plastic", 0): (21.5, 28.0, 440.2, 2130.6, 0.6),
    ("negotiate", "naive", 0): (23.3, 33.5, 418.1, 2015.2, 1.8),
    ("negotiate", "gpl", 0): (23.5, 33.7, 415.5, 2013.5, 1.9),
    ("negotiate", "cot", 0): (24.9, 33.7, 406.6, 1945.3, 2.5),
    ("negotiate", "irot", 0): (26.3, 35.1, 399.3, 1918.1, 3.2),
    ("heuristic", "random", 50): (15.3, 21.7, 467.3, 2183.2, 0.0),
    ("heuristic", "heuristic", 50): (17.4, 26.7, 439.2, 2001.3, 1.1),
    ("heuristic", "plastic", 50): (15.5, 22.1, 461.3, 2132.9, 0.3),
    ("heuristic", "naive", 50): (17.2, 27.0, 440.8, 2006.2, 1.1),
    ("heuristic", "gpl", 50): (17.4, 27.2, 436.1, 1996.3, 1.1),
    ("heuristic", "cot", 50): (18.6, 27.6, 423.2, 1936.3, 1.8),
    ("heuristic", "irot", 50): (20.3, 29.5, 415.8, 1873.1, 2.3),
    ("learning", "random", 50): (13.5, 20.8, 473.8, 2176.2, 0.0),
    ("learning", "heuristic", 50): (15.3, 24.7, 458.2, 2092.1, 0.6),
    ("learning", "plastic", 50): (13.8, 22.3, 465.1, 2156.9, 0.3),
    ("learning", "naive", 50): (15.3, 25.1, 452.1, 2052.7, 0.6),
    ("learning", "gpl", 50): (15.6, 25.2, 452.1, 2050.9, 0.7),
    ("learning", "cot", 50): (16.1, 26.0, 445.3, 2016.2, 1.0),
    ("learning", "irot", 50): (17.7, 26.8, 435.9, 1995.3, 1.5),
    ("negotiate", "random", 50): (21.1, 27.2, 453.2, 2133.3, 0.0),
    ("negotiate", "heuristic", 50): (22.5, 32.1, 423.3, 1988.6, 1.5),
    ("negotiate", "plastic", 50): (21.3, 27.5, 443.7, 2081.3, 0.5),
    ("negotiate", "naive", 50): (22.5, 32.6, 425.3, 1986.1, 1.4),
    ("negotiate", "gpl", 50): (22.7, 32.9, 423.1, 1988.0, 1.5),
    ("negotiate", "cot", 50): (24.0, 33.1, 412.1, 1891.9, 2.2),
    ("negotiate", "irot", 50): (25.6, 34.2, 403.9, 1859.2, 2.6),
    ("heuristic", "random", 100): (15.3, 21.7, 467.3, 2152.9, 0.0),
    ("heuristic", "heuristic", 100): (16.6, 25.9, 442.1, 1967.3, 1.0),
    ("heuristic", "plastic", 100): (15.4, 21.9, 465.2, 2107.2, 0.2),
    ("heuristic", "naive", 100): (16.9, 26.3, 443.3, 1955.9, 0.9),
    ("heuristic", "gpl", 100): (17.1, 26.3, 438.6, 1945.6, 1.0),
    ("heuristic", "cot", 100): (18.0, 27.3, 427.9, 1877.3, 1.5),
    ("heuristic", "irot", 100): (19.7, 27.8, 420.1, 1822.8, 2.0),
    ("learning", "random", 100): (13.5, 20.8, 473.8, 2152.9, 0.0),
    ("learning", "heuristic", 100): (15.0, 24.1, 461.2, 2061.2, 0.4),
    ("learning", "plastic", 100): (13.7, 22.1, 469.9, 2133.8, 0.1),
    ("learning", "naive", 100): (15.1, 24.8, 455.3, 2003.8, 0.6),
    ("learning", "gpl", 100): (15.3, 24.7, 453.1, 1995.6, 0.6),
    ("learning", "cot", 100): (15.7, 25.5, 449.2, 1973.9, 0.8),
    ("learning", "irot", 100): (17.2, 26.1, 439.7, 1948.2, 1.2),
    ("negotiate", "random", 100): (21.1, 27.2, 453.2, 2106.3, 0.0),
    ("negotiate", "heuristic", 100): (21.8, 31.9, 427.6, 1932.1, 1.3),
    ("negotiate", "plastic", 100): (21.3, 27.3, 449.1, 2067.3, 0.2),
    ("negotiate", "naive", 100): (22.0, 31.8, 428.1, 1933.9, 1.3),
    ("negotiate", "gpl", 100): (22.0, 31.9, 426.6, 1930.9, 1.3),
    ("negotiate", "cot", 100): (23.2, 32.3, 415.3, 1840.2, 2.0),
    ("negotiate", "irot", 100): (25.0, 33.1, 407.5, 1803.1, 2.6),
    ("negotiate", "irot:no-stp", 0): (21.9, 27.8, 441.3, 2183.2, 0.6),
    ("negotiate", "irot:no-ev-rf", 0): (22.5, 28.3, 423.2, 2102.3, 1.5),
    ("negotiate", "irot:no-ev", 0): (23.9, 31.8, 417.3, 2013.9, None),
    ("negotiate", "irot:no-rf", 0): (23.6, 31.3, 418.8, 2020.1, 1.8),
    ("negotiate", WEAKER, 0): (25.0, 33.2, 403.9, 1956.3, 2.7),
    ("negotiate", "irot:no-stp", 50): (21.6, 27.7, 446.1, 2132.8, 0.4),
    ("negotiate", "irot:no-ev-rf", 50): (22.3, 28.0, 441.3, 2050.6, 0.6),
    ("negotiate", "irot:no-ev", 50): (23.5, 31.3, 425.2, 1965.7, 1.4),
    ("negotiate", "irot:no-rf", 50): (23.4, 31.0, 427.1, 1970.7, 1.3),
    ("negotiate", WEAKER, 50): (24.8, 33.0, 408.2, 1903.1, 2.5),
    ("negotiate", "irot:no-stp", 100): (21.5, 27.5, 450.8, 2103.5, 0.2),
    ("negotiate", "irot:no-ev-rf", 100): (22.0, 27.7, 446.6, 2006.1, 0.3),
    ("negotiate", "irot:no-ev", 100): (22.9, 30.8, 429.8, 1911.3, 1.2),
    ("negotiate", "irot:no-rf", 100): (22.7, 30.6, 431.2, 1920.9, 1.1),
    ("negotiate", WEAKER, 100): (23.8, 31.8, 412.3, 1856.2, 2.2),
}


def numbers(team: str, stranger: str, step: int) -> tuple[float, float, float, float, float | None] | None:
    """A row of the paper; that of a team by itself is the same whenever somebody would have come."""
    return REPORTED.get((team, stranger, step if stranger else 0))


def reported(team: str, stranger: str, step: int) -> float | None:
    """%Suc in the paper."""
    found = numbers(team, stranger, step)
    return None if found is None else found[0]


def better(team: str, stranger: str, step: int) -> float | None:
    """By how many percent a stranger betters %Suc of a team in the paper."""
    alone, found = reported(team, "", 0), reported(team, stranger, step)
    return None if alone is None or found is None or not stranger else 100.0 * (found - alone) / alone
