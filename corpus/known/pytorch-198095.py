# AOTAutograd: a returned view of an argument that aliases a written one is made anew from the base of both.
# link: https://github.com/pytorch/pytorch/issues/198095
# pattern: kind=raises; frame=gen_alias_from_base; frame=The expanded size of the tensor
# pattern: kind=raises; frame=gen_alias_from_base; frame=is invalid for input of size
# pattern: kind=raises; frame=incorrect out shape after application of ViewMeta sequence
# pattern: kind=compiler_error; frame=incorrect out shape after application of ViewMeta sequence
# versions: 2.13.0
# state: open
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.zeros(3, 2)
    return x[1], x[1]


def program(x, y):
    y.add_(1)
    return x.expand(2, 2)


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
        sys.exit(1 if "expanded size of the tensor" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
