# AOTAutograd: some of what eager can't write into a tensor (complex into real, floats into integers) is computed and cast.
# link: unreported
# signature: 9298af63c7a0d327 v7 accepts aot_eager
# pattern: kind=accepts; backend=aot_eager; frame=can't be cast to the desired output type
# here: 2.13.0, 2.15.0
# state: open
# x.add_(y), mul_, sub_, ldexp_, logit_, addcmul_, addcdiv_ and += of a subscript: eager refuses a result that can't be cast to
# the tensor's dtype. Compiled, the call becomes add and copy_, which casts anything: the imaginary part, or what is behind the
# point, is dropped without a word. div_, sqrt_, exp_, pow_ and out= are refused compiled, too. Found by broken calls.
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


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs()).tolist()
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if "can't be cast" not in str(refused):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="aot_eager"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(0 if compiled else 1)
