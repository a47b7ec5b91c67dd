"""silent.py FAULT: programs from standard input (the JSON of `jitprobe generate --json`), each compiled by the faulty
compiler with its fault off and on. Prints {"tests": programs, "shown": those whose results differ in any bit}. With the
fault off a backend is what all faults share, so those results are kept in build/planted/off/.
"""

import contextlib
import hashlib
import importlib.util
import json
import linecache
import os
import pathlib
import re
import sys
import types

for name, value in {"OMP_NUM_THREADS": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1", "CUDA_VISIBLE_DEVICES": "",
                    "TORCHINDUCTOR_FX_GRAPH_CACHE": "0", "TORCHINDUCTOR_AUTOGRAD_CACHE": "0"}.items():
    os.environ[name] = value

import torch  # noqa: E402
import torch._dynamo  # noqa: E402

leaves = torch.utils._pytree.tree_leaves


def digest(values):
    """Of everything in a nest: tensors by dtype, shape and elements."""
    told = hashlib.sha256()
    for value in leaves(values):
        if isinstance(value, torch.Tensor):
            plain = value.detach().resolve_conj().resolve_neg().contiguous()
            told.update(f"{value.dtype} {tuple(value.shape)} {value.requires_grad}".encode())
            told.update(plain.view(torch.uint8).numpy().tobytes() if plain.numel() and plain.dim() else
                        repr(plain.tolist()).encode())
        else:
            told.update(repr(value).encode())
    return told.hexdigest()


def loaded(source, number):
    """The module of a program's text."""
    path = f"<program {number}>"
    module = types.ModuleType(f"program_{number}")
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    exec(builtin_compile(source, path, "exec"), vars(module))
    return module


def compiled(source, number, compile, told):
    """What a program gives when it is compiled: see `given`."""
    module = loaded(source, number)
    torch._dynamo.reset()
    return given(module, compile, told)


def given(module, compile, told, around=contextlib.nullcontext()):
    """`told` of a program's results, its arguments afterwards and their gradients; of one that raises the exception's
    class. The program and its backward run inside of `around`."""
    torch.manual_seed(0)
    arguments = module.make_inputs()
    try:
        with around:
            outputs = compile(module.program)(*arguments)
        seen = [[told(one) for one in leaves(values)] for values in (outputs, arguments)]
        differentiable = [one for one in leaves(outputs) if isinstance(one, torch.Tensor) and one.requires_grad]
        if differentiable:
            ones = [torch.ones_like(one) for one in differentiable]
            with around:
                torch.autograd.backward(differentiable, ones)
        return [*seen, [told(one.grad) for one in leaves(arguments) if isinstance(one, torch.Tensor)]]
    except Exception as error:
        return [type(error).__name__]


def result_of(source, number, compile):
    module = loaded(source, number)
    torch._dynamo.reset()
    torch.manual_seed(0)
    arguments = module.make_inputs()
    try:
        outputs = compile(module.program)(*arguments)
        told = [digest(outputs), digest(arguments)]
        differentiable = [one for one in leaves(outputs) if isinstance(one, torch.Tensor) and one.requires_grad]
        if differentiable:
            torch.autograd.backward(differentiable, [torch.ones_like(one) for one in differentiable])
        return told + [digest([one.grad for one in leaves(arguments) if isinstance(one, torch.Tensor)])]
    except Exception as error:
        return [type(error).__name__]


def results(fault, sources, on):
    """In a process of its own, because a patch stays."""
    read, write = os.pipe()
    if os.fork() == 0:
        os.environ["PLANTED_FAULT"] = "1" if on else "0"
        spec = importlib.util.spec_from_file_location("fault", fault)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found = [result_of(source, number, module.compile) for number, source in enumerate(sources)]
        with os.fdopen(write, "w") as answer:
            json.dump(found, answer)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        found = json.load(answer)
    os.wait()
    return found


builtin_compile = compile

def right_results(fault, sources):
    backend = re.search(r'torch\.compile\(fn, backend="\w+".*', pathlib.Path(fault).read_text())[0]
    key = hashlib.sha256(json.dumps([torch.__version__, backend, sources]).encode()).hexdigest()[:16]
    file = pathlib.Path(__file__).resolve().parents[2] / "build" / "planted" / "off" / f"{key}.json"
    if not file.exists():
        found = results(fault, sources, False)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found))
    return json.loads(file.read_text())


if __name__ == "__main__":
    programs = [one["source"] for one in json.load(sys.stdin)]
    right, wrong = right_results(sys.argv[1], programs), results(sys.argv[1], programs, True)
    print(json.dumps({"tests": len(programs), "shown": sum(one != other for one, other in zip(right, wrong))}))
