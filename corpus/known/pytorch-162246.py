# AOTAutograd: a higher order operator in a checkpointed function does not compile.
# link: https://github.com/pytorch/pytorch/issues/162246
# signature: 5946e2f5616a1e21 v7 raises eager
# signature: 2befad1319c4d6ce v7 compiler_error aot_eager
# pattern: kind=compiler_error; frame=There was no rule registered; frame=and mode <torch.utils.checkpoint
# avoid: import torch._higher_order_ops.utils as u, torch.utils.checkpoint as c; [u.redirect_to_mode(op, mode) for op in (torch.ops.higher_order.cond, torch.ops.higher_order.while_loop) for mode in (c._CachingTorchDispatchMode, c._CachedTorchDispatchMode)]
# here: 2.13.0, 2.15.0
# state: open
# The checkpoint is a plain one; AOTAutograd makes it a selective one, whose dispatch mode has no rule for such
# operators.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3),)


def program(x):
    def chosen(x):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))

    return torch.utils.checkpoint.checkpoint(chosen, x, use_reentrant=False)


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "no rule registered" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
