"""Objects and threads at other addresses: which number id() or get_ident() gives is nothing that a compiler keeps."""

import _thread
from time import sleep

from ..compat import python

_SIZES = range(16, 513, 16)  # Python's small objects: each size has pools of its own
_OVERHEAD = 33               # of bytes
_PATIENCE = 500              # milliseconds that threads have to end; chosen, not measured


class Elsewhere:
    """From start() to stop() some memory of each size is taken, and the stacks of as many threads as the number of the run
    says, so that what is made meanwhile lies elsewhere."""

    def __init__(self, number):
        self._number = number
        self._count = 7 * number + 3
        self._held = []
        self._threads = 0
        self._waiting = None

    def start(self):
        self._held = [bytes(max(size - _OVERHEAD, 0) + 1) for size in _SIZES for _ in range(self._count)]
        self._held += [object() for _ in range(self._count)]
        self._threads = python.running_threads()
        self._waiting = _thread.allocate_lock()
        self._waiting.acquire()
        try:
            for _ in range(self._number):
                _thread.start_new_thread(self._wait, ())
        except RuntimeError:  # no thread is to be had: then the program has none either
            pass

    def stop(self):
        self._waiting.release()
        self._held.clear()
        # A process in which a thread is left serves no other run. The program may have left some of its own.
        for _ in range(_PATIENCE):
            if python.running_threads() <= self._threads:
                break
            sleep(0.001)

    def _wait(self):
        with self._waiting:
            pass
