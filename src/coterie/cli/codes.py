"""The exit codes; others rely on them."""

DONE, NOT_ACHIEVED, WRONG_USE, UNFORESEEN, INTERRUPTED = 0, 1, 2, 70, 130
