# Dynamo: reading an attribute that a computed tensor lacks raises nothing, so that `except AttributeError` is not taken.
# link: https://github.com/pytorch/pytorch/pull/187708
# signature: 17b37c95f8fb9ad6 v7 value eager
# avoid: import torch._dynamo.exc as _exc, torch._dynamo.variables.tensor as _tensor; _tensor.TensorVariable.var_getattr = (lambda get, lacks, tensor: lambda self, tx, name: get(self, tx, name) if self.source or hasattr(tensor, name) or hasattr(self.python_type(), name) or tx.output.side_effects.has_pending_mutation_of_attr(self, name) else lacks(AttributeError, tx))(_tensor.TensorVariable.var_getattr, _exc.raise_observed_exception, _tensor.torch.Tensor)
# here: 2.13.0, 2.15.0
# state: open
# The attribute becomes a deferred access, whatever its name, and nothing is left of it if nobody calls it. The pull
# request, closed, names the cause with a frozenset. An argument that lacks an attribute raises as it should. If the
# handler binds a name, reading that is an UnboundLocalError. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    y = x + 1
    try:
        y.no_such_name
    except AttributeError:
        y = y * 3
    return y


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
