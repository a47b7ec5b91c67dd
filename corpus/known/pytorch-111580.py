# Dynamo: an argument that is passed as out= can't be resized once its size is dynamic.
# link: https://github.com/pytorch/pytorch/issues/111580
# signature: 282a62db4cc1059f v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=tried to directly modify sizes
# around: import torch._dynamo; torch._dynamo.config.automatic_dynamic_shapes = False
# here: 2.13.0
# gone: 2.15.0
# state: open
# A fake tensor of symbolic sizes can't be resized. In the first call all sizes are numbers, and the graph breaks.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(torch.ones(()),), (torch.ones(2),)]


def program(x):
    torch.sum(torch.ones(0), dim=0, out=x)


def two_calls(function):
    for arguments in make_inputs():
        function(*arguments)


if __name__ == "__main__":
    try:
        two_calls(program)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        two_calls(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "directly modify sizes" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
