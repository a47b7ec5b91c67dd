# Dynamo: cov with weights can't be compiled for a size that changes: "Cannot call numel() on tensor with symbolic sizes".
# link: unreported
# signature: 7940c8d8e0e9424c v7 compiler_error eager
# pattern: kind=compiler_error; frame=Cannot call numel(); call=cov
# around: torch.cov, torch.Tensor.cov = ((lambda run: lambda x, **named: torch._dynamo.disable(lambda: run(x, **named))() if named.get("fweights") is not None or named.get("aweights") is not None else run(x, **named))(f) for f in (torch.cov, torch.Tensor.cov))
# here: 2.13.0, 2.15.0
# state: open
# Its check of the weights' length asks for a number where there is only a symbol, so the second length fails. The same message of
# one_hot is pytorch 122171, closed. The around line breaks the graph.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(torch.ones(3), torch.ones(3)), (torch.ones(4), torch.ones(4))]


def program(x, y):
    return x.cov(aweights=y)


def results(function):
    """What it gives for each of the inputs, one after the other."""
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    expected = results(program)
    try:
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Cannot call numel()" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if all(map(torch.equal, expected, shown)) else 2)
