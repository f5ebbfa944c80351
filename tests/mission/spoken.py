"""The page of utterances as what can be heard: `python -m tests.mission.spoken` writes the templates anew."""

from pathlib import Path

import coterie.mission.voice.graph as graph
from tests.mission.words import hospital

PAGE = Path(__file__).parents[2] / "docs" / "utterances.md"
TYPED = "## Typed in other words"  # what follows it is not listened for
KEPT = Path(graph.__file__).parent / "templates.txt"


def said() -> list[tuple[str, str]]:
    """Sentences of the page with their meanings in brief."""
    page = PAGE.read_text("utf-8").partition(TYPED)[0]
    rows = [row.split("|")[1:3] for row in page.splitlines() if row.startswith("| ")]
    return [(a.strip(), b.strip().strip("`")) for a, b in rows if "---" not in a and a.strip() != "said"]


def templates() -> str:
    vocabulary = hospital()
    return "\n".join(dict.fromkeys(graph.template(sentence, vocabulary) for sentence, _ in said())) + "\n"


if __name__ == "__main__":
    KEPT.write_text(templates(), encoding="utf-8")
