"""The texts of packed rows."""


def spans(until):
    """The first place and the one behind the last of each text of a row."""
    found, at = [], 0
    while at < len(until):
        if until[at] > at:
            found.append((at, int(until[at]) + 1))
        at = int(until[at]) + 1
    return found
