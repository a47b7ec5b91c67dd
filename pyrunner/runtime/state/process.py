"""What a run may leave behind in its process, and how it is restored before the next one.

A baseline is recorded in the warm zygote, and again when it has imported the compiler. `restore()` compares the process
with it after each run. If something can't be restored (a Python thread left running, a child process, a compiler that
was imported in the run), it returns True: the child must not be used again.
"""

import builtins
import gc
import importlib.util
import linecache
import os
import random
import signal
import sys
import warnings

import torch
from jitprobe_native import KeptItems, KeptValues

from .. import compat
from ..compat import compiler, eager, python
from . import dispatch, memory, outside, places

_LIBRARIES = ("torch", "triton", "numpy")
_OF_ANY_KIND = 0x40000000  # Linux's __WALL: also children that end without SIGCHLD

baseline = None


class _Baseline:
    def __init__(self):
        self.builtins = builtins.__dict__.copy()
        self.has_compiler = compiler.imported()
        self.overrides = _overrides()
        self.settings = [KeptValues(overrides.variables()) for overrides in self.overrides]
        self.context_values = None
        self.isolates = compat.isolates()
        self.attributes = [
            {name: value for name, value in vars(place).items() if callable(value)} for place in places.PATCHABLE
        ]
        self.names = [set(vars(place)) for place in places.PATCHABLE]
        self.contents = [KeptItems(place) for place in places.PATCHABLE]
        self.table, self.modules = sys.modules, dict(sys.modules)
        self.loaded = KeptItems(sys.modules)
        self.path = list(sys.path)
        self.adopt_environment()
        self.folder = os.getcwd()
        self.filters = list(warnings.filters)
        self.recursion = sys.getrecursionlimit()
        self.streams = (sys.stdin, sys.stdout, sys.stderr)
        self.handlers = _handlers()
        self.gc = (gc.isenabled(), gc.get_threshold())
        self.hooks = (sys.excepthook, sys.displayhook, warnings.showwarning)
        self.warning_hook = python.warning_hook.get()
        self.matmul = torch.get_float32_matmul_precision()
        self.keys = dispatch.snapshot()
        self.libraries = _folders_of_libraries()
        self.autocast = (torch.get_autocast_dtype("cpu"), torch.is_autocast_cache_enabled())

    def adopt_environment(self):
        """Makes the present environment the one that is restored for later runs."""
        self.outside = outside.snapshot()
        self.environ, self.environment = os.environ, dict(os.environ)
        self.encoded = dict(python.encoded_environment(os.environ))


def take_baseline():
    global baseline
    baseline = _Baseline()
    # Else what a program is warned of depends on the programs that this process has run before.
    torch.set_warn_always(True)


def _own_builtins_stand():
    """Whether Python's builtins are the original ones; names that the program added may follow them."""
    return baseline.contents[places.PATCHABLE.index(builtins)].begins()


class OwnBuiltins:
    """Inside this context, Python's builtins are the original ones, whatever the program replaced."""

    def __enter__(self):
        self.theirs = None if _own_builtins_stand() else builtins.__dict__.copy()
        if self.theirs is not None:
            builtins.__dict__.update(baseline.builtins)

    def __exit__(self, *error):
        if self.theirs is not None:
            builtins.__dict__.update(self.theirs)


# torch.manual_seed captures a stack for each kind of device, including those that torch was not built for.
_seed_torch = torch.manual_seed if torch.backends.cuda.is_built() else torch.default_generator.manual_seed


def seed(number):
    _seed_torch(number)
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number % 2**32)


def restore(patched=()):
    """Restores everything; returns True if this process must not be used again. `patched`: the paths of what the program
    may have changed in modules and classes of others, as load.patched() says."""
    if not _own_builtins_stand():
        builtins.__dict__.update(baseline.builtins)
    sys.settrace(None)
    sys.setprofile(None)
    memory.fill(0)
    sys.setrecursionlimit(baseline.recursion)
    sys.stdin, sys.stdout, sys.stderr = baseline.streams
    sys.excepthook, sys.displayhook, warnings.showwarning = baseline.hooks
    python.warning_hook.set(baseline.warning_hook)
    _restore_attributes()
    _restore_torch()
    _restore_configs()
    _restore_process()
    _restore_modules()
    reset_compiler()
    whole = dispatch.restore(baseline.keys)
    if not whole or not baseline.isolates or lacked_compiler() or outside.snapshot() != baseline.outside:
        return True
    if not all(map(places.is_put_back, patched)) or any(map(_is_closed, baseline.streams)):
        return True
    return python.running_threads() > 1 or _has_children() or torch.is_inference_mode_enabled() or gpu_failed()


