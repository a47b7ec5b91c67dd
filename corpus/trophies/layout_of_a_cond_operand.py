# Inductor: cond fails at run time by the layout of an operand that was computed over permuted dimensions.
# link: unreported
# pattern: kind=raises; backend=inductor; frame=AssertionError; frame=expected size; call=cond
# versions: 2.13.0
# state: open
# Such as this softmax: it is computed in the order of x's memory, the branch was compiled for rows in the order of the
# dimensions. May be what pytorch 169778 reports without a reproducer. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return torch.rand(3, 4, 5), torch.tensor(True)


def program(x, chosen):
    share = torch.softmax(x.permute(1, 2, 0) + 1, 1)
    return torch.cond(chosen, lambda a: torch.sin(a), lambda a: a * 3 - 1, (share,))


if __name__ == "__main__":
    try:
        torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    torch._dynamo.reset()
    try:
        torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: {type(error).__name__}: {str(error).splitlines()[0]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: runs")
    sys.exit(0)
