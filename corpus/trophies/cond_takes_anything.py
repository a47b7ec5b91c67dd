# Dynamo: cond takes the truth of any constant as its condition, where eager wants a bool or a tensor.
# link: unreported
# signature: f2a34c9a8476815b v7 accepts eager
# pattern: kind=accepts; backend=eager; frame=Expected pred to be bool or tensor
# avoid: exec("import torch._dynamo.variables.higher_order_ops as operators\nfrom torch._dynamo.exc import unimplemented\nfrom torch._dynamo.variables import ConstantVariable\nplain = operators.CondHigherOrderVariable._call_function\ndef call(self, tx, args, named):\n    pred = named.get('pred', args[0] if args else None)\n    if isinstance(pred, ConstantVariable) and not isinstance(pred.as_python_constant(), bool):\n        unimplemented(gb_type='torch.cond: improper predicate', context=str(pred), explanation='Expected pred to be bool or tensor', hints=[])\n    return plain(self, tx, args, named)\noperators.CondHigherOrderVariable._call_function = call", {})
# here: 2.13.0, 2.15.0
# state: open
# None, numbers and texts: Dynamo chooses the branch by the value when it traces, before torch.cond checks it. Found by broken calls.
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
    return torch.cond(None, lambda y: y + 1, lambda y: y - 1, (x,))


def refusal(function):
    """What it raises, and what it gives otherwise."""
    try:
        return None, function(*make_inputs()).tolist()
    except Exception as error:
        return error, None


if __name__ == "__main__":
    refused, given = refusal(program)
    if "Expected pred" not in str(refused):
        print(f"eager does not refuse this: {refused or given}")
        sys.exit(2)
    compiled, given = refusal(torch.compile(program, backend="eager"))
    print(f"torch {torch.__version__}: eager says {refused}; compiled {type(compiled).__name__ if compiled else given}")
    sys.exit(0 if compiled else 1)
