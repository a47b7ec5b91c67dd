# Dynamo: the program's own `except` does not catch what a tensor operator raises while the graph runs.
# link: https://github.com/pytorch/torchdynamo/issues/318
# signature: 852800c8e7ba5a4b v7 raises eager
# signature: ae2e4a17591a5e91 v7 raises eager
# pattern: kind=raises; backend=eager
# around: exec("import sys, torch, torch._dynamo.exc as exc, torch._dynamo.utils as utils\nplain = utils._get_fake_value_impl\ndef tried(tx):\n    return tx is not None and bool(getattr(tx.current_instruction, \"exn_tab_entry\", None) or (sys.version_info < (3, 11) and tx.block_stack) or tried(getattr(tx, \"parent\", None)))\ndef value(node, tx, *rest, **named):\n    if tried(tx):\n        exc.unimplemented(gb_type=\"an operator in a try\", context=\"\", explanation=\"It may raise.\", hints=[])\n    return plain(node, tx, *rest, **named)\nutils._get_fake_value_impl = value", {})
# here: 2.13.0, 2.15.0
# state: open
# Whether a matrix is positive definite, an index is in range or a divisor is zero shows only then, and the graph is called where
# there is no try any more. The issue was closed as part of one about code in handlers, which is compiled by now. What an operator
# raises while it is traced is pytorch-184990 and pytorch-198192. The around line breaks the graph at operators in a try.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (-torch.eye(2),)


def factor(x):
    try:
        return torch.linalg.cholesky(x)
    except RuntimeError:
        return x


def program(x):
    return factor(x) + 1


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "not positive-definite" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
