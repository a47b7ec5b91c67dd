# Inductor: group_norm and normalize of a tensor that isn't contiguous use one row's means for all rows.
# link: https://github.com/pytorch/pytorch/issues/185702
# signature: 394b3cdce21d5c2a v7 value inductor
# pattern: kind=value; backend=inductor; call=group_norm
# around: import torch._inductor.codegen.cpp; torch._inductor.codegen.cpp.CppScheduling.can_fuse_vertical_outer_loop = lambda *rest: False
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# Every group has one element, so group_norm gives zeros, and normalize gives zeros. Compiled, the C++ kernel's local
# buffer
# for the means lacks the dimension that is vectorized. Changed in pull request 185855.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return torch.linspace(-1, 1, 68).reshape(4, 17), torch.linspace(0.1, 2, 68).reshape(17, 4).t()


def program(x, y):
    return torch.nn.functional.normalize(torch.nn.functional.group_norm(x / y, 17), dim=1)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives at most {expected.abs().max()}, compiled {shown.abs().max()}")
    sys.exit(0 if torch.allclose(expected, shown) else 1)
