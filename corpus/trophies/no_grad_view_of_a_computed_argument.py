# AOTAutograd: what is computed from a view taken under no_grad loses requires_grad when the argument is no leaf.
# link: unreported
# signature: b1e3e1c920376fe1 v7 gradient aot_eager
# pattern: kind=requires_grad; backend=aot_eager; frame=lost; call=no_grad
# avoid: import torch._functorch._aot_autograd.graph_compile as g; g._compute_indices_of_inps_to_detach = (lambda asked: lambda backward, subclass, inner, outer: (lambda found: found if any(x.requires_grad and i not in found for i, x in enumerate(outer.input_info)) else [])(asked(backward, subclass, inner, outer)))(g._compute_indices_of_inps_to_detach)
# here: 2.13.0, 2.15.0
# state: open
# An argument that gets no gradient is detached before the graph runs, unless it is a leaf. Nothing is left then that
# requires
# a gradient, and backward() fails, where eager's does not. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, requires_grad=True).clone(),)


def program(x):
    with torch.no_grad():
        y = x[:1]
    return y * 2


if __name__ == "__main__":
    try:
        expected = program(*make_inputs()).requires_grad
        shown = torch.compile(program, backend="aot_eager")(*make_inputs()).requires_grad
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives requires_grad={expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
