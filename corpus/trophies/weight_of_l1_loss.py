# aot_eager: the weight of l1_loss gets no gradient.
# link: unreported
# pattern: call=l1_loss
# versions: 2.13.0
# state: open
# torch.nn.functional.l1_loss hands everything but its weight on where a mode of __torch_function__ is active.
# Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0], requires_grad=True))


def program(x, weight):
    return torch.nn.functional.l1_loss(x, x + 1, weight=weight, reduction="sum")


def gradient(function):
    x, weight = make_inputs()
    function(x, weight).backward()
    return weight.grad


if __name__ == "__main__":
    try:
        expected = gradient(program)
        shown = gradient(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if shown is not None and torch.equal(expected, shown) else 1)
