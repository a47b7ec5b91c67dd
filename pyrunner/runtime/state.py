"""What a run may leave behind in its process, and putting it back before the next one.

A baseline is taken once, in the warm zygote. `restore()` compares with it after each run. What can't be put back (a
Python thread left running, a child process) makes it answer True: the child must not be used again.
"""

import _signal  # signal.getsignal looks for an enum's member first, and mostly raises on the way
import builtins
import contextvars
import gc
import linecache
import os
import random
import signal
import sys
import warnings

import torch
import torch._dynamo
import torch._dynamo.utils
import torch._functorch.config
import torch._inductor.config
import torch._inductor.metrics
import torch.fx.experimental._config
from jitprobe_native import KeptItems, KeptValues
from torch._subclasses.fake_tensor import FakeTensorMode

from . import dispatch, memory

_CONFIGS = (
    torch._dynamo.config,
    torch._inductor.config,
    torch._functorch.config,
    torch.fx.experimental._config,
)
# Where a program that patches torch or Python would leave its traces; only callables are compared.
_PATCHABLE = (builtins, torch, torch.Tensor, torch.nn.functional, torch.nn.Module, torch.autograd.Function)
_OF_ANY_KIND = 0x40000000  # Linux's __WALL: children too that end without SIGCHLD

baseline = None


class _Baseline:
    def __init__(self):
        self.builtins = builtins.__dict__.copy()
        self.configs = [_overrides(config) for config in _CONFIGS]
        self.overrides = [KeptValues([entry.user_override for entry, _ in saved]) for saved in self.configs]
        self.variables = None
        self.attributes = [
            {name: value for name, value in vars(place).items() if callable(value)} for place in _PATCHABLE
        ]
        self.names = [set(vars(place)) for place in _PATCHABLE]
        self.contents = [KeptItems(place) for place in _PATCHABLE]
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
        self.hooks = (sys.excepthook, sys.displayhook, warnings.showwarning, warnings._showwarnmsg_impl)
        self.matmul = torch.get_float32_matmul_precision()
        self.keys = dispatch.snapshot()
        self.autocast = (torch.get_autocast_dtype("cpu"), torch.is_autocast_cache_enabled())

    def adopt_environment(self):
        """The environment as it is now is what later runs are given again."""
        self.environ, self.environment = os.environ, dict(os.environ)
        self.encoded = dict(os.environ._data)


def take_baseline():
    global baseline
    baseline = _Baseline()


def _own_builtins_stand():
    """Whether Python's builtins are the original ones; the program's own may have come behind them."""
    return baseline.contents[_PATCHABLE.index(builtins)].begins()


class OwnBuiltins:
    """Inside, Python's builtins are the original ones, whatever the program put in their place."""

    def __enter__(self):
        self.theirs = None if _own_builtins_stand() else builtins.__dict__.copy()
        if self.theirs is not None:
            builtins.__dict__.update(baseline.builtins)

    def __exit__(self, *error):
        if self.theirs is not None:
            builtins.__dict__.update(self.theirs)


# torch.manual_seed writes a stack down for each kind of device, those that torch was not built for included.
_seed_torch = torch.manual_seed if torch.cuda._is_compiled() else torch.default_generator.manual_seed


def seed(number):
    _seed_torch(number)
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number % 2**32)


def restore():
    """Puts everything back; True when this process must not be used again."""
    if not _own_builtins_stand():
        builtins.__dict__.update(baseline.builtins)
    sys.settrace(None)
    sys.setprofile(None)
    memory.fill(0)
    sys.setrecursionlimit(baseline.recursion)
    sys.stdin, sys.stdout, sys.stderr = baseline.streams
    sys.excepthook, sys.displayhook, warnings.showwarning, warnings._showwarnmsg_impl = baseline.hooks
    _restore_attributes()
    _restore_torch()
    _restore_configs()
    _restore_process()
    _restore_modules()
    reset_compiler()
    whole = dispatch.restore(baseline.keys)
    return not whole or len(sys._current_frames()) > 1 or _has_children() or torch.is_inference_mode_enabled()


