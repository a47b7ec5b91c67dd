# AOTAutograd: an argument that the loss does not depend on gets a gradient of zeros, where eager leaves None.
# link: https://github.com/pytorch/pytorch/pull/186355
# signature: 59e178957522965a v6 gradient aot_eager
# pattern: kind=gradient; frame=zeros for none
# here: 2.13.0, 2.15.0
# state: open
# Without the break it takes a backward from one of two outputs: `return x * 2, y * 2`.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True))


def program(x, y):
    a = x * 2
    b = y * 2
    torch._dynamo.graph_break()
    return a, b.detach()


def gradient(function):
    x, y = make_inputs()
    function(x, y)[0].sum().backward()
    return y.grad


if __name__ == "__main__":
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    try:
        eager = gradient(program)
        compiled = gradient(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print("eager:   ", eager)
    print("compiled:", compiled)
    sys.exit(0 if compiled is None else 1)
