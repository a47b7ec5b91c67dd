"""The calls that the worker makes: warm_up, enter_child, handle."""

import faulthandler
import os
import platform
import shutil
import signal
import sys
import tempfile
import traceback

from . import compat, execute, failures, profile, warm
from .compat.names import Lacks
from .compilers import registry
from .state import process


def warm_up(configuration):
    """Imports torch and, when asked, compiles a little; gives the facts of WorkerInfo. Once a process."""
    registry.folder = os.path.join(configuration["runtime"], "backends")
    import torch

    torch.set_num_threads(1)
    warm.imports()
    if configuration.get("warm"):
        warm.compile_a_little(configuration.get("warm_inductor", True))
        process.reset_compiler()
        missing = compat.missing()
    else:
        missing = []  # the zygote has reported them
    process.take_baseline()
    warm.freeze()
    return {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "prefix": sys.prefix,
        "library": os.path.dirname(os.__file__),
        "site_packages": os.path.dirname(os.path.dirname(torch.__file__)),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "cuda": torch.version.cuda or "",
        "missing": missing,
        "private_names": len(compat.paths()),
        "compiler": shutil.which(os.environ.get("CXX", "g++")) or "",
    }


def enter_child(folder, stack_descriptor):
    """What belongs to this process alone: where its compiler writes, its threads, and who tells of its fatal signals."""
    import torch

    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(folder, "inductor")
    os.environ["TMPDIR"] = os.path.join(folder, "tmp")
    os.makedirs(os.environ["TMPDIR"], exist_ok=True)
    tempfile.tempdir = os.environ["TMPDIR"]
    # The pool of threads that torch had in the zygote is dead here, and the first thread that asks for one makes a new
    # one unguarded: of autograd's threads, which start together, another may then find none and end the process
    # ("Invalid thread pool", ATen/ParallelOpenMP.cpp). So it is made here, where there is one thread.
    torch.set_num_threads(1)
    faulthandler.enable(file=stack_descriptor, all_threads=False)
    faulthandler.register(signal.SIGUSR1, file=stack_descriptor, all_threads=True, chain=False)
    process.baseline.adopt_environment()


def handle(request):
    """One request. What our own code can't do comes back as {"broken": sentence}."""
    try:
        if request["op"] == "run":
            ending = execute.run(request["program"], request["file"], request["run"])
            answer = {"outcome": {"role": request["run"]["role"], "ending": ending}}
        elif request["op"] == "backend":
            answer = registry.describe(request["name"])
        else:
            ending, facts = profile.run(request["program"], request["file"], request["watched"],
                                        request["record"])
            answer = {"outcome": {"role": "profile", "ending": ending}, "facts": facts}
        answer["retire"] = process.restore()
        return answer
    except (failures.Broken, Lacks) as broken:
        return {"broken": str(broken)}
    except BaseException as error:  # the program may have broken anything, KeyboardInterrupt included
        traceback.print_exc()
        return {"broken": failures.broken_sentence(error)}