def _restore_torch():
    while torch._C._len_torch_function_stack() > 0:
        torch._C._pop_torch_function_stack()
    while torch._C._len_torch_dispatch_stack() > 0:
        torch._C._pop_torch_dispatch_stack(None)
    torch._GLOBAL_DEVICE_CONTEXT.__dict__.clear()
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_autocast_enabled("cpu", False)
    torch.set_autocast_enabled("cuda", False)
    torch.set_autocast_dtype("cpu", baseline.autocast[0])
    torch.set_autocast_cache_enabled(baseline.autocast[1])
    torch.clear_autocast_cache()
    torch._C._set_deterministic_algorithms(False, warn_only=False)  # what torch's function sets beside is a config
    torch.autograd.set_detect_anomaly(False)
    torch.set_flush_denormal(False)
    torch.set_float32_matmul_precision(baseline.matmul)
    torch.set_warn_always(False)
    torch.set_printoptions(profile="default")
    torch._C._set_multithreading_enabled(True)
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)


def _restore_attributes():
    for number, place in enumerate(_PATCHABLE):
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


def _overrides(config):
    return [(entry, entry.user_override.get()) for entry in config._config.values()]


def _variables():
    """What holds the values of all context variables: another object as soon as one of them is set."""
    return gc.get_referents(contextvars.copy_context())[-1]


def _restore_configs():
    if _variables() is baseline.variables:
        return
    for config, saved, overrides in zip(_CONFIGS, baseline.configs, baseline.overrides):
        if not overrides.still():
            for entry, override in saved:
                if entry.user_override.get() is not override:
                    entry.user_override.set(override)
        config._get_dict_dirty_keys_var.set(None)
    baseline.variables = _variables()


def _handlers():
    return {number: _signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}


def _restore_process():
    # Decoding each variable takes longer than all the rest.
    if os.environ is not baseline.environ or os.environ._data != baseline.encoded:
        os.environ = baseline.environ
        os.environ.clear()
        os.environ.update(baseline.environment)
    os.chdir(baseline.folder)
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in baseline.handlers.items():
        if handler is not None and _signal.getsignal(number) is not handler:
            signal.signal(number, handler)
    enabled, threshold = baseline.gc
    gc.enable() if enabled else gc.disable()
    gc.set_threshold(*threshold)
    warnings.filters[:] = baseline.filters
    warnings._filters_mutated()


def _of_a_library(module):
    file = getattr(module, "__file__", None)
    return not isinstance(file, str) or file.startswith((sys.base_prefix, sys.prefix))


def _restore_modules():
    sys.path[:] = baseline.path
    sys.modules = baseline.table
    new = baseline.loaded.added()
    moved = new is None
    if moved:
        new = [name for name in sys.modules if name not in baseline.modules]
    for name in new:
        if _of_a_library(sys.modules[name]):
            moved = True  # it was imported late, and stays: importing torch's parts twice breaks them
            continue
        module = sys.modules.pop(name)
        linecache.cache.pop(getattr(module, "__file__", None), None)
    if moved:
        sys.modules.update(baseline.modules)
        baseline.loaded = KeptItems(sys.modules)


def reset_compiler():
    """Forgets all that was compiled in this process, with the counters and caches that torch's own reset leaves."""
    counters = torch._dynamo.utils.counters
    if not counters and not torch._dynamo.convert_frame.input_codes.seen:
        return  # nothing was compiled since the last reset
    torch._dynamo.reset()
    counters.clear()
    torch._dynamo.utils.clear_compilation_metrics()
    FakeTensorMode.cache_clear()
    torch._inductor.metrics.reset()


def _has_children():
    """Running or ended, and of whatever thread; none is waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT | _OF_ANY_KIND)
        return True
    except OSError:
        return False
