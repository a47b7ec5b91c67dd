# Dynamo: an iterator of a tuple or a range that is an argument isn't advanced by what takes all of it at once.
# link: unreported
# signature: ac4f1e7456c05494 v7 state_after eager
# pattern: kind=structure; backend=eager
# pattern: kind=state_after; backend=eager
# pattern: kind=value; backend=eager
# avoid: exec("from torch._dynamo.variables import lists\ndef told(plain):\n    def unpack_var_sequence(self, tx):\n        if self.mutation_type is not None:\n            tx.output.side_effects.mutation(self)\n        left = plain(self, tx)\n        if isinstance(self, lists.ListIteratorVariable):\n            self.index = len(self.items)\n        return left\n    return unpack_var_sequence\nfor kind in (lists.ListIteratorVariable, lists.RangeIteratorVariable):\n    if 'unpack_var_sequence' in vars(kind):\n        kind.unpack_var_sequence = told(kind.unpack_var_sequence)", {})
# here: 2.13.0
# gone: 2.15.0
# state: open
# So for a, *b = it, list(it), tuple(it) and max(*it), not for next(it) and a loop. Dynamo marks its own iterator as
# exhausted, and doesn't tell its side effects, which write back how far it came. The avoid line does. sum(it) goes
# another way, and remains.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2), iter((1, 2, 3)))


def program(x, y):
    a, *b = y
    return x + a


def left(function):
    """What is left of the iterator behind the call."""
    x, y = make_inputs()
    function(x, y)
    return list(y)


if __name__ == "__main__":
    try:
        expected = left(program)
        shown = left(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager leaves {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
