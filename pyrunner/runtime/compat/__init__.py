"""Every private name of torch and of Python that the runtime uses. No other module of the runtime uses one.

    names      how a name is declared, looked up, and reported when it is missing
    eager      of torch without its compiler
    compiler   of Dynamo, AOTAutograd and Inductor
    headers    Inductor's precompiled headers
    savings    what warm processes leave out of compiling
    python     of CPython and the standard library

A missing name has no other consequence than the one its entry states: it has a substitute, or runs that need it are
refused with a sentence that says so, or no two runs share a process. `jitprobe doctor` lists the missing names.
"""

from . import compiler, eager, python, savings  # noqa: F401, savings for others

_TABLES = (eager.TABLE, compiler.TABLE, python.TABLE)


def missing():
    """[{"name": path, "lost": sentence}] of the private names that this torch and this Python lack; of the compiler's
    only once it is imported. The first call looks up every name."""
    tables = [table for table in _TABLES if table is not compiler.TABLE or compiler.imported()]
    return [lack for table in tables for lack in table.missing()]


def isolates():
    """Whether everything that a run may leave behind can be restored; otherwise each run needs its own process."""
    return eager.TABLE.isolates() and compiler.isolates() and python.TABLE.isolates()


def paths():
    """The paths of all names, without repetition."""
    return list(dict.fromkeys(path for table in _TABLES for path in table.paths()))
