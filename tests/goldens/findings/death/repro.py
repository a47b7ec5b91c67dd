# process: eager has 1, compiled has 2
#   eager:    1
#   compiled: 2
#
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
# Found by jitprobe 0.1.0 with torch 2.13.0, Python 3.11.2.

if __name__ == "__main__":  # what fails before the check can't be judged: exit 2
    import os
    import sys

    sys.excepthook = lambda *error: (sys.__excepthook__(*error), sys.stderr.flush(), os._exit(2))

import torch


def make_inputs():
    return (torch.tensor([-1.0, 0.5], requires_grad=True),)


def program(x):
    return torch.relu(x)


if __name__ == "__main__":
    import collections.abc
    import contextlib
    import functools
    import importlib.util
    import io
    import itertools
    import os
    import random
    import signal
    import subprocess
    import sys
    import types

    # A cache of compiled graphs must not answer for this run.
    os.environ["TORCHINDUCTOR_FX_GRAPH_CACHE"] = "0"
    os.environ["TORCHINDUCTOR_AUTOGRAD_CACHE"] = "0"
    sys.dont_write_bytecode = True

    import torch
    import torch._inductor.config

    torch.set_num_threads(1)

    def compiled(module):
        return torch.compile(module.program, backend="inductor")

    def load():
        """This file as a new module: nothing that one run leaves in its globals reaches the next."""
        spec = importlib.util.spec_from_file_location("case", os.path.abspath(__file__))
        module = importlib.util.module_from_spec(spec)
        sys.modules["case"] = module
        spec.loader.exec_module(module)
        return module

    def attributes(x):
        """What an object has in its dict and in the slots of its classes."""
        own = dict(getattr(x, "__dict__", {}))
        for kind in type(x).__mro__:
            slots = vars(kind).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name.startswith("__"):
                    name = name if name.endswith("__") else f"_{kind.__name__.lstrip('_')}{name}"
                if name not in ("__dict__", "__weakref__") and hasattr(x, name):
                    own[name] = getattr(x, name)
        return own

    def held(x):
        """{name: value} of what a class or a function of this file has: attributes, defaults, variables around it."""
        own = {name: item for name, item in vars(x).items() if not name.startswith("_torchdynamo")}
        if isinstance(x, types.FunctionType) and x.__globals__.get("__name__") == "case":
            own |= {f"default {i}": item for i, item in enumerate(x.__defaults__ or ())}
            own |= {f"default {name}": item for name, item in (x.__kwdefaults__ or {}).items()}
            for name, cell in zip(x.__code__.co_freevars, x.__closure__ or ()):
                with contextlib.suppress(ValueError):  # it has no value yet
                    own[f"variable {name}"] = cell.cell_contents
        wrapped = (staticmethod, classmethod)
        return {name: item.__func__ if isinstance(item, wrapped) else item for name, item in own.items()}

    def tensors(x, seen):
        """All tensors in a nest of containers, objects, and classes and functions of this file, in order."""
        if isinstance(x, torch.Tensor):
            yield x
        elif id(x) not in seen and not isinstance(x, types.ModuleType):
            seen.add(id(x))
            if isinstance(x, torch.nn.Module):
                of_torch = vars(torch.nn.Module())
                own = [item for part in x.modules() for key, item in vars(part).items() if key not in of_torch]
                inner = [*x.parameters(), *own]
            elif isinstance(x, dict):
                inner = list(x.values())
            elif isinstance(x, (list, tuple, collections.deque)) or isinstance(x, (set, frozenset)) and len(x) == 1:
                inner = x
            elif isinstance(x, functools.partial):
                inner = [x.func, x.args, x.keywords]
            elif isinstance(x, types.MethodType):
                inner = [x.__self__]
            elif isinstance(x, (type, types.FunctionType)):
                inner = held(x).values() if x.__module__ == "case" else ()
            else:
                inner = attributes(x).values()
            for item in list(inner):
                yield from tensors(item, seen)

    def leaves(roots, with_graphs):
        """The tensors among `roots` that collect gradients, and those behind other tensors of `with_graphs`."""
        found = {id(x): x for x in tensors(roots, set()) if x.requires_grad and x.is_leaf}
        nodes, known = [x.grad_fn for x in tensors(with_graphs, set())], set()
        while nodes:
            node = nodes.pop()
            if node is None or node in known:
                continue
            known.add(node)
            if hasattr(node, "variable"):
                found[id(node.variable)] = node.variable
            nodes.extend(following for following, _ in reversed(node.next_functions))
        return list(found.values())

    def begun(roots, found):
        """The tensors that have come to collect gradients since `found`."""
        own = tensors(roots, set())
        own = [x for x in own if (x.requires_grad or x.grad is not None if x.is_leaf else x.retains_grad)]
        return [x for x in own if all(x is not one for one in found)]

    def backward(output, found, stored=()):
        """Gradients of a backward through every output that has one or, if none has, through `stored`, from fixed and
        unequal cotangents; None if there is none."""
        if isinstance(output, collections.abc.Iterator):
            output = list(itertools.islice(output, 64))
        roots = [x for x in tensors(output, set()) if x.requires_grad]
        numbers = [*range(len(roots))] or [0] * len(stored)
        roots = roots or stored
        cotangents = []
        for number, root in zip(numbers, roots):
            steps = (torch.arange(root.numel()) * 3 + number * 5) % 13 - 6
            values = (steps.double() * 0.125 + 0.0625).to(root.dtype)
            cotangents.append((values + 0.5j * values.flip(0) if root.is_complex() else values).reshape(root.shape))
        if roots:
            torch.autograd.backward(roots, cotangents)
        ran = roots or any(leaf.grad is not None for leaf in found)
        gradients = [leaf.grad for leaf in found] if ran else None
        for leaf in found:
            leaf.grad = None
        return gradients

    def run(compile_it):
        """One run of all calls; what they raise is shown."""
        random.seed(0)
        torch.manual_seed(0)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            module = load()
            calls = module.make_inputs() if hasattr(module, "make_inputs") else ()
            calls = [calls] if isinstance(calls, tuple) else calls
            torch._inductor.config.fallback_random = True  # the compiler draws eager's random numbers
            entry = compiled(module) if compile_it else module.program
            for i, arguments in enumerate(calls):
                found = leaves([arguments, vars(module)], [arguments, {} if i else vars(module)])
                try:
                    output = entry(*arguments)
                    backward(output, found)
                except KeyboardInterrupt:
                    raise
                except BaseException as error:
                    print(f"call {i}: {type(error).__name__}: {error}", file=sys.stderr)

    LIMIT = 120  # seconds

    def in_process(side):
        """How a process ends that runs one side: its exit status, below 0 for a signal; None when it hangs."""
        process = subprocess.Popen([sys.executable, os.path.abspath(__file__), side], start_new_session=True)
        try:
            return process.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:  # it hangs, or this was interrupted
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    if sys.argv[1:] in (["eager"], ["compiled"]):
        run(sys.argv[1] == "compiled")
        sys.stdout.flush()
        os._exit(0)
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}", flush=True)
    if in_process("eager") != 0:
        print("eager does not get through: this can't be judged")
        sys.exit(2)
    ended = in_process("compiled")
    if ended == 2:
        print("the compiled side fails outside of the calls: this can't be judged")
        sys.exit(2)
    print("eager:    ended with 0")
    print("compiled:", "no end within the limit" if ended is None else f"ended with {ended}")
    present = ended is not None and ended != 0
    print("the difference is there" if present else "there is no difference")
    sys.exit(1 if present else 0)
