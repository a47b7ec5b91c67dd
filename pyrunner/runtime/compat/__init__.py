"""Every private name of torch and of Python that the runtime touches. Nothing else in the runtime names one.

    names      how a name is declared, looked up, and reported when it is missing
    eager      of torch without its compiler
    compiler   of Dynamo, AOTAutograd and Inductor
    python     of CPython and the standard library

A name that is missing takes with it what its entry says, and nothing else: something stands in for it, or the runs that
need it are refused with a sentence that says so, or no two runs share a process any more. `jitprobe doctor` lists what
is missing.
"""

from . import compiler, eager, python

_TABLES = (eager.TABLE, compiler.TABLE, python.TABLE)


def missing():
    """[{"name": path, "lost": sentence}] of all private names that this torch and this Python lack. The first call
    looks every name up and imports most of the compiler: seconds where it is not imported yet."""
    return [lack for table in _TABLES for lack in table.missing()]


def isolates():
    """Whether all that a run may leave behind can be put back: else each run needs a process of its own."""
    return all(table.isolates() for table in _TABLES)


def paths():
    """The paths of all names, each once."""
    return list(dict.fromkeys(path for table in _TABLES for path in table.paths()))
