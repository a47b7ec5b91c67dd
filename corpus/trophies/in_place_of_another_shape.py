# AOTAutograd: what eager can't write into a tensor because its broadcast shape is another is computed and returned.
# link: unreported
# signature: 33338c5f3dc369fd v7 accepts aot_eager
# pattern: kind=accepts; backend=aot_eager; frame=doesn't match the broadcast shape
# here: 2.13.0
# gone: 2.15.0
# state: open
# Of a computed tensor: functionalization makes the in-place operator an ordinary one and forgets that the result has to fit.
# So with pow_, fmod_, remainder_, atan2_, hypot_, xlogy_, copysign_, comparisons, clamp_ and their foreach forms; add_ and
# mul_ refuse. If the tensor is an argument, the copy into it fails. Found and reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1), torch.arange(4.0))


def program(x, y):
    return (x + 1).pow_(y)


if __name__ == "__main__":
    try:
        print(f"this can't be judged: eager gives {program(*make_inputs())}")
        sys.exit(2)
    except RuntimeError as error:
        expected = str(error)
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager raises {expected}, compiled {type(error).__name__}: {error}")
        sys.exit(0 if "doesn't match the broadcast shape" in str(error) else 2)
    print(f"torch {torch.__version__}: eager raises {expected}, compiled gives {shown}")
    sys.exit(1)
