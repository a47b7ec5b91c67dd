"""A compiler in which the process ends, hangs or grows, or that fails in itself.

Option: `fault`, a function of FAULTS that takes the graph and its example inputs and gives the callable, or does not.
`call_fault`, one of CALL_FAULTS, for the compile call itself.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def running(action):
    """Compiles well; `action` comes when the graph runs."""

    def compiler(module, example_inputs):
        def run(*arguments):
            action()
            return module(*arguments)

        return make_boxed_func(run)

    return compiler


def compiling(action):
    def compiler(module, example_inputs):
        action()
        return make_boxed_func(module.forward)

    return compiler


def wait():
    while True:
        time.sleep(0.01)


def grow():
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1 << 20)) * 16)


def fail():
    raise AssertionError("unexpected node in the scheduler")


def fail_as_if_refusing():
    raise NotImplementedError("lowering of a node that should have been removed")


def helper_dies():
    """A helper of the compiler is ended by a signal; its work is done here instead."""
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    subprocess.run([sys.executable, "-S", "-c", code], check=False, stderr=subprocess.DEVNULL)


FAULTS = {
    "segfault": running(lambda: ctypes.string_at(0)),
    "abort_while_compiling": compiling(os.abort),
    "exit": running(lambda: os._exit(3)),
    "illegal_instruction": running(lambda: os.kill(os.getpid(), signal.SIGILL)),
    "hang": running(wait),
    "memory": running(grow),
    "assertion": compiling(fail),
    "not_implemented": compiling(fail_as_if_refusing),
    "helper_dies": compiling(helper_dies),
}


def whole(module, example_inputs):
    return make_boxed_func(module.forward)


def refuse_call():
    raise RuntimeError("the toolchain has no vector unit")


CALL_FAULTS = {"compile_call": refuse_call}


def compile(fn, fault="", graph="forward", call_fault="", **options):
    if call_fault:
        CALL_FAULTS[call_fault]()
    faulty = FAULTS[fault]
    forward, backward = (whole, faulty) if graph == "backward" else (faulty, whole)
    backend = aot_autograd(fw_compiler=forward, bw_compiler=backward, inference_compiler=forward)
    return torch.compile(fn, backend=backend, **options)
