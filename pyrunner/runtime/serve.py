"""The functions that the worker calls: warm_up, warm_up_compiler, enter_child, handle."""

import faulthandler
import gc
import logging
import os
import platform
import shutil
import signal
import sys
import tempfile
import traceback

from . import compat, devices, execute, explain, failures, load, profile, warm
from .compat.names import Lacks
from .compilers import registry
from .state import process


def _compiler(faster):
    """The C++ compiler that Inductor uses, and whether `faster`, a folder or "", makes it keep template instances."""
    name = os.environ.get("CXX", "g++")
    folders = [folder for folder in os.get_exec_path() if folder != faster]
    keeps = bool(faster) and name == "g++" and os.path.exists(os.path.join(faster, "keep_instances.so"))
    return {"compiler": shutil.which(name, path=os.pathsep.join(folders)) or "", "keeps_instances": keeps}


def warm_up(configuration):
    """Imports torch, and the compiler if `warm` says which part of it; returns the members of WorkerInfo. Called once
    in a process."""
    registry.folder = os.path.join(configuration["runtime"], "backends")
    import torch

    if configuration.get("device", "cpu") != "cpu":
        devices.hide()
    devices.memory_bytes = configuration.get("memory", 0)
    torch.set_num_threads(1)
    warm.imports()
    compat.compiler.make_headers_whole()
    missing = _warmed(configuration.get("warm", ""))
    return {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "prefix": sys.prefix,
        "library": os.path.dirname(os.__file__),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "cuda": torch.version.cuda or "",
        "missing": missing,
        "private_names": len(compat.paths()),
        **_compiler(configuration.get("compiler", "")),
    }


def _warmed(parts):
    """Warms these parts of the compiler ("", "compiler", "inductor"); returns what is missing of the private names."""
    if parts:
        warm.compile_a_little(parts == "inductor")
        process.reset_compiler()
    missing = compat.missing()  # what is found now, no child needs to look up
    process.take_baseline()
    warm.freeze(bool(parts))
    return missing


def warm_up_compiler(parts):
    """The same later, in a zygote that has imported less; returns the members of WorkerInfo that it knows now."""
    gc.disable()
    return {"missing": _warmed(parts)}


def enter_child(folder, stack_descriptor, as_it_is):
    """Sets up what each child has for itself: the folder of its compiler, its threads, and the handler of fatal
    signals. `as_it_is`: the compiler does all that warm processes leave out of it."""
    import torch

    if as_it_is:
        compat.savings.put_back()

    shared = os.environ["TMPDIR"]
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(folder, "inductor")
    os.environ["TMPDIR"] = os.path.join(folder, "tmp")
    os.makedirs(os.environ["TMPDIR"], exist_ok=True)
    tempfile.tempdir = os.environ["TMPDIR"]
    compat.compiler.add_headers(os.path.join(folder, "headers"), shared)
    # The thread pool that torch had in the zygote doesn't exist here, and the first thread that needs one creates a new
    # one without a lock. When autograd's threads start together, one of them may find no pool and end the process
    # ("Invalid thread pool", ATen/ParallelOpenMP.cpp). The pool is therefore created here, while there is only one
    # thread.
    torch.set_num_threads(1)
    devices.show()
    # Inductor locks files while it compiles, and their package says so to whatever handlers the program gives the root.
    logging.getLogger("filelock").propagate = False
    faulthandler.enable(file=stack_descriptor, all_threads=False)
    faulthandler.register(signal.SIGUSR1, file=stack_descriptor, all_threads=True, chain=False)
    process.baseline.adopt_environment()


def handle(request):
    """Handles one request. If the runtime itself fails, the result is {"broken": sentence}."""
    try:
        patched = load.patched(request.get("program", {}).get("source", ""))  # before the program can break Python
        if request["op"] == "run":
            ending = execute.run(request["program"], request["file"], request["run"])
            answer = {"outcome": {"role": request["run"]["role"], "ending": ending}}
        elif request["op"] == "explain":
            answer = {"compiled": explain.run(request["program"], request["file"], request["run"])}
        elif request["op"] == "backend":
            answer = registry.describe(request["name"])
        else:
            ending, facts = profile.run(request["program"], request["file"], request["watched"],
                                        request["record"], request["noise_seed"])
            answer = {"outcome": {"role": "profile", "ending": ending}, "facts": facts}
        try:
            answer["retire"] = process.restore(patched)
        except RuntimeError:  # what the compiler left of torch can't be restored
            answer["retire"] = True
        answer["lacked_compiler"] = process.lacked_compiler()
        return answer
    except (failures.Broken, Lacks) as broken:
        return {"broken": str(broken)}
    except BaseException as error:  # the program may have broken anything; includes KeyboardInterrupt 
        traceback.print_exc()
        return {"broken": failures.broken_sentence(error)}
