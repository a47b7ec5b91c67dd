# Inductor: a sum with zeros, or a product with ones, that is returned is the argument itself: a write to one changes the other.
# link: https://github.com/pytorch/pytorch/issues/197893
# signature: 71f43d8b4c054c6c v7 state_after inductor
# pattern: kind=state_after; backend=inductor; frame=shared
# avoid: import torch._inductor.fx_passes.joint_graph as _joint; _joint.remove_no_ops = lambda *_: None
# here: 2.13.0, 2.15.0
# state: open
# From 2.14.0 on numbers do, too: `x + 0`, `x * 1.0`. The avoid line leaves out the pass that removes such operators.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1.0, 2.0, 3.0]),)


def program(x):
    return x + torch.zeros(3)


def written_through(function):
    (x,) = make_inputs()
    function(x).add_(5)
    return x


if __name__ == "__main__":
    try:
        expected = written_through(program)
        shown = written_through(torch.compile(program, backend="inductor"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: after a write to the result the argument is {expected} in eager, {shown} compiled")
    sys.exit(0 if torch.equal(expected, shown) else 1)
