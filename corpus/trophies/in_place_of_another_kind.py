# AOTAutograd: what eager can't write into a tensor (complex into real, floats into integers) is computed out of place and cast.
# link: unreported
# signature: 73e266ea826c3116 v6 accepts aot_eager
# pattern: kind=accepts; backend=aot_eager; frame=can't be cast to the desired output type
# here: 2.13.0, 2.15.0
# state: open
# x.add_(y), mul_, sub_, ldexp_, logit_ and += of a subscript: eager refuses a result that its dtype can't be cast to. Compiled,
# the call becomes add and copy_, which casts anything: the imaginary part, or what is behind the point, is dropped without
# a word. Found by broken calls.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3), torch.full((3,), 1j))


def program(x, y):
    return x.add_(y)


def outcome(function):
    try:
        return f"{function(*make_inputs()).tolist()}"
    except RuntimeError as error:
        return str(error).splitlines()[0]


if __name__ == "__main__":
    try:
        eager, compiled = outcome(program), outcome(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    if "can't be cast" not in eager:
        print(f"eager does this too: {eager}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager says {eager}; compiled gives {compiled}")
    sys.exit(0 if "can't be cast" in compiled else 1)
