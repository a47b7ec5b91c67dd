"""What containers hold, without running code of the program: a class of its own may define how it is gone through."""

import collections

SEQUENCES = (list, tuple, collections.deque)


def items_of(x):
    """A list of the items of a sequence, or of something else that can be gone through."""
    for base in SEQUENCES:
        if isinstance(x, base):
            return list(base.__iter__(x))
    return list(x)


def pairs_of(x):
    """A list of the (key, value) pairs of a mapping."""
    if isinstance(x, collections.OrderedDict):
        return list(collections.OrderedDict.items(x))
    return list(dict.items(x) if isinstance(x, dict) else x.items())
