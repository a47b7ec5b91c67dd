# functionalization: a tensor that stands twice in the list of a foreach function in place is written once, not twice.
# link: unreported
# pattern: kind=value; backend=aot_eager; call=_foreach_addcdiv_; call=_foreach_maximum
# versions: 2.13.0
# state: open
# Eager goes through the list on the CPU, so an entry sees what the entries before it have written. Compiled, all entries
# are computed of the old values. So for two views of one tensor, and for an operand that an earlier entry writes, too.
# What such a list means is documented nowhere. Found by a campaign, reduced by hand.
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
    torch._foreach_add_([x, x], 1.0)
    return x * 2


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected.tolist()}, compiled {shown.tolist()}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
