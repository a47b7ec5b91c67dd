# Inductor: torch's map and scan don't compile unless torch._dynamo.config.capture_scalar_outputs is set.
# link: unreported
# signature: 6208f7f40b943a17 v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; stage=fake_tensor; call=map_impl
# pattern: kind=compiler_error; backend=inductor; stage=fake_tensor; frame=local_scalar_dense; call=scan
# around: import torch._dynamo; torch._dynamo.config.capture_scalar_outputs = True
# here: 2.13.0, 2.15.0
# state: open
# DataDependentOutputException. Both are made into a while_loop after AOTAutograd; that step asks a fake tensor for its
# number.
# With capture_scalar_outputs = True all three compile; no message and no document says so. A while_loop that is written
# as such
# compiles, and aot_eager runs all three. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
    from torch._higher_order_ops.map import map as map_over
    from torch._higher_order_ops.scan import scan
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(6.0),)


def mapped(x):
    return map_over(lambda a: a + 1, x)


def scanned(x):
    return scan(lambda carry, a: (carry + a, carry - a), torch.ones(()), x)[1]


def program(x):
    return torch.ops.higher_order.map_impl(lambda a: (a + 1,), (x,), ())[0]


if __name__ == "__main__":
    failed = []
    for function in (program, mapped, scanned):
        try:
            torch.compile(function, backend="aot_eager")(*make_inputs())
        except Exception as error:
            print(f"this can't be judged: {type(error).__name__}: {error}")
            sys.exit(2)
        torch._dynamo.reset()
        try:
            torch.compile(function, backend="inductor")(*make_inputs())
        except Exception as error:
            failed.append(f"{function.__name__}: {type(error).__name__}: {str(error).splitlines()[0]}")
    print(f"torch {torch.__version__}: {'; '.join(failed) or 'all compile'}")
    sys.exit(1 if failed else 0)