def _is_closed(stream):
    try:
        return stream is not None and stream.closed
    except ValueError:  # the program has taken what is below it
        return True


def lacked_compiler():
    """Whether a run has imported the compiler, which the zygote had not."""
    return compiler.imported() and not baseline.has_compiler


def _restore_torch():
    eager.end_function_modes()
    eager.end_dispatch_modes()
    eager.forget_default_device()
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_autocast_enabled("cpu", False)
    torch.set_autocast_enabled("cuda", False)
    torch.set_autocast_dtype("cpu", baseline.autocast[0])
    torch.set_autocast_cache_enabled(baseline.autocast[1])
    torch.clear_autocast_cache()
    eager.set_deterministic()
    torch.autograd.set_detect_anomaly(False)
    torch.set_flush_denormal(False)
    torch.set_float32_matmul_precision(baseline.matmul)
    torch.set_warn_always(True)
    torch.set_printoptions(profile="default")
    eager.set_multithreading_enabled(True)
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)


def _restore_attributes():
    for number, place in enumerate(places.PATCHABLE):
        if baseline.contents[number].still():
            continue
        now, saved, names = vars(place), baseline.attributes[number], baseline.names[number]
        for name, value in saved.items():
            if now.get(name) is not value:
                setattr(place, name, value)
        if place is not torch and len(now) != len(names):  # torch imports parts of itself late
            for name in set(now) - names:
                delattr(place, name)
        baseline.contents[number] = KeptItems(place)


def _overrides():
    if compiler.Overrides is None:
        return []
    return [compiler.Overrides(configuration) for configuration in places.configurations()]


def _restore_configs():
    if compiler.imported():
        compiler.leave_stance()
    elsewhere = [overrides.changed() for overrides in baseline.overrides]
    if python.context_values() is baseline.context_values and not any(elsewhere):
        return
    for overrides, settings, changed in zip(baseline.overrides, baseline.settings, elsewhere):
        if changed or not settings.still():
            overrides.put_back()
        overrides.forget_copies()
    baseline.context_values = python.context_values()


def _handlers():
    return {number: python.signal_handler(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}


def _restore_process():
    # The encoded form is compared, because decoding each variable takes longer than everything else here.
    if os.environ is not baseline.environ or python.encoded_environment(os.environ) != baseline.encoded:
        os.environ = baseline.environ
        os.environ.clear()
        os.environ.update(baseline.environment)
    os.chdir(baseline.folder)
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in baseline.handlers.items():
        if handler is not None and python.signal_handler(number) is not handler:
            signal.signal(number, handler)
    enabled, threshold = baseline.gc
    gc.enable() if enabled else gc.disable()
    gc.set_threshold(*threshold)
    warnings.filters[:] = baseline.filters
    python.filters_changed()


def _folders_of_libraries():
    """Those of the interpreter, and of the libraries that torch needs where they lie elsewhere: for this user alone, or
    where they are developed."""
    found = [sys.base_prefix, sys.prefix]
    for name in _LIBRARIES:
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            above = os.path.dirname(folder)
            found.append(above if os.path.basename(above) in ("site-packages", "dist-packages") else folder)
    return tuple(os.path.join(folder, "") for folder in found)


def _of_a_library(name, module):
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        return file.startswith(baseline.libraries)
    spec = getattr(module, "__spec__", None)
    return spec is None or spec.name == name  # under another name only a program puts it there


def _restore_modules():
    sys.path[:] = baseline.path
    sys.modules = baseline.table
    new = baseline.loaded.added()
    moved = new is None
    if moved:
        new = [name for name in sys.modules if name not in baseline.modules]
    for name in new:
        if _of_a_library(name, sys.modules[name]):
            moved = True  # stays, because importing parts of torch twice breaks them
            continue
        module = sys.modules.pop(name)
        linecache.cache.pop(getattr(module, "__file__", None), None)
    if moved:
        sys.modules.update(baseline.modules)
        baseline.loaded = KeptItems(sys.modules)


def reset_compiler():
    """Drops everything that was compiled in this process, and the counters and caches that torch's own reset keeps."""
    if not compiler.imported() or not compiler.compiled_since_reset():
        return
    torch.compiler.reset()
    if compiler.counters is not None:
        compiler.counters.clear()
    compiler.forget_compilation_metrics()
    compiler.forget_fake_results()
    compiler.forget_inductor_metrics()


def gpu_failed():
    """Whether a kernel has failed: nothing works on the GPU any more in this process."""
    if not torch.cuda.is_initialized():
        return False
    try:
        torch.cuda.synchronize()
    except Exception:
        return True
    return False


def _has_children():
    """Whether this process has children, running or ended, of any thread; none is reaped."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT | _OF_ANY_KIND)
        return True
    except OSError:
        return False
