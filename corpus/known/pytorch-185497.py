# AOTAutograd: backward fails because the graph saves an argument that the function modifies in place.
# link: https://github.com/pytorch/pytorch/issues/185497
# signature: be80e84482cd2d8a v7 raises aot_eager
# signature: 1d09222a72798897 v7 raises inductor
# signature: 9b1de1e91a907dc4 v7 raises inductor
# pattern: kind=raises; frame=_compiled_backward; frame=modified by an inplace operation
# around: import torch._functorch.partitioners as _partitioners; _partitioners.solve_min_cut = (lambda f: lambda g, info, *more, **named: ([u.meta.__setitem__("recompute", _partitioners.CheckpointPolicy.MUST_SAVE) for n in g.find_nodes(op="placeholder") for u in n.users if info.is_required_fw(u) and isinstance(u.meta.get("val"), (torch.Tensor, tuple, list))], f(g, info, *more, **named))[1])(_partitioners.solve_min_cut)
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# It is saved instead of the copy of it that the graph reads. Changed in pull requests 185876 and 197039. Under Inductor alone
# it shows for log2_ of a complex argument, too, which the around line does not mend.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1, requires_grad=True).clone(),)


def program(x):
    return x.sin_()


def backward(function):
    function(*make_inputs()).backward()


if __name__ == "__main__":
    try:
        backward(program)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        backward(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "modified by an inplace operation" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
