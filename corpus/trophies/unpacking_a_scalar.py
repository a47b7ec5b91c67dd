# Dynamo: going through a tensor without dimensions raises AssertionError while compiling; eager raises TypeError, which a program catches.
# link: unreported
# signature: 53a06b9ebfc3abae v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=AssertionError
# avoid: import torch._dynamo.variables.tensor as _tensor, torch._dynamo.variables.object_protocol as _protocol; _tensor.TensorVariable.unpack_var_sequence = (lambda unpack: lambda self, tx, *more, **named: _protocol.raise_type_error(tx, "iteration over a 0-d tensor") if self.ndim == 0 else unpack(self, tx, *more, **named))(_tensor.TensorVariable.unpack_var_sequence)
# here: 2.13.0, 2.15.0
# state: open
# The same with list(x), with tuple(x) and with a loop over x. Found and reduced by a campaign.
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
    try:
        (first,) = x
        return first
    except TypeError:
        return x + 1


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "unpack scalar" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
