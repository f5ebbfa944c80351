"""What mkdocs is told besides mkdocs.yml: pages that live at the root of the repository are pages of the site, too."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: Page of the site -> file at the root.
FROM_ROOT = {
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "conduct.md": "CODE_OF_CONDUCT.md",
    "security.md": "SECURITY.md",
}
#: Text that has no page of its own is shown as it is.
PLAIN = ("CITATION.cff",)
#: Files that a site has no page for stand there as they are.
COPIED = ("examples/",)


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File
    from pygments.formatters import HtmlFormatter

    for page, source in FROM_ROOT.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    for name in PLAIN:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for path in sorted((ROOT / "examples").rglob("*")):
        if path.suffix in (".py", ".toml", ".ipynb"):
            files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    colours = HtmlFormatter(style="default").get_style_defs(".codehilite")
    files.append(File.generated(config, "assets/code.css", content=colours))
    return files


def on_post_build(config: Any) -> None:
    """Put a search in place of mkdocs' own that also works from file://: its index is a script."""
    folder = Path(config["site_dir"]) / "search"
    index = (folder / "search_index.json").read_text(encoding="utf-8")
    (folder / "search_index.js").write_text(f"var searchIndex = {index};\n", encoding="utf-8")
    (folder / "main.js").write_text((ROOT / "docs" / "assets" / "search.js").read_text(encoding="utf-8"), "utf-8")
    for name in ("search_index.json", "worker.js"):
        (folder / name).unlink()


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links as they are right in the repository, turned into those of the site."""

    def turned(match: re.Match[str]) -> str:
        target, mark, anchor = match[1].partition("#")
        for site, source in FROM_ROOT.items():
            if target in (source, f"../{source}"):
                return f"]({site}{mark}{anchor})"
        target = re.sub(r"^(?:docs/|\.\./(?=examples/))", "", target)
        return f"]({target}{mark}{anchor})"

    return re.sub(r"\]\(([^)\s]+)\)", turned, markdown).replace('src="docs/', 'src="')
