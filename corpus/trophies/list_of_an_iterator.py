# Dynamo: list() of an argument that can be iterated over, but has no length, can't be compiled.
# link: unreported
# signature: 766e4bee5de114ff v7 compiler_error eager
# pattern: kind=compiler_error; backend=eager; call=list; frame=has no len()
# avoid: exec("from torch._dynamo.variables import ListVariable, UserDefinedObjectVariable, base, builtin\ndef unsized(plain):\n    def call_function(self, tx, args, kwargs):\n        if len(args) != 1 or kwargs or not isinstance(args[0], UserDefinedObjectVariable) or hasattr(args[0].value, '__len__'):\n            return plain(self, tx, args, kwargs)\n        made = ListVariable([], mutation_type=base.ValueMutationNew())\n        made.call_method(tx, 'extend', [args[0]], {})\n        return made\n    return call_function\nkind = builtin.ListBuiltinVariable\nkind.call_function = unsized(kind.call_function)", {})
# here: 2.13.0, 2.15.0
# state: open
# "object of type 'Pair' has no len()". Dynamo has a guard for the length of whatever list() is called with. So for an
# iterator of one's own; tuple(pair) and [*pair] ask for no length. The avoid line makes the list without that guard.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


class Pair:
    def __iter__(self):
        return iter((1, 2))


def make_inputs():
    return (torch.ones(2), Pair())


def program(x, pair):
    return x + 1, list(pair)


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "has no len()" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if str(expected) == str(shown) else 2)
