# Dynamo: random.Random with a number that changes as seed can't be compiled the second time.
# link: unreported
# signature: 019bc39ddbdc6ce7 v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; call=Random; frame=SymNodeVariable() is not a constant
# pattern: kind=compiler_error; backend=eager; call=seed; frame=SymNodeVariable() is not a constant
# avoid: exec("from torch._dynamo.variables import ConstantVariable, SymNodeVariable, misc\ndef fixed(made):\n    return [ConstantVariable.create(one.evaluate_expr()) if isinstance(one, SymNodeVariable) else one for one in made]\ndef called(plain):\n    return lambda self, tx, args, kwargs: plain(self, tx, fixed(args), kwargs)\ndef method(plain):\n    return lambda self, tx, name, args, kwargs: plain(self, tx, name, fixed(args) if name == 'seed' else args, kwargs)\nmisc.RandomClassVariable.call_function = called(misc.RandomClassVariable.call_function)\nmisc.RandomVariable.call_method = method(misc.RandomVariable.call_method)", {})
# here: 2.13.0, 2.15.0
# state: open
# An integer argument that changes, or a size, is a symbol from then on, and Dynamo seeds the generator while it traces.
# So for the method seed. The avoid line specialises on the number.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import random
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(torch.ones(2), 3), (torch.ones(2), 4)]


def program(x, y):
    return x + 1, random.Random(y).random()


def results(function):
    """What it gives for each of the inputs, one after the other."""
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    expected = results(program)
    try:
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "is not a constant" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if str(expected) == str(shown) else 2)
