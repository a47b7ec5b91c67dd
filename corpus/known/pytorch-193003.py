# AOTAutograd: torch.nn.functional.l1_loss ignores its weight: the weight gets no gradient, and the loss is wrong.
# link: https://github.com/pytorch/pytorch/pull/193003
# signature: 494ba32afe4279ff v7 gradient aot_eager
# pattern: kind=value; call=l1_loss
# pattern: kind=gradient; call=l1_loss
# avoid: torch.nn.functional.l1_loss = (lambda f: lambda input, target, size_average=None, reduce=None, reduction="mean", weight=None: f(input, target, size_average, reduce, reduction) if weight is None or weight.shape != input.shape else (lambda e: {"none": e, "sum": e.sum(), "mean": e.sum() / weight.sum()}[reduction])(torch.abs(input - target) * weight))(torch.nn.functional.l1_loss)
# here: 2.13.0, 2.15.0
# state: open
# l1_loss hands everything but its weight to handle_torch_function, which is asked where a mode of __torch_function__ is
# active. With weights other than 1 the loss itself is wrong. Changed in that pull request, open.
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
