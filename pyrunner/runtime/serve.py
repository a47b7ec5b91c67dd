"""The calls that the worker makes: warm_up, enter_child, handle."""

import faulthandler
import os
import platform
import shutil
import signal
import sys
import tempfile
import traceback

from . import backends, execute, profile, state, warm


def warm_up(configuration):
    """Imports torch and, when asked, compiles a little; gives the facts of WorkerInfo. Once a process."""
    backends.folder = os.path.join(configuration["runtime"], "backends")
    import torch

    torch.set_num_threads(1)
    warm.imports()
    if configuration.get("warm"):
        warm.compile_a_little(configuration.get("warm_inductor", True))
        state.reset_compiler()
    state.take_baseline()
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
        "compiler": shutil.which(os.environ.get("CXX", "g++")) or "",
    }


def enter_child(folder, stack_descriptor):
    """What belongs to this process alone: where its compiler writes, and who tells of its fatal signals."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(folder, "inductor")
    os.environ["TMPDIR"] = os.path.join(folder, "tmp")
    os.makedirs(os.environ["TMPDIR"], exist_ok=True)
    tempfile.tempdir = os.environ["TMPDIR"]
    faulthandler.enable(file=stack_descriptor, all_threads=False)
    faulthandler.register(signal.SIGUSR1, file=stack_descriptor, all_threads=True, chain=False)
    state.baseline.adopt_environment()


def handle(request):
    """One request. A fault of ours comes back as {"broken": traceback}."""
    try:
        if request["op"] == "run":
            ending = execute.run(request["program"], request["file"], request["run"])
            answer = {"outcome": {"role": request["run"]["role"], "ending": ending}}
        elif request["op"] == "backend":
            answer = backends.describe(request["name"])
        else:
            ending, facts = profile.run(request["program"], request["file"], request["watched"],
                                        request["record"])
            answer = {"outcome": {"role": "profile", "ending": ending}, "facts": facts}
        answer["retire"] = state.restore()
        return answer
    except BaseException:  # the program may have broken anything, KeyboardInterrupt included
        return {"broken": traceback.format_exc()}
