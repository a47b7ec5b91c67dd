"""What containers hold, without running code of the program: a class of its own may define how it is gone through."""

import collections
import hashlib
import marshal
import threading

SEQUENCES = (list, tuple, collections.deque)
_LONG = 10_000
_PACKED = {bool, int, str, bytes, type(None)}


def items_of(x):
    """A list of the items of a sequence, or of something else that can be gone through."""
    for base in SEQUENCES:
        if isinstance(x, base):
            return list(base.__iter__(x))
    return list(x)


def length_of(x):
    """How many items a container has; 0 for anything else."""
    for base in (*SEQUENCES, dict, set, frozenset):
        if isinstance(x, base):
            return base.__len__(x)
    return 0


def pairs_of(x):
    """A list of the (key, value) pairs of a mapping."""
    if isinstance(x, collections.OrderedDict):
        return list(collections.OrderedDict.items(x))
    return list(dict.items(x) if isinstance(x, dict) else x.items())


def attributes_of(x):
    """{name: value} of what an object stores in its dict and in the slots of its classes, read without code of its own."""
    own = {}
    for base in type(x).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else tuple(slots):
            hidden = slot.startswith("__") and not slot.endswith("__")
            try:
                own[slot] = object.__getattribute__(x, f"_{base.__name__.lstrip('_')}{slot}" if hidden else slot)
            except AttributeError:
                pass
    # A thread's own object has one dict for each thread, which only its own lookup finds.
    lookup = threading.local.__getattribute__ if isinstance(x, threading.local) else object.__getattribute__
    try:
        own.update(lookup(x, "__dict__"))
    except (AttributeError, TypeError):
        pass
    own.pop("__dict__", None)
    own.pop("__weakref__", None)
    return {key: item for key, item in own.items() if isinstance(key, str)}


def packed(x):
    """A text that stands for a long list or tuple of integers, texts and the like; None for anything else. Item by item
    it would take the place of everything after it. Numbers that are rounded are never packed."""
    if type(x) not in (list, tuple) or len(x) < _LONG or not set(map(type, x)) <= _PACKED:
        return None
    # Of the later versions of the format, what is written also depends on who else holds the items.
    return f"{len(x)} items, {hashlib.sha256(marshal.dumps(x, 2)).hexdigest()[:16]}"
