# AOTAutograd: while_loop, map, scan and cond fail to compile under a checkpoint.
# link: unreported
# signature: ad02714a867897a1 v7 raises eager
# signature: e2607eb076fbb9fa v7 compiler_error aot_eager
# pattern: kind=compiler_error; frame=There was no rule registered for HigherOrderOperator
# avoid: import torch, torch.utils.checkpoint as _checkpoint; from torch._higher_order_ops.utils import redirect_to_mode as _redirect; [_redirect(o, m) for o in (torch.ops.higher_order.while_loop, torch.ops.higher_order.map_impl, torch.ops.higher_order.scan, torch.ops.higher_order.cond) for m in (_checkpoint._CachingTorchDispatchMode, _checkpoint._CachedTorchDispatchMode) if m not in o.python_key_table]
# here: 2.13.0, 2.15.0
# state: open
# Under torch.utils.checkpoint the compiler traces with a mode for which some higher-order operators have a rule, and those of
# control flow none. Eager runs them. The avoid line registers the rule that the others have. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, 3),)


def program(x):
    def doubled(y):
        return torch.ops.higher_order.map_impl(lambda a: (a * 2,), (y,), ())

    return torch.utils.checkpoint.checkpoint(doubled, x, use_reentrant=False)


if __name__ == "__main__":
    (expected,) = program(*make_inputs())
    try:
        (shown,) = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "There was no rule registered" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
