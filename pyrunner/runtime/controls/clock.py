"""A clock that runs otherwise: how long something takes is nothing that a compiler keeps."""

import abc
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
_CALENDARS = ("localtime", "gmtime", "ctime")


class Jumping:
    """From start() to stop() each reading of a clock is later than the one before by a tenth of a second, or by what the
    number of the run says, and by what has passed: of the module `time`, of datetime, timeit, os.times and getrusage. Who
    took a function out of its module before keeps the true one. So does what numpy makes of dates, and the class of
    datetime.datetime.min is the true one."""

    def __init__(self, number):
        self._jump = _SECONDS.get(number, 0.1)
        self._readings = 0
        self._true = []

    def start(self):
        now = time.time
        for name in _TIMES:
            self._replace(time, name, lambda true, *which: true(*which) + self._ahead())
            self._replace(time, name + "_ns", lambda true, *which: true(*which) + int(self._ahead() * 1e9))
        for name in _CALENDARS:
            self._replace(time, name, lambda true, at=None: true(now() + self._ahead() if at is None else at))
        self._replace(time, "strftime", lambda true, form, *at: true(form, *(at or (time.localtime(),))))
        self._replace(timeit, "default_timer", lambda true: true() + self._ahead())
        self._replace(os, "times", functools.partial(self._record, range(5)))
        self._replace(resource, "getrusage", functools.partial(self._record, range(2)))
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

        @functools.wraps(true)  # a function with the name of the true one can be pickled, and copied
        def replaced(*arguments):
            return reading(true, *arguments)

        self._true.append((module, name, true))
        setattr(module, name, replaced)

    def _ahead(self):
        self._readings += 1
        return self._readings * self._jump

    def _record(self, fields, true, *which):
        """Of a reading that gives a record, these fields are later."""
        record, ahead = true(*which), self._ahead()
        return type(record)(item + ahead if i in fields else item for i, item in enumerate(record))


def _later_datetime(true, ahead):
    """A class like `true` whose times of now are later."""
    class Meta(abc.ABCMeta):
        def __instancecheck__(cls, value):
            return isinstance(value, true) if cls is Later else super().__instancecheck__(value)

        def __subclasscheck__(cls, other):
            return issubclass(other, true) if cls is Later else super().__subclasscheck__(other)

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
            return "datetime." + super().__repr__() if type(self) is Later else super().__repr__()

    Later.__name__ = Later.__qualname__ = "datetime"
    Later.__module__ = "datetime"
    return Later
