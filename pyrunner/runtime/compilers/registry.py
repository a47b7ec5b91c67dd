"""From a backend's name to a Backend: its compile function, and what its file declares about failures and counters.

Names: "inductor" (a file of backends/), "file:PATH" or "PATH.py" (a user's file of the same form), "torch:NAME" (a
backend registered with torch), "module:callable" (called with the function and, if it takes keywords, the compile
options; gives the compiled function).
"""

import ast
import importlib
import importlib.util
import inspect
import os
import sys

import torch

from ..compat import compiler
from ..compat.names import Lacks
from . import configurations, dynamo

folder = ""  # pyrunner/backends, set at start
_resolved = {}


class Backend:
    """`compile(fn, **options)`; `stages` and `refusals` in the form that failures.py expects; `counters` or None."""

    def __init__(self, compile, stages=None, refusals=None, counters=None, switches=None, probes=None):
        self.compile = compile
        self.switches = configurations.offered(switches or {})
        self.probes = probes or {}
        self.stages = dynamo.STAGES if stages is None else stages
        self.refusals = dynamo.EXPECTED_REFUSALS if refusals is None else refusals
        self.counters = counters

    def counts(self):
        """Whether the backend reports how much it compiled."""
        return self.counters is not None and (self.counters is not dynamo.counters or compiler.has("counters"))

    def with_switches(self, names, options):
        """The compile function and its options with these configuration switches, in the order of `names`."""
        compile = self.compile
        for name in names:
            if name not in self.switches:
                known = ", ".join(self.switches) or "it has none"
                raise Unusable(f"the backend has no switch '{name}': {known}")
            switch = self.switches[name]
            if callable(switch):
                compile = switch(compile)
            else:
                options = merged(options, switch)
        return compile, options


def merged(options, more):
    """Both dicts merged, the later one winning; nested dicts are merged and lists joined."""
    result = dict(options)
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        elif isinstance(value, list) and isinstance(result.get(key), list):
            result[key] = result[key] + value
        else:
            result[key] = value
    return result


class Unusable(Exception):
    """The backend can't be used; the text is a sentence for the user."""


def resolve(name):
    if name not in _resolved:
        _resolved[name] = _find(name)
    return _resolved[name]


def describe(name):
    """The properties of a backend that the driver needs before using it; {"error": sentence} if it can't be used."""
    try:
        backend = resolve(name)
    except Unusable as error:
        return {"error": str(error)}
    return {
        "counts": backend.counts(),
        "switches": list(backend.switches),
        "configs": {name: _literals(switch) for name, switch in backend.switches.items() if _is_literal(switch)},
        "probes": [
            {"name": probe, "source": source, "options": _literals(options), "expect": expect}
            for probe, (source, options, expect) in backend.probes.items()
        ],
    }


def _literals(options):
    return {key: repr(value) for key, value in options.items()}


def _is_literal(switch):
    try:
        return not callable(switch) and ast.literal_eval(repr(switch)) == switch
    except (SyntaxError, ValueError):
        return False


def _find(name):
    if name.startswith("torch:"):
        return _of_torch(name[len("torch:") :])
    if name.startswith("file:") or name.endswith(".py"):
        return _of_file(os.path.abspath(name.removeprefix("file:")))
    if ":" in name:
        return _of_callable(*name.split(":", 1))
    path = os.path.join(folder, name + ".py")
    if not os.path.exists(path):
        known = ", ".join(sorted(file[:-3] for file in os.listdir(folder) if file.endswith(".py")))
        raise Unusable(
            f"there is no backend '{name}': it must be one of {known}, FILE.py, MODULE:CALLABLE or torch:NAME"
        )
    return _of_file(path)


def _of_torch(name):
    if name not in torch.compiler.list_backends(exclude_tags=()):
        raise Unusable(f"torch has no backend '{name}': torch.compiler.list_backends(None) lists those it has")
    return Backend(
        lambda fn, **options: torch.compile(fn, backend=name, **options),
        counters=dynamo.counters,
        switches=configurations.DYNAMO,
    )


def _of_file(path):
    spec = importlib.util.spec_from_file_location("jitprobe_backend_" + os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Lacks as lack:
        raise Unusable(str(lack)) from lack
    except Exception as error:
        raise Unusable(f"the backend file {path} can't be imported: {type(error).__name__}: {error}") from error
    if not callable(getattr(module, "compile", None)):
        raise Unusable(f"the backend file {path} defines no `compile(fn, **options)`")
    return Backend(
        module.compile,
        getattr(module, "STAGES", None),
        getattr(module, "EXPECTED_REFUSALS", None),
        getattr(module, "counters", None),
        getattr(module, "SWITCHES", None),
        getattr(module, "PROBES", None),
    )


def _folders():
    """Where `python -m` would look first: the current folder, then those of PYTHONPATH."""
    named = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    return list(dict.fromkeys([os.getcwd(), *map(os.path.abspath, named)]))


def _imported(module_name, attribute):
    before, folders = list(sys.path), _folders()
    sys.path[:0] = folders
    try:
        found = importlib.import_module(module_name)
        for part in attribute.split("."):
            if not hasattr(found, part):
                raise Unusable(f"{module_name} has no {attribute} ({getattr(found, '__file__', found)})")
            found = getattr(found, part)
        return found
    except ModuleNotFoundError as error:
        if error.name not in (module_name, module_name.split(".")[0]):
            raise
        raise Unusable(
            f"there is no module {error.name}: it was looked for in {', '.join(folders)} and among the packages of "
            f"{sys.prefix}; PYTHONPATH may name its folder"
        ) from error
    finally:
        sys.path[:] = before


def _of_callable(module_name, attribute):
    try:
        found = _imported(module_name, attribute)
    except Unusable:
        raise
    except Exception as error:
        raise Unusable(f"{module_name}:{attribute} can't be imported: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise Unusable(f"{module_name}:{attribute} is no function")
    return Backend(lambda fn, **options: found(fn, **(options if _takes_keywords(found) else {})))


def _takes_keywords(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
