# Dynamo: torch.split of a tensor without dimensions raises IndexError while compiling; eager raises RuntimeError.
# link: unreported
# signature: f1f4f5efc8fe1d6d v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=IndexError; call=split
# oracle: rejects_alike
# around: torch.Tensor.split = (lambda f: lambda x, *how, **named: f(x, *how, **named) if x.dim() else torch.chunk(x, 1))(torch.Tensor.split)
# here: 2.13.0, 2.15.0
# state: open
# The fake run looks up the length of a dimension that is not there before it checks that there is one: "tuple index out of range".
# So an `except RuntimeError` around the compiled call does not catch it. The around line calls chunk, which checks.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor(1.0),)


def program(x):
    return torch.split(x, 1)


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs())
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if not isinstance(refused, RuntimeError):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="eager"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(1 if isinstance(compiled, IndexError) else 0)
