# Inductor: torch.cond fails at run time when an operand's layout is another than its branches were compiled for.
# link: unreported
# signature: aceb51d1ec3816b7 v7 raises inductor
# pattern: kind=raises; backend=inductor; frame=AssertionError; frame=expected size; call=cond
# avoid: import torch._inductor.ir; [setattr(kind, "create", classmethod((lambda f, ir: lambda cls, first, *more, **named: f(cls, first, *more[:-1], [ir.ExternKernel.require_exact_strides(x, n.meta["val"].stride()) if isinstance(x, ir.TensorBox) and isinstance(n, torch.fx.Node) else x for x, n in zip(more[-1], ir.V.graph.current_node.args[-1])], **named))(kind.create.__func__, torch._inductor.ir))) for kind in [getattr(torch._inductor.ir, "Conditional", None) or torch._inductor.ir.Switch]]
# here: 2.13.0, 2.15.0
# state: open
# The operand is computed in the order of x's memory; the branches were compiled for contiguous rows. Found by a
# campaign,
# reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return torch.ones(2, 3), torch.tensor(True)


def program(x, chosen):
    return torch.cond(chosen, torch.sin, torch.cos, (x.t().contiguous(),))


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "expected size" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
