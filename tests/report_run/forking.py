"""Runs files as `python FILE` does, each in a fork of this interpreter, which has imported torch and its compiler.

Reads lines "FOLDER<tab>FILE<tab>FAULT": the file is run in that folder, its output goes to the folder's file `output`, and
$FAULT is set. Answers with a line that has the exit status, or -1 if a signal ended it, or 97 if there is no such file or
folder. torch's own test cases are not imported here: they forbid for the whole process what other files set
(torch.backends.disable_global_flags).
"""

import atexit
import builtins
import os
import sys
import threading
import types

# As reproducers set it before they import torch, which reads it when it is imported.
os.environ["TORCHINDUCTOR_FX_GRAPH_CACHE"] = os.environ["TORCHINDUCTOR_AUTOGRAD_CACHE"] = "0"

import torch
import torch._dynamo
import torch._inductor.compile_fx
import torch.testing  # noqa: F401


def run(file, text):
    """The exit status of the file as the main module."""
    main = types.ModuleType("__main__")
    main.__file__, main.__builtins__ = os.path.abspath(file), builtins
    sys.modules["__main__"], sys.argv, sys.path[0] = main, [file], os.getcwd()
    try:
        exec(compile(text, main.__file__, "exec"), vars(main))
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def child(folder, file, fault):
    try:
        os.chdir(folder)
        os.environ["FAULT"] = fault
        output = os.open("output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
    except OSError:
        os._exit(97)
    atexit._clear()
    status = run(file, text)
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 0xFF)


def main():
    torch.set_num_threads(1)
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            child(*line.rstrip("\n").split("\t"))
        _, status = os.waitpid(process, 0)
        print(os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1, flush=True)


if __name__ == "__main__":
    main()
