"""The worker's runtime in a process of one's own, for tests and benches.

Its extension imports it as `jitprobe_runtime`: loaded under another name, facts of tensors would stay unknown.
"""

import importlib.util
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "pyrunner"


def load():
    """Loads the package `jitprobe_runtime` by path, as the worker does."""
    runtime = FOLDER / "runtime"
    spec = importlib.util.spec_from_file_location(
        "jitprobe_runtime", runtime / "__init__.py", submodule_search_locations=[str(runtime)])
    sys.modules["jitprobe_runtime"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["jitprobe_runtime"])


def warmed_up(**options):
    """Its module `serve`, ready for runs; options as the worker gives them."""
    load()
    from jitprobe_runtime import serve

    serve.warm_up({"runtime": str(FOLDER), **options})
    return serve
