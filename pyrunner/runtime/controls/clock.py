"""A clock that runs otherwise: how long something takes is nothing that a compiler keeps."""

import datetime
import functools
import os
import time
import timeit

try:
    import resource
except ImportError:  # not on this system
    resource = None

_SECONDS = {1: 1.0, 2: 20.0, 3: 1000.0}
_TIMES = ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime")


class Jumping:
    """From start() to stop() each reading of a clock is later than the one before by a tenth of a second, or by what the
    number of the run says, and by what has passed: of the module `time`, of datetime, timeit, os.times and getrusage. Who
    took a function out of its module before keeps the true one."""

    def __init__(self, number):
        self._jump = _SECONDS.get(number, 0.1)
        self._readings = 0
        self._true = []

    def start(self):
        for name in _TIMES:
            self._replace(time, name, self._seconds)
            self._replace(time, name + "_ns", self._nanoseconds)
        self._replace(timeit, "default_timer", self._seconds)
        self._replace(os, "times", self._record(range(5)))
        self._replace(resource, "getrusage", self._record(range(2)))
        self._true.append((datetime, "datetime", datetime.datetime))
        datetime.datetime = _later_datetime(datetime.datetime, self._ahead)

    def stop(self):
        for module, name, true in reversed(self._true):
            setattr(module, name, true)
        self._true.clear()

    def _replace(self, module, name, reading):
        true = getattr(module, name, None)
        if true is None:
            return
        self._true.append((module, name, true))
        setattr(module, name, functools.wraps(true)(functools.partial(reading, true)))

    def _ahead(self):
        self._readings += 1
        return self._readings * self._jump

    def _seconds(self, true, *which):
        return true(*which) + self._ahead()

    def _nanoseconds(self, true, *which):
        return true(*which) + int(self._ahead() * 1e9)

    def _record(self, fields):
        """Of a reading that gives a record, these fields are later."""
        def read(true, *which):
            record, ahead = true(*which), self._ahead()
            return type(record)(item + ahead if i in fields else item for i, item in enumerate(record))
        return read


def _later_datetime(true, ahead):
    """A class like `true` whose times of now are later."""
    class Meta(type):
        def __instancecheck__(cls, value):
            return isinstance(value, true)

        def __subclasscheck__(cls, other):
            return issubclass(other, true)

    class Later(true, metaclass=Meta):
        @classmethod
        def now(cls, tz=None):
            return super().now(tz) + datetime.timedelta(seconds=ahead())

        @classmethod
        def utcnow(cls):
            return super().utcnow() + datetime.timedelta(seconds=ahead())

        @classmethod
        def today(cls):
            return cls.now()

        def __repr__(self):
            return "datetime." + super().__repr__()

    Later.__name__ = Later.__qualname__ = "datetime"
    Later.__module__ = "datetime"
    return Later
