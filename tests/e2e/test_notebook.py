"""The notebook runs from its first cell to its last, without jupyter."""

import json
from pathlib import Path

FILE = Path(__file__).parents[2] / "examples" / "first_hour.ipynb"


def test_the_notebook_runs(own_names, capsys):
    book = json.loads(FILE.read_text())
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids) and {"cell_type", "metadata", "source"} <= set(book["cells"][0])
    space, shown = {"__name__": "__main__"}, {}
    for cell in (c for c in book["cells"] if c["cell_type"] == "code"):
        assert cell["outputs"] and cell["execution_count"], "kept with what it shows"
        assert all(output["output_type"] != "error" for output in cell["outputs"])
        shown[cell["id"]] = _run("".join(cell["source"]), space)
    kept = {kind for cell in book["cells"] for o in cell.get("outputs", ()) for kind in o.get("data", ())}
    assert {"text/html", "image/png"} <= kept and FILE.stat().st_size < 1_000_000
    assert shown["page"]._repr_html_().startswith("<iframe") and "<table" in shown["table"]._repr_html_()
    assert shown["one"]["success"] and shown["one"]["said"] > 0
    assert shown["events"].loc["Bob"].sum() > 10
    assert list(shown["rec"]["change_fired"]) == [1, 1, 1]
    means = shown["suite"]
    assert means.loc["rules", "success"] == 1.0 > means.loc["grab", "success"]
    assert means.loc["grab", "ps"] > means.loc["random-legal", "ps"], "it brings something"
    assert Path("grab.html").stat().st_size > 10_000 and r"\toprule" in capsys.readouterr().out


def _run(text: str, space: dict) -> object:
    """As a kernel does: the value of a last expression is shown."""
    import ast

    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, FILE.name, "exec"), space)
    return eval(compile(ast.Expression(last.value), FILE.name, "eval"), space) if last is not None else None
