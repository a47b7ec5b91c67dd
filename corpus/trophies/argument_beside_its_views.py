# Dynamo: an argument beside two views of it, one of which changed its shape, fails: a symbol has no source.
# link: unreported
# signature: 47fb0fe9f808e598 v7 compiler_error aot_eager
# pattern: kind=compiler_error; backend=aot_eager; frame=list index out of range
# around: torch._dynamo.config.automatic_dynamic_shapes = False
# here: 2.13.0
# gone: 2.15.0
# state: open
# The second view's base gets a dynamic size, and the argument is the base. Where AOTAutograd's run asks for the base's
# size (as pdist does), it guards on a symbol whose source is only the view's _base, and the guard can't be written
# down. Found and reduced by a campaign. The around line has each shape compiled anew.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.ones(7, 1)
    return [(torch.ones(7, 1), torch.ones(7, 1), torch.ones(1, 7).transpose(1, 1)), (x, x[...], x[...])]


def program(x, y, z):
    return torch.pdist(x), y + z


def results(function):
    """What it gives for each of the inputs, one after the other."""
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    expected = results(program)
    try:
        shown = results(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "list index out of range" in str(error) else 2)
    print(f"torch {torch.__version__}: eager and compiled work")
    sys.exit(0 if all(torch.equal(a, b) for one, other in zip(expected, shown) for a, b in zip(one, other)) else 2)
