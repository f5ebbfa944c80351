"""Pictures that are drawn at the end of a run or from a log: where they may go, and how far they have come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coterie.core.errors import CoterieError


def check_folder(path: Path | None) -> None:
    """A folder that is not there is more often a slip of the hand than a wish; it is not made."""
    if path is not None and not path.parent.is_dir():
        raise CoterieError(f"There is no folder '{path.parent}' for '{path.name}'. Make it, or name another one.")


def check_pictures(picture: Path | None, gif: Path | None, html: Path | None = None) -> None:
    """Complain before a long run rather than after it."""
    for path in (picture, gif, html):
        check_folder(path)
    if html is not None:
        from coterie.page import check_page_path

        check_page_path(html)
    if picture is None and gif is None:
        return
    from coterie.render.files import check_picture_path

    if picture is not None:
        check_picture_path(picture)
    if gif is not None:
        check_picture_path(gif, (".gif",))


@contextmanager
def drawing(path: Path) -> Iterator[None]:
    """In a terminal, a line on stderr that counts the pictures; elsewhere nothing."""
    from coterie.cli.show import line
    from coterie.cli.terminal import terminal
    from coterie.render.files import telling

    out = terminal(stderr=True)
    if not out.is_terminal:
        yield
        return
    with out.status(line(f"drawing {path} …")) as status:

        def told(done: int, total: int) -> None:
            status.update(line(f"drawing {path} … {done}{f' of {total}' if total else ''} pictures"))

        with telling(told):
            yield
