# Dynamo: the program's own `except` does not catch an IndexError that a tensor operator raises while it is traced.
# link: https://github.com/pytorch/pytorch/issues/198192
# signature: 0f5547449ec7e36e v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=builtins.IndexError
# avoid: import contextlib as _contextlib, sys as _sys, traceback as _traceback, torch._dynamo.utils as _utils, torch._dynamo.exc as _exc; _caught = lambda tx: tx is not None and bool(getattr(tx.current_instruction, "exn_tab_entry", None) or (_sys.version_info < (3, 11) and tx.block_stack) or _caught(getattr(tx, "parent", None))); _utils._get_fake_value_impl = type("Observed", (_contextlib.ContextDecorator,), {"__enter__": lambda self: self, "__exit__": lambda self, kind, error, trace: kind is IndexError and (lambda node, tx, **more: _caught(tx) and (node.users or tx.output.graph.erase_node(node), _exc.raise_observed_exception(IndexError, tx, args=[str(error)])))(**next(f.f_locals for f, _ in _traceback.walk_tb(trace) if f.f_code.co_name == "_get_fake_value_impl"))})()(_utils._get_fake_value_impl)
# here: 2.13.0, 2.15.0
# state: open
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    try:
        return x.sum(dim=5)
    except IndexError:
        return x + 1


if __name__ == "__main__":
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    eager = program(*make_inputs())
    print("eager:   ", eager)
    try:
        compiled = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"compiled: {type(error).__name__}: {str(error).splitlines()[0]}")
        sys.exit(1)
    print("compiled:", compiled)
    sys.exit(0 if torch.equal(eager, compiled) else 2)
