# Dynamo: a comparison of a dynamic size is never True for `is`, nor for `match`: the wrong branch is taken.
# link: unreported
# signature: 2cd51ea68a94e5da v7 value eager
# pattern: kind=raises; backend=eager; frame=is not associated with a value; call=item
# pattern: kind=raises; backend=eager; frame=is not associated with a value; call=match
# avoid: import torch._dynamo.symbolic_convert, torch._dynamo.variables; torch._dynamo.symbolic_convert.compare_op_handlers.update({k: (lambda f, v: lambda tx, args, more: f(tx, [v.ConstantVariable.create(x.evaluate_expr()) if isinstance(x, v.SymNodeVariable) and isinstance(x.sym_num, torch.SymBool) else x for x in args], more))(torch._dynamo.symbolic_convert.compare_op_handlers[k], torch._dynamo.variables) for k in ("is", "is not")})
# here: 2.13.0, 2.15.0
# state: open
# The size is dynamic from the second call on, or at once with dynamic=True; `is` then asks whether the SymBool itself is
# True. So for floats, and for bool(y < 4) is True. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(torch.ones(2),), (torch.ones(3),)]


def program(x):
    return x + 1 if (x.shape[0] < 4) is True else x - 1


def results(function):
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    try:
        expected = results(program)
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if all(map(torch.equal, expected, shown)) else 1)
