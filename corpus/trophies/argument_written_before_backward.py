# aot_eager: the gradient is computed from an argument as it is after the call wrote to it, not as it was.
# link: unreported
# pattern: kind=gradient; backend=aot_eager; call=neg_
# versions: 2.13.0
# state: open
# Backward computes x.sin() anew from x, which the call has changed since. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor(1.0), torch.tensor(1.0, requires_grad=True))


def program(x, w):
    y = x.sin() * w
    x.neg_()
    return y


def gradient(function):
    x, w = make_inputs()
    function(x, w).backward()
    return w.grad


if __name__ == "__main__":
    try:
        expected = gradient(program)
        shown = gradient(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
