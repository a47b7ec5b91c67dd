# Inductor: map over values that it reduces itself does not compile (DataDependentOutputException).
# link: unreported
# pattern: kind=compiler_error; backend=inductor; stage=fake_tensor; call=map_impl
# versions: 2.13.0
# state: open
# Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.rand(8, 32),)


def program(x):
    smallest, _ = x.min(1)
    return torch.ops.higher_order.map_impl(lambda a: (a * a,), (smallest,), ())[0]


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {tuple(expected.shape)}, compiled {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: compiles")
    sys.exit(0)
