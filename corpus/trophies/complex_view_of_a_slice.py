# Dynamo: an argument that is view_as_complex of a slice can't be compiled, unless the whole tensor has pairs, too.
# link: unreported
# signature: 24e2c5b103d7ec16 v7 compiler_error eager
# pattern: kind=compiler_error; frame=Tensor must have a last dimension of size
# avoid: import dataclasses, torch._subclasses.meta_utils as m; m.MetaTensorDescriber.describe_tensor = (lambda f, of: lambda *a, **k: (lambda d: of(d, base=None, is_view=False) if d.base is not None and d.dtype.is_complex and not d.base.dtype.is_complex and d.base.shape[-1:] != (2,) else d)(f(*a, **k)))(m.MetaTensorDescriber.describe_tensor, dataclasses.replace)
# here: 2.13.0, 2.15.0
# state: open
# The argument's fake tensor is made by viewing its whole base as complex numbers, whose last dimension is another. So
# for a
# tensor that is alive at a graph break. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.view_as_complex(torch.ones(4)[:2]),)


def program(x):
    return x * 1


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager computes it, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: both compute it")
