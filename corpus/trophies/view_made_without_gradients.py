# AOTAutograd: a tensor that a graph without gradients returns is a view made under no_grad, and refuses writes in place.
# link: unreported
# signature: 855852880241eb61 v7 compiler_error aot_eager
# pattern: kind=compiler_error; frame=created in no_grad mode
# pattern: kind=raises; frame=created in no_grad mode
# avoid: import torch, torch._functorch.aot_autograd, torch._functorch._aot_autograd.runtime_wrappers as r; r.RuntimeWrapper.post_compile = (lambda plain: lambda self, fn, *rest, **named: (lambda call: (vars(call).update(vars(fn) if hasattr(fn, "__dict__") else {}), plain(self, call, *rest, **named))[1])(lambda *args: (lambda given: [x.data if isinstance(x, torch.Tensor) and x._base is not None and not x.requires_grad else x for x in given] if isinstance(given, (list, tuple)) else given)(fn(*args))))(r.RuntimeWrapper.post_compile)
# here: 2.13.0, 2.15.0
# state: open
# Graphs run with gradients disabled. Of arange(6).view(2, 3) a graph returns the view, which remembers this; a write behind a
# graph break by what requires a gradient raises, where eager allows it. hann_window(6) becomes such a view by its decomposition.
# Inductor makes no such views. The avoid line returns them as plain tensors of the same memory. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones((), requires_grad=True),)


def program(x):
    a = torch.arange(6.0).view(2, 3)
    torch._dynamo.graph_break()
    a.add_(x)
    return a


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
