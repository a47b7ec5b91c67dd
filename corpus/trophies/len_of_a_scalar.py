# Dynamo: len of a tensor without dimensions raises IndexError while compiling; eager raises TypeError, which a program catches.
# link: unreported
# signature: 40f741858ac2a666 v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=IndexError; call=len
# avoid: import torch._dynamo.variables.tensor as _tensor, torch._dynamo.variables.object_protocol as _protocol; [setattr(_tensor.TensorVariable, name, (lambda length: lambda self, tx: _protocol.raise_type_error(tx, "len() of a 0-d tensor") if self.ndim == 0 else length(self, tx))(vars(_tensor.TensorVariable)[name])) for name in ("sq_length", "sq_length_impl") if name in vars(_tensor.TensorVariable)]
# here: 2.13.0, 2.15.0
# state: open
# The length is taken from the shape, of which there is no first entry. Found and reduced by a campaign.
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
        return len(x)
    except TypeError:
        return 0


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "tuple index out of range" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 2)
