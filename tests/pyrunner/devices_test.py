"""Runs on a GPU as far as they can be played without one: the device is the CPU by another name ("cpu:0"), and what torch
would say of a GPU is put in its mouth.

Run by the Python whose torch is tested; beside the worker ($JITPROBE_WORKER) lies its extension `jitprobe_native`.
"""

import contextlib
import os
import pathlib
import sys
import tempfile
import types
from unittest import mock

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

import runtime_package  # noqa: E402

GIGABYTE = 1 << 30
PROGRAM = """import torch


def make_inputs():
    return (torch.ones(3, requires_grad=True),)


def program(x):
    FIRST
    return x * 2
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message, file=sys.__stdout__)
        sys.exit(1)


class Died(BaseException):
    """In place of the process's end. The runtime reports it as a failure of its own."""


class Gpu:
    """What torch says of a GPU of 16 gigabytes, of which others have `others`. `fails`: what waiting for its kernels
    raises; `sound`: whether it works afterwards."""

    def __init__(self, devices, process, fails=None, sound=True, others=0):
        self.fractions = []
        self.waits = 0
        self.died = False
        self.fails = fails
        cuda = "torch.cuda."
        self.patches = [
            mock.patch.object(devices, "need", lambda device: None),
            mock.patch.object(process, "gpu_failed", lambda: fails is not None and not sound),
            mock.patch(cuda + "current_device", lambda: 0),
            mock.patch(cuda + "get_device_properties", lambda device: types.SimpleNamespace(total_memory=16 * GIGABYTE)),
            mock.patch(cuda + "set_per_process_memory_fraction", self.fractions.append),
            mock.patch(cuda + "mem_get_info", lambda: (16 * GIGABYTE - others, 16 * GIGABYTE)),
            mock.patch(cuda + "memory_reserved", lambda: 0),
            mock.patch(cuda + "synchronize", self.wait),
            mock.patch("os.abort", self.die),
        ]

    def wait(self):
        self.waits += 1
        if self.fails is not None:
            raise self.fails

    def die(self):
        self.died = True
        raise Died  # what follows would not be run

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        for patch in self.patches:
            self.stack.enter_context(patch)
        return self

    def __exit__(self, *error):
        self.stack.close()


def main():
    os.environ.update(OMP_NUM_THREADS="1", CUDA_VISIBLE_DEVICES="")
    sys.path.insert(0, os.path.dirname(os.environ["JITPROBE_WORKER"]))
    serve = runtime_package.warmed_up(memory=4 * GIGABYTE)
    import torch
    from jitprobe_runtime import devices
    from jitprobe_runtime.state import process

    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "program.py")

        def run(gpu, device="cpu:0", first="pass"):
            source = PROGRAM.replace("FIRST", first)
            pathlib.Path(file).write_text(source)
            program = {"source": source, "entry": "program", "inputs": "make_inputs", "path": ""}
            with gpu:
                return serve.handle(
                    {"op": "run", "program": program, "file": file, "run": {"role": "eager", "device": device}})

        def ending(answer):
            check("outcome" in answer, answer)
            return answer["outcome"]["ending"]

        # Nothing is asked of a GPU for a run on the CPU.
        torch.backends.cudnn.allow_tf32 = True
        gpu = Gpu(devices, process)
        check(ending(run(gpu, "cpu"))["kind"] == "finished", "on the CPU")
        check(gpu.fractions == [] and gpu.waits == 0 and torch.backends.cudnn.allow_tf32, "a run on the CPU asks for a GPU")

        # A run there: memory limited, float32 as float32, the call and backward waited for.
        gpu = Gpu(devices, process)
        seen = ending(run(gpu, first="torch.backends.cudnn.allow_tf32 = True"))
        check(seen["kind"] == "finished", seen)
        check("gradients" in seen["observation"]["calls"][0], "backward runs there")
        check(gpu.fractions == [0.25], gpu.fractions)
        check(gpu.waits >= 2, f"waited {gpu.waits} times for the call and its backward")
        first = "assert not torch.backends.cudnn.allow_tf32 and torch.get_float32_matmul_precision() == 'highest'"
        seen = ending(run(Gpu(devices, process), first=first))
        check("exception" not in seen["observation"]["calls"][0], f"a program had switched TF32 on: {seen}")
        for part in ("torch.backends", "torch.backends.cudnn"):  # by the names of torch 2.12 and later
            run(Gpu(devices, process), first=f"{part}.fp32_precision = 'tf32'")
            seen = ending(run(Gpu(devices, process), first=first))
            check("exception" not in seen["observation"]["calls"][0], f"{part} had TF32 switched on: {seen}")

        # An exception of the program is one, whether a kernel raises it or Python does.
        seen = ending(run(Gpu(devices, process), first="raise ValueError('mine')"))
        check(seen["observation"]["calls"][0]["exception"]["type"] == "builtins.ValueError", seen)

        # Memory that this run may not have is the outcome; memory that others have is nobody's.
        exhausted = torch.OutOfMemoryError("CUDA out of memory")
        seen = ending(run(Gpu(devices, process, exhausted)))
        check(seen == {"kind": "out_of_memory", "bytes": 4 * GIGABYTE}, seen)
        answer = run(Gpu(devices, process, exhausted, others=14 * GIGABYTE))
        check("--jobs" in answer.get("broken", ""), answer)
        seen = ending(run(Gpu(devices, process), "cpu", "raise torch.OutOfMemoryError('the program says so')"))
        check(seen["kind"] == "finished", f"on the CPU it is an exception like any: {seen}")

        # A kernel that failed ends the process: nothing can be read any more.
        gpu = Gpu(devices, process, RuntimeError("CUDA error: device-side assert triggered"), sound=False)
        run(gpu)
        check(gpu.died, "the process goes on after a kernel has failed")
    print("as on a GPU", file=sys.__stdout__)


if __name__ == "__main__":
    main()
