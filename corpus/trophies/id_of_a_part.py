# Dynamo: id(x.imag) fails while compiling.
# link: unreported
# signature: ea4efdf0c6782a8d v7 compiler_error eager
# signature: 9606280ce6e2c3cd v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; frame=Guard failed on the same frame it was created; call=id
# avoid: import torch._dynamo.variables.builtin as _builtin, torch._dynamo.source as _source; _builtin.BuiltinVariable.call_id = (lambda plain: lambda self, tx, *args: _builtin.FakeIdVariable(id(args[0])) if len(args) == 1 and isinstance(args[0], _builtin.TensorVariable) and isinstance(args[0].source, _source.AttrSource) and args[0].source.member in ("real", "imag", "data", "T", "mT", "H", "mH") else plain(self, tx, *args))(_builtin.BuiltinVariable.call_id)
# here: 2.13.0, 2.15.0
# state: open
# Each access to x.imag makes a tensor. Dynamo guards on the identity of the one that it met, so that the guard fails when it
# is first checked. The avoid line gives such a tensor a number of its own, as one that the program computes. Found and reduced
# by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, dtype=torch.complex64),)


def program(x):
    id(x.imag)
    return x.abs() + 1


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Guard failed on the same frame" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
