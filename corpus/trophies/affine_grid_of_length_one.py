# AOTAutograd: the gradient of affine_grid can't be traced when a side of the grid has length 1.
# link: unreported
# signature: f281ac3ec287dc12 v7 compiler_error aot_eager
# pattern: kind=compiler_error; call=affine_grid; frame=data is not allocated yet
# around: import torch._decomp.decompositions as d; torch.ops.aten.affine_grid_generator.default.py_impl(torch._C.DispatchKey.Autograd)(d.affine_grid_generator)
# here: 2.13.0, 2.15.0
# state: open
# Any side of the grid, in two and three dimensions. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.rand(1, 2, 3).requires_grad_(),)


def program(theta):
    return torch.nn.functional.affine_grid(theta, (1, 1, 2, 1))


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "not allocated yet" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
