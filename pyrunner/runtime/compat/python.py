"""Private names of CPython and the standard library."""

import contextvars
import gc
import operator
import signal
import threading
import warnings

from .names import Name, Table


class Attribute:
    """Reads and writes an attribute by name."""

    def __init__(self, owner, name):
        self._owner = owner
        self._name = name

    def get(self):
        return getattr(self._owner, self._name)

    def set(self, value):
        setattr(self._owner, self._name, value)


class NoAttribute:
    """Replaces an attribute that is missing."""

    def get(self):
        return None

    def set(self, value):
        pass


def _context_values():
    return gc.get_referents(contextvars.copy_context())[-1]


def _checked_context_values(_):
    """Fails unless the last object that a context refers to is replaced exactly when a variable is set."""
    variable = contextvars.ContextVar("jitprobe")
    before = _context_values()
    token = variable.set(1)
    after = _context_values()
    variable.reset(token)
    if before is after or _context_values() is not _context_values():
        raise LookupError("a context holds its values elsewhere")
    return _context_values


def _filters_announced():
    with warnings.catch_warnings():
        pass


__getattr__ = TABLE = Table("Python", globals(), {
    "frame": Name("sys._getframe", "processes of the compiler that a signal ends are not noticed"),
    "exit_status_hook": Name(
        "subprocess.Popen._handle_exitstatus",
        "of processes of the compiler that subprocess waits for, one that a signal ends is not noticed",
        make=lambda _: "_handle_exitstatus", instead=None),
    "running_threads": Name(
        "sys._current_frames",
        "of threads that a run leaves behind, only those that the module threading started are noticed",
        make=lambda frames: lambda: len(frames()), instead=threading.active_count, isolates=True),
    "encoded_environment": Name(
        "os.environ._data", "looking whether a run changed the environment takes longer",
        make=lambda _: operator.attrgetter("_data"), instead=dict),
    "warning_hook": Name(
        "warnings._showwarnmsg_impl", "a run that replaces how warnings are shown can't be undone",
        make=lambda _: Attribute(warnings, "_showwarnmsg_impl"), instead=NoAttribute(), isolates=True),
    "filters_changed": Name(
        "warnings._filters_mutated", "putting warning filters back takes longer", instead=_filters_announced),
    # signal.getsignal looks for a member of an enum first, which mostly raises internally.
    "signal_handler": Name("_signal.getsignal", "looking up signal handlers takes longer", instead=signal.getsignal),
    # The object that holds the values of all context variables; setting a variable replaces it.
    "context_values": Name(
        "gc.get_referents", "the compiler's configuration is compared after each run, which takes longer",
        make=_checked_context_values, instead=object),
    # Parts of the project's own C++, which depend on the Python that it was built with.
    "frame_layout": Name(
        "jitprobe_native.frame_layout", "profiles read local variables by `frame.f_locals`, which takes longer",
        instead=None),
    "dict_versions": Name(
        "jitprobe_native.dict_versions", "looking for what a run changed in modules and classes takes longer",
        instead=None),
})
has = TABLE.has
