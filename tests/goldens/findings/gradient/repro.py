# gradients[x]: eager has 1, compiled has 2
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
    import importlib.util
    import io
    import itertools
    import math
    import os
    import random
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
        return torch.compile(module.program, backend="aot_eager")

    def load():
        """This file as a new module: nothing that one run leaves in its globals reaches the next."""
        spec = importlib.util.spec_from_file_location("case", os.path.abspath(__file__))
        module = importlib.util.module_from_spec(spec)
        sys.modules["case"] = module
        spec.loader.exec_module(module)
        return module

    class Raised(str):
        """An exception in place of a result; the text is only shown."""

    def attempt(step):
        try:
            return step()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Raised(f"{type(error).__name__}: {error}"[:500])

    def snapshot(x, outer=()):
        """A copy that later writes can't change: containers and objects become dicts, tensors are cloned."""
        if type(x).__module__ == "numpy":
            x = torch.as_tensor(x)
        if isinstance(x, torch.Tensor):
            return x.detach().clone().requires_grad_(x.requires_grad)
        if id(x) in outer:
            return "the container around it"
        outer = (*outer, id(x))
        name = {"type": type(x).__name__}
        if isinstance(x, collections.abc.Iterator):
            x = list(itertools.islice(x, 64))
        if isinstance(x, (list, tuple, collections.deque)):
            return name | {f"[{i}]": snapshot(item, outer) for i, item in enumerate(x)}
        if isinstance(x, collections.abc.Mapping):
            return name | {f"[{key!r}]": snapshot(item, outer) for key, item in x.items()}
        if isinstance(x, (set, frozenset)):
            return name | {"items": sorted(map(repr, x))}
        if isinstance(x, torch.nn.Module):
            kept = ("training", "_parameters", "_buffers", "_modules")
            return name | {"." + key: snapshot(vars(x)[key], outer) for key in kept}
        if isinstance(x, type) or callable(x) or not hasattr(x, "__dict__"):
            return getattr(x, "__qualname__", x)
        return name | {"." + key: snapshot(item, outer) for key, item in sorted(vars(x).items())}

    def differences(eager, compiled, where=""):
        """(where, eager's side, compiled's side) of all that differs; floats by torch.testing's tolerances."""
        if isinstance(eager, Raised) and isinstance(compiled, Raised):
            return
        if type(eager) is not type(compiled):
            yield where, eager, compiled
        elif isinstance(eager, dict):
            if list(eager) != list(compiled):
                yield where, list(eager), list(compiled)
            else:
                for key in eager:
                    yield from differences(eager[key], compiled[key], where + key)
        elif isinstance(eager, torch.Tensor):
            if eager.requires_grad != compiled.requires_grad:
                yield where, f"requires_grad={eager.requires_grad}", f"requires_grad={compiled.requires_grad}"
            try:
                torch.testing.assert_close(compiled.detach(), eager.detach(), equal_nan=True, check_stride=False)
            except AssertionError as error:
                print(where, error, sep="\n")
                yield where, eager, compiled
        elif isinstance(eager, float):
            near = math.isclose(eager, compiled, rel_tol=1e-7, abs_tol=1e-7)
            if not near and not (math.isnan(eager) and math.isnan(compiled)):
                yield where, eager, compiled
        elif repr(eager) != repr(compiled):
            yield where, eager, compiled

    def tensors(x, seen):
        """All tensors in a nest of containers and objects, in order."""
        if isinstance(x, torch.Tensor):
            yield x
        elif id(x) not in seen and not isinstance(x, (type, types.FunctionType, types.ModuleType)):
            seen.add(id(x))
            if isinstance(x, torch.nn.Module):
                inner = x.parameters()
            elif isinstance(x, dict):
                inner = list(x.values())
            elif isinstance(x, (list, tuple)):
                inner = x
            else:
                inner = list(getattr(x, "__dict__", {}).values())
            for item in inner:
                yield from tensors(item, seen)

    def leaves(roots):
        """The tensors that collect gradients, with those behind tensors that are not leaves."""
        found = {}
        for x in tensors(roots, set()):
            nodes, known = [x.grad_fn], set()
            if x.requires_grad and x.is_leaf:
                found[id(x)] = x
            while nodes:
                node = nodes.pop()
                if node is None or node in known:
                    continue
                known.add(node)
                if hasattr(node, "variable"):
                    found[id(node.variable)] = node.variable
                nodes.extend(following for following, _ in reversed(node.next_functions))
        return list(found.values())

    def backward(output, found):
        """Gradients of a backward through every output that has one, from fixed and unequal cotangents; None if none has."""
        roots = [x for x in tensors(output, set()) if x.requires_grad]
        cotangents = []
        for number, root in enumerate(roots):
            steps = (torch.arange(root.numel()) * 3 + number * 5) % 13 - 6
            values = (steps.double() * 0.125 + 0.0625).to(root.dtype)
            cotangents.append((values + 0.5j * values.flip(0) if root.is_complex() else values).reshape(root.shape))
        if roots:
            torch.autograd.backward(roots, cotangents)
        gradients = [leaf.grad for leaf in found] if roots else None
        for leaf in found:
            leaf.grad = None
        return gradients

    def run(compile_it):
        """One run of all calls, from fresh inputs: what is compared, by place."""
        random.seed(0)
        torch.manual_seed(0)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            module = load()
            calls = module.make_inputs() if hasattr(module, "make_inputs") else ()
            calls = [calls] if isinstance(calls, tuple) else calls
            torch._inductor.config.fallback_random = True  # the compiler draws eager's random numbers
            entry = compiled(module) if compile_it else module.program
            seen = {}
            for i, arguments in enumerate(calls):
                found = leaves([arguments, vars(module)])
                output = attempt(lambda: entry(*arguments))
                if isinstance(output, Raised):
                    seen[f"call {i}"] = output
                    continue
                seen[f"call {i}"] = "no exception"
                gradients = attempt(lambda: backward(output, found))
                seen[f"call {i} gradients"] = gradients if isinstance(gradients, Raised) else snapshot(gradients)
        return seen

    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    eager = run(False)
    if list(differences(eager, run(False))):
        print("eager differs from itself: this can't be judged")
        sys.exit(2)
    found = list(differences(eager, run(True)))
    for where, left, right in found:
        print(f"{where}\n  eager:    {left}\n  compiled: {right}")
    print("the difference is there" if found else "there is no difference")
    sys.exit(1 if found else 0)
