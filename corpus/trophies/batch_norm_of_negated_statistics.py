# Dynamo: batch_norm whose running statistics are a negated view (z.conj().imag) fails while compiling.
# link: unreported
# signature: 548f1bf80e775560 v7 compiler_error eager
# pattern: kind=compiler_error; frame=cloned_mutable_input; call=batch_norm
# avoid: exec("import torch\nop = torch.ops.aten.native_batch_norm.default\ndef plain(x):\n    return x.resolve_neg() if isinstance(x, torch.Tensor) else x\ndef own(run):\n    return lambda *args: run(*map(plain, args))\nfor key in list(op.py_kernels):\n    op.py_kernels[key] = own(op.py_kernels[key])\nop._dispatch_cache.clear()", {})
# here: 2.13.0, 2.15.0
# state: open
# The fake run calls an operator that says that it writes the statistics, and torch's fallback for negated tensors can't take two
# that it returns in no order: an internal error. Eager's operator says nothing of it, so that eager writes into a copy and leaves
# the statistics as they were. The avoid line makes that copy.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    z = torch.complex(torch.zeros(2), torch.ones(2))
    return (torch.arange(4.0).reshape(2, 2), z.conj().imag, torch.ones(2))


def program(x, y, z):
    return torch.nn.functional.batch_norm(x, y, z, training=True)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "cloned_mutable_input" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
