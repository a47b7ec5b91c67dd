"""Planted fault: Python numbers among the arguments keep the values of the first call (a guard that is missing)."""

import os

FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"


def compile(fn, **options):
    first = []

    def compiled(*args):
        numbers = (bool, int, float)
        if not first:
            first.append(args)
        elif FAULT and len(args) == len(first[0]):
            args = tuple(old if isinstance(new, numbers) and type(old) is type(new) else new
                         for old, new in zip(first[0], args))
        return fn(*args)

    return compiled
