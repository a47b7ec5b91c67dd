"""The bare loop that a campaign is measured by: each program once in eager and once compiled, forward and backward, in
one process; nothing is compared, recorded or mutated. Run by the Python whose torch is tested.

Standard input has a JSON list of [path, backend]. A line of JSON for each is printed when it has run: {"path", "seconds"},
where eager or the compiler raised, too. The imports and the first compilation, of a program that adds 1, are
not counted."""

import json
import os
import sys
import time

# As the worker has it (pyrunner/worker/interpreter.cpp).
os.environ.update(OMP_NUM_THREADS="1", TORCHINDUCTOR_COMPILE_THREADS="1", TORCHINDUCTOR_FX_GRAPH_CACHE="0",
                  TORCHINDUCTOR_AUTOGRAD_CACHE="0", CUDA_VISIBLE_DEVICES="")

import torch  # noqa: E402


def leaves(value):
    """The tensors of a result that gradients can flow back from."""
    if isinstance(value, torch.Tensor):
        return [value] if value.requires_grad and value.dtype.is_floating_point else []
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (list, tuple)) else []


def run(function, make_inputs):
    outputs = leaves(function(*make_inputs()))
    if outputs:
        sum(output.sum() for output in outputs).backward()


def both(source, path, backend):
    names = {"__name__": "program", "__file__": path}
    exec(compile(source, path, "exec"), names)
    torch._dynamo.reset()
    run(names["program"], names["make_inputs"])
    run(torch.compile(names["program"], backend=backend), names["make_inputs"])


def main():
    programs = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # programs print
    for backend in {backend for _, backend in programs}:
        both("def make_inputs(): return ()\ndef program(): return __import__('torch').ones(3) + 1", "warm", backend)
    for path, backend in programs:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        began = time.monotonic()
        try:
            both(source, path, backend)
        except Exception:
            pass
        print(json.dumps({"path": path, "seconds": time.monotonic() - began}), file=answers, flush=True)


if __name__ == "__main__":
    main()
