"""What the kernel keeps for a process and a run may leave changed, which nothing puts back: standard descriptors, limits,
handlers of signals and those that are blocked."""

import resource
import signal
# Bound here: a program may put functions of its own in their places.
from os import fstat
from resource import getrlimit
from signal import SIG_BLOCK, pthread_sigmask

from ..compat import python

_LIMITS = [getattr(resource, name) for name in ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE",
                                                "RLIMIT_NPROC", "RLIMIT_STACK")]
_SIGNALS = sorted(signal.valid_signals())


def snapshot():
    """Two of them are equal if nothing of this has changed in between."""
    return (
        [_file(number) for number in (0, 1, 2)],
        [getrlimit(limit) for limit in _LIMITS],
        [id(python.signal_handler(number)) for number in _SIGNALS],  # comparing handlers might call code of the program
        pthread_sigmask(SIG_BLOCK, ()),
    )


def _file(descriptor):
    """Which file it is; None if it is closed."""
    try:
        there = fstat(descriptor)
    except OSError:
        return None
    return there.st_dev, there.st_ino
