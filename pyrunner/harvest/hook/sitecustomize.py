"""Stands first on PYTHONPATH of a recorded command, so that every interpreter that it starts runs this: torch's calls
are recorded from the moment that torch has been imported. The sitecustomize that would have run runs too.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.realpath(__file__))


def _elsewhere():
    return [folder for folder in sys.path if os.path.realpath(folder or ".") != _HERE]


def _the_other():
    """Runs the sitecustomize that this one stands before."""
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", _elsewhere())
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def _recorder():
    folder = os.path.dirname(_HERE)
    spec = importlib.util.spec_from_file_location(
        "jitprobe_harvest", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])
    return importlib.import_module("jitprobe_harvest.record")


class _AfterTorch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            _recorder().install()

        spec.loader.exec_module = exec_module
        return spec


if os.environ.get("JITPROBE_HARVEST"):
    sys.meta_path.insert(0, _AfterTorch())
_the_other()
