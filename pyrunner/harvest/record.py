"""Records the calls of torch that a process makes, from `install()` on, into $JITPROBE_HARVEST/<pid>.jsonl: a line for
each different call, at once; at the end of the process a line with how often each was made.

Functions and methods come through a TorchFunctionMode, outermost calls only, in every thread. Modules of torch.nn come
through their construction (which is kept, by object) and their calls. Whatever can't be recorded leaves the program
alone: it gets no other result, only less speed.
"""

import atexit
import collections
import json
import os
import threading
import weakref

import torch
from torch.overrides import TorchFunctionMode

from . import CannotWrite, names, text, tree
from .manifest import shown_tensors, value_of

WRITTEN = 64  # elements of a tensor that are written out
LARGEST = 1 << 20  # elements; larger tensors are left out


def _meta(value, memory):
    """What calls are told apart by: equal for values of one class and layout."""
    if isinstance(value, torch.Tensor):
        kind = type(value)
        if kind is not torch.Tensor and kind is not torch.nn.Parameter or value.layout is not torch.strided:
            return kind
        place = memory.setdefault(tree.storage_of(value), len(memory))
        return value.dtype, value.shape, value.stride(), value.requires_grad, place
    if isinstance(value, (list, tuple)):
        return (type(value), *[_meta(one, memory) for one in value])
    if isinstance(value, dict):
        return (dict, *[(key, _meta(one, memory)) for key, one in value.items()])
    if isinstance(value, slice):
        return slice, _meta(value.start, memory), _meta(value.stop, memory), _meta(value.step, memory)
    if isinstance(value, (int, float, complex, str, type(None), torch.dtype, torch.device, torch.memory_format, torch.layout)):
        return type(value), repr(value)
    return type(value)


class Encoder(tree.Encoder):
    """Also knows modules by their construction."""

    def __init__(self, modules):
        super().__init__(WRITTEN, all_written=False)
        self.modules = modules

    def other(self, value):
        if isinstance(value, torch.nn.Module):
            return self.module(value)
        form, name = names.of(value) if callable(value) else ("", "")
        if form != "function":
            raise CannotWrite(f"an argument of class {type(value).__name__}")
        return {"is": "name", "name": name}

    def module(self, module):
        made = self.modules.get(id(module))
        if made is None or made.module() is not module:
            raise CannotWrite(f"a module {type(module).__name__} whose construction wasn't seen")
        told = {"is": "module", "name": names.module_name(type(module)), "args": [self.tree(one) for one in made.args],
                "kwargs": {key: self.tree(one) for key, one in made.kwargs.items()}, "training": module.training,
                "state": state_of(module), "shown": repr(module)}
        dtypes = {value.dtype for value in module.state_dict().values() if value.is_floating_point()}
        if len(dtypes) == 1 and dtypes != {torch.get_default_dtype()}:
            told["dtype"] = tree.names_of_dtypes().get(dtypes.pop())
        return told


def state_of(module):
    """What a module made anew must have too: names, dtypes and sizes of its parameters and buffers."""
    return [[name, str(value.dtype), list(value.shape)] for name, value in module.state_dict().items()]


def _has_tensor(value):
    if isinstance(value, (list, tuple)):
        return any(map(_has_tensor, value))
    return isinstance(value, torch.Tensor)


class Recorder:
    """What one process has seen. Its lock is held while something is written, not while torch runs."""

    def __init__(self, folder, samples):
        self.folder = folder
        self.samples = samples
        self.modules = {}  # id: Made
        self.lock = threading.Lock()
        self.fresh()

    def fresh(self):
        """Forgets what was counted: of the process that this one was forked from."""
        self.file = None
        self.seen = collections.Counter()  # by key
        self.kept = collections.Counter()  # by name
        self.calls = collections.Counter()
        self.reasons = collections.Counter()
        self.lock = threading.Lock()

    def send(self, line):
        if self.file is None:
            self.file = open(os.path.join(self.folder, f"{os.getpid()}.jsonl"), "a", encoding="utf-8")
        self.file.write(line + "\n")
        self.file.flush()

    def close(self):
        with self.lock:
            if self.calls:
                self.send(json.dumps({"calls": dict(self.calls), "reasons": dict(self.reasons)}))
            self.calls, self.reasons = collections.Counter(), collections.Counter()

    def call(self, name, key, encode, run):
        """Runs a call; when it is one that wasn't seen, `encode()` told what it is before it ran."""
        self.calls[name] += 1
        line = None
        try:
            new = key not in self.seen
            self.seen[key] += 1
            if new and (not self.samples or self.kept[name] < self.samples):
                line = encode()
                writes, line = text.writes(line["instance"]["calls"][0]), json.dumps(line)
        except CannotWrite as failure:
            self.reasons[f"{failure}"] += 1
        except Exception as error:  # whatever a program's own classes do when they are looked at
            self.reasons[f"can't be looked at: {type(error).__name__}"] += 1
        result = run()
        if line is not None and (writes or _has_tensor(result)):
            with self.lock:
                self.kept[name] += 1
                self.send(line)
        return result


