# for test/dynamo/test_repros.py
# dynamo: wrong state afterwards: append.
# For test/dynamo/test_repros.py.
# Found by jitprobe 0.1.0.
import os
import subprocess
import sys
import tempfile

import torch
import torch._dynamo.test_case

PROGRAM = r'''# state['counter']: eager has 1, compiled has 2
#   eager:    1
#   compiled: 2
#
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.

if __name__ == "__main__":  # what fails before the check can't be judged: exit 2
    import os
    import sys

    sys.excepthook = lambda *error: (sys.__excepthook__(*error), sys.stderr.flush(), os._exit(2))

import torch

counter = []


def program():
    counter.append(1)


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
        return torch.compile(module.program, backend="eager")

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

    def state(module):
        """Data among the file's globals and in its classes."""
        data = {}
        for name, x in vars(module).items():
            if isinstance(x, (type, types.FunctionType)) and x.__module__ == module.__name__:
                data.update({f"{name}.{key}": item for key, item in vars(x).items() if not key.startswith("__")})
            else:
                data[name] = x
        plain = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.GetSetDescriptorType)
        return {name: x for name, x in data.items() if not name.startswith("__") and not isinstance(x, plain)}

    def run(compile_it):
        """One run of all calls, from fresh inputs: what is compared, by place."""
        random.seed(0)
        torch.manual_seed(0)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            module = load()
            calls = ()
            calls = [calls] if isinstance(calls, tuple) else calls
            torch._inductor.config.fallback_random = True  # the compiler draws eager's random numbers
            entry = compiled(module) if compile_it else module.program
            seen = {}
            for i, arguments in enumerate(calls):
                output = attempt(lambda: entry(*arguments))
                if isinstance(output, Raised):
                    seen[f"call {i}"] = output
                    continue
                seen[f"call {i}"] = "no exception"
                seen[f"call {i} state"] = snapshot(state(module))
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
'''


class ReproTests(torch._dynamo.test_case.TestCase):
    def test_wrong_state_afterwards_append(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(PROGRAM)
            ended = subprocess.run([sys.executable, path], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


if __name__ == "__main__":
    from torch._dynamo.test_case import run_tests

    run_tests()
