# Dynamo: the program's own `except` does not catch a RuntimeError that a tensor operator raises while it is traced.
# link: https://github.com/pytorch/pytorch/pull/184990
# signature: e98b3f5deee6837f v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=builtins.RuntimeError
# avoid: exec("import sys, torch, torch._dynamo.exc as exc, torch._dynamo.utils as utils\nfrom torch._dynamo.symbolic_convert import InstructionTranslatorBase as base\nplain, handler, failed = utils._get_fake_value_impl, base.exception_handler, []\ndef tried(tx):\n    return tx is not None and bool(getattr(tx.current_instruction, \"exn_tab_entry\", None) or (sys.version_info < (3, 11) and tx.block_stack) or tried(getattr(tx, \"parent\", None)))\ndef value(node, tx, *rest, **named):\n    try:\n        return plain(node, tx, *rest, **named)\n    except exc.TorchRuntimeError as error:\n        if type(error) is not exc.TorchRuntimeError or not tried(tx):\n            raise\n        first = error\n    node.users or tx.output.graph.erase_node(node)\n    try:\n        exc.raise_observed_exception(RuntimeError, tx, args=[str(first)])\n    finally:\n        failed.append((tx.exn_vt_stack.get_current_exception(), first))\ndef handle(self, raised):\n    try:\n        return handler(self, raised)\n    except exc.Unsupported:\n        for known, first in failed:\n            if known is self.exn_vt_stack.get_current_exception():\n                raise first from None\n        raise\nutils._get_fake_value_impl, base.exception_handler = value, handle", {})
# here: 2.13.0
# gone: 2.15.0
# state: fixed
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
        return x.view(5, 5)
    except RuntimeError:
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
