# Inductor: a product of bools fails in a pattern's check, where eager says that it has no kernel for them.
# link: unreported
# signature: 46364d3ba31e9805 v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=can require gradients
# oracle: rejects_alike
# avoid: import torch._inductor.pattern_matcher as _matcher; _matcher.is_integer_dtype = lambda dtype: not (dtype.is_floating_point or dtype.is_complex)
# here: 2.13.0, 2.15.0
# state: open
# mm, bmm and matmul of bools, lerp of integers: before the pattern matcher traces a pattern again with arguments that require
# gradients, it leaves out those with integers, and not those with bools: "Only Tensors of floating point and complex dtype can
# require gradients". Found by broken calls.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, 3, 3, dtype=torch.bool),)


def program(x):
    return torch.bmm(x, x)


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs()).tolist()
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if "not implemented for" not in str(refused):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="inductor"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(0 if "not implemented for" in str(compiled) else 1)
