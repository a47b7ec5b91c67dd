"""What signals mean while something is harvested."""

import contextlib
import signal
import sys

_ENDING = (signal.SIGTERM, signal.SIGHUP)


def end_in_order():
    """From now on signals that end this process let it end what it started, and remove its folders."""
    def end(number, _):
        for one in _ENDING:
            signal.signal(one, signal.SIG_IGN)
        sys.exit(128 + number)

    for one in _ENDING:
        if signal.getsignal(one) is signal.SIG_DFL:  # what `nohup` ignores stays ignored
            signal.signal(one, end)


def as_child():
    """In a fork of such a process: Ctrl-C means the parent, which ends this one; other signals end it at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for one in _ENDING:
        if callable(signal.getsignal(one)):
            signal.signal(one, signal.SIG_DFL)


@contextlib.contextmanager
def left_to_the_command():
    """Ctrl-C means the command that runs meanwhile, which it reaches too."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # the command would inherit that; it doesn't inherit a handler
        signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
