# Dynamo: detach_ of a matrix product of batches fails while compiling.
# link: unreported
# signature: 848ab241dfb26dd6 v7 compiler_error eager
# pattern: kind=compiler_error; frame=Can't detach views in-place
# avoid: exec("import torch\nkernels = torch.ops.aten.matmul.default.py_kernels\nkey = torch._C.DispatchKey.CompositeImplicitAutograd\ndef owned(run):\n    def g(*args, **named):\n        made = run(*args, **named)\n        return torch.ops.aten._unsafe_view(made, made.shape) if 'out' not in named and made._is_view() else made\n    return g\nkernels[key] = owned(kernels[key])\ntorch.ops.aten.matmul.default._dispatch_cache.clear()", {})
# here: 2.13.0, 2.15.0
# state: open
# The fake run computes matmul by a decomposition that ends in a view of the product of matrices, where eager gives a tensor
# of its own. The avoid line makes it one. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, 2, 2),)


def program(x):
    return torch.matmul(x, x).detach_()


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "detach views in-place" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 2)
