"""A clock that runs otherwise: how long something takes is nothing that a compiler keeps."""

import functools
import time

_SECONDS = {1: 1.0, 2: 20.0, 3: 1000.0}
_READINGS = [name + unit for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
             for unit in ("", "_ns") if hasattr(time, name + unit)]


class Jumping:
    """From start() to stop() each reading of a clock of the module `time` is later than the one before by a tenth of a
    second, or by what the number of the run says, and by what has passed. Who took a function out of the module before
    keeps the true one."""

    def __init__(self, number):
        self._jump = _SECONDS.get(number, 0.1)
        self._readings = 0
        self._true = {}

    def start(self):
        for name in _READINGS:
            true = self._true[name] = getattr(time, name)
            setattr(time, name, functools.wraps(true)(functools.partial(self._read, true, name.endswith("_ns"))))

    def stop(self):
        for name, true in self._true.items():
            setattr(time, name, true)

    def _read(self, true, nanoseconds):
        self._readings += 1
        ahead = self._readings * self._jump
        return true() + (int(ahead * 1e9) if nanoseconds else ahead)