def _line(encoder, name, parameters, calls, more):
    encoder.snapshot()
    # An assignment has no result: what it writes to is shown.
    assigns = calls[0]["form"] == "set" or calls[0]["name"] == "__setitem__"
    instance = {"storages": encoder.storages, "tensors": encoder.tensors, "calls": calls,
                "result": calls[0]["args"][0] if assigns else {"is": "result", "call": 0, "path": []}} | more
    shown = shown_tensors(instance)
    return {"name": name, "parameters": [[key, value_of(value, shown)] for key, value in parameters], "instance": instance}


def _traced():
    """Under torch.jit.trace looking at a tensor would become part of the trace."""
    return torch._C._get_tracing_state() is not None


def _refuse_modes():
    if torch.is_autocast_enabled("cpu"):
        raise CannotWrite("under autocast")


class Mode(TorchFunctionMode):
    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if names.is_question(func) or _traced():
            return func(*args, **kwargs)
        recorder = self.recorder
        try:
            form, name = names.of(func)
            memory = {}
            key = (name, form, _meta(args, memory), _meta(kwargs, memory), torch.is_grad_enabled())
            hash(key)
        except Exception as failure:
            recorder.reasons[str(failure) if isinstance(failure, CannotWrite) else "can't be looked at"] += 1
            return func(*args, **kwargs)

        def encode():
            _refuse_modes()
            if names.uninitialised(name):
                raise CannotWrite("of memory that nothing was written to")
            encoder = Encoder(recorder.modules)
            call = {"form": form, "name": name, "args": [encoder.tree(one) for one in args],
                    "kwargs": {key: encoder.tree(one) for key, one in kwargs.items()}}
            _refuse_large(encoder)
            given = [(key, encoder.tree(value)) for key, value in names.parameters(func, args, kwargs)]
            return _line(encoder, name, given, [call], {})

        return recorder.call(name, key, encode, lambda: func(*args, **kwargs))


def _refuse_large(encoder):
    if sum(text.count(one["shape"]) for one in encoder.tensors) > LARGEST:
        raise CannotWrite("more than a million elements")


def _module_line(recorder, module, args, kwargs):
    _refuse_modes()
    setup = Encoder(recorder.modules)
    told = setup.module(module)
    setup.snapshot()
    encoder = Encoder(recorder.modules)
    call = {"form": "function", "name": "module", "args": [encoder.tree(one) for one in args],
            "kwargs": {key: encoder.tree(one) for key, one in kwargs.items()}}
    _refuse_large(encoder)
    made = recorder.modules[id(module)]
    known = shown_tensors({"storages": setup.storages, "tensors": setup.tensors})
    built = [[f"__init__ {key}", value_of(setup.tree(value), known)]
             for key, value in names.parameters(type(module).__init__, (None, *made.args), made.kwargs)[1:]]
    given = [(key, encoder.tree(value))
             for key, value in names.parameters(type(module).forward, (None, *args), kwargs)[1:]]
    line = _line(encoder, told["name"], given, [call],
                 {"module": told, "setup": {"storages": setup.storages, "tensors": setup.tensors}})
    line["parameters"] = built + [["training", module.training]] + line["parameters"]
    return line


class Made:
    """How a module was constructed, and what it was called with so far."""

    def __init__(self, module, gone, args, kwargs):
        self.module = weakref.ref(module, gone)
        self.args = args
        self.kwargs = kwargs
        self.seen = set()


def _watch_modules(recorder):
    base = torch.nn.Module
    call = base.__call__

    def __new__(cls, *args, **kwargs):
        following = super(base, cls).__new__
        made = following(cls) if following is object.__new__ else following(cls, *args, **kwargs)
        if cls.__module__.startswith("torch.nn."):
            where = id(made)
            recorder.modules[where] = Made(made, lambda _: recorder.modules.pop(where, None), args, kwargs)
        return made

    def __call__(self, *args, **kwargs):
        made = recorder.modules.get(id(self))
        if made is None or made.module() is not self or _traced():
            return call(self, *args, **kwargs)
        name = f"torch.nn.{type(self).__name__}"
        with torch._C.DisableTorchFunction():
            try:
                memory = {}
                given = (self.training, _meta(args, memory), _meta(kwargs, memory), torch.is_grad_enabled())
                seen = given in made.seen
                made.seen.add(given)
                key = None if seen else (name, repr(self), given)
            except Exception:  # a class of the program's that can't be looked at
                seen = True
        if seen:
            recorder.calls[name] += 1
            return call(self, *args, **kwargs)

        def encode():
            with torch._C.DisableTorchFunction():
                return _module_line(recorder, self, args, kwargs)

        return recorder.call(name, key, encode, lambda: call(self, *args, **kwargs))

    base.__new__ = staticmethod(__new__)
    base.__call__ = __call__


def _watch_threads(mode):
    begin = threading.Thread._bootstrap_inner

    def _bootstrap_inner(self):
        with mode():
            begin(self)

    threading.Thread._bootstrap_inner = _bootstrap_inner


def install():
    """From now on calls of this process, its threads and its forks are recorded."""
    recorder = Recorder(os.environ["JITPROBE_HARVEST"], int(os.environ.get("JITPROBE_HARVEST_SAMPLES", "64")))
    _watch_modules(recorder)
    _watch_threads(lambda: Mode(recorder))
    os.register_at_fork(after_in_child=recorder.fresh)
    atexit.register(recorder.close)
    Mode(recorder).__enter__()
