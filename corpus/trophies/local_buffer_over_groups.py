# inductor: group_norm over transposed half tensors keeps the means of one row only.
# link: unreported
# pattern: kind=value; backend=inductor; call=group_norm
# versions: 2.13.0
# state: open
# Every group has one element, so group_norm gives zeros, and normalize gives zeros; compiled, the kernel's local buffer
# for the means lacks the dimension that it loops over with vectors. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.linspace(-1, 1, 68, dtype=torch.float16).reshape(4, 17)
    y = torch.linspace(0.1, 2, 68).reshape(17, 4).t()
    return (x, y)


def program(x, y):
    return torch.nn.functional.normalize(torch.nn.functional.group_norm(x / y, 17), dim=1)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        actual = torch.compile(program)(*make_inputs())
    except Exception as error:
        print(type(error).__name__, error)
        sys.exit(2)
    print("eager   ", expected.abs().max().item())
    print("compiled", actual.abs().max().item())
    sys.exit(0 if torch.allclose(expected, actual) else 1)
