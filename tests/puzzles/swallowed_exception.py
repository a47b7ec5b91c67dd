"""Planted fault: an exception that leaves the function after the first call is swallowed and None comes back."""

import os

FAULT = os.environ.get("PUZZLE_FAULT", "1") == "1"


def compile(fn, **options):
    calls = [0]

    def compiled(*args, **kwargs):
        calls[0] += 1
        try:
            return fn(*args, **kwargs)
        except Exception:
            if FAULT and calls[0] > 1:
                return None
            raise

    return compiled
