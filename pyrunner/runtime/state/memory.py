"""What fresh memory holds, where the C library can be asked to fill it (glibc's M_PERTURB).

Programs that read memory which nobody has written find zeros in it more often than not, and so give the same twice. With
memory filled otherwise they don't.
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
    """From now on: 0 leaves memory as it comes; else fresh memory holds the byte's complement, freed memory the byte."""
    global _now
    if byte != _now:  # each call of mallopt also tidies up all that was freed, which the next allocations pay for
        _mallopt(_PERTURB, byte)
        _now = byte
