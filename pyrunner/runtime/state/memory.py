"""The contents of fresh memory, where the C library can be told to fill it (glibc's M_PERTURB).

Programs that read uninitialised memory mostly find zeros in it, and so give the same result twice. With other contents
they don't.
"""

import ctypes

_PERTURB = -6
_now = 0


def _none(*_):
    return 0


try:
    _mallopt = ctypes.CDLL(None).mallopt
except (OSError, AttributeError):
    _mallopt = _none


def fill(byte):
    """Takes effect for later allocations. 0 doesn't fill memory; otherwise fresh memory holds the byte's complement,
    freed memory the byte."""
    global _now
    if byte != _now:  # each call of mallopt also consolidates freed memory, for which later allocations pay
        _mallopt(_PERTURB, byte)
        _now = byte
