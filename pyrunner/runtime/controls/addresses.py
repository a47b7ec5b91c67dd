"""Objects and threads at other addresses: which number id() or get_ident() gives is nothing that a compiler keeps."""

import _thread

_SIZES = range(16, 513, 16)  # Python's small objects: each size has pools of its own
_OVERHEAD = 33               # of bytes


class Elsewhere:
    """From start() to stop() some memory of each size is taken, and the stacks of as many threads as the number of the run
    says, so that what is made meanwhile lies elsewhere."""

    def __init__(self, number):
        self._number = number
        self._count = 7 * number + 3
        self._held = []
        self._waiting = None

    def start(self):
        self._held = [bytes(max(size - _OVERHEAD, 0) + 1) for size in _SIZES for _ in range(self._count)]
        self._held += [object() for _ in range(self._count)]
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

    def _wait(self):
        with self._waiting:
            pass
