# Dynamo: a generator that yields in an `except` block after throw() skips what it yields next.
# link: unreported
# signature: 3728825c754f0a0e v7 value eager
# pattern: kind=compiler_error; backend=eager; frame=list index out of range
# pattern: kind=value; backend=eager; call=throw
# pattern: kind=state_after; backend=eager; call=throw
# pattern: kind=structure; backend=eager; call=throw
# pattern: kind=shape; backend=eager; call=throw
# pattern: kind=dtype; backend=eager; call=throw
# pattern: kind=raises; backend=eager; call=throw
# pattern: kind=accepts; backend=eager; call=throw
# pattern: kind=gradient; backend=eager; call=throw
# avoid: import torch._dynamo.variables.functions as _functions; import torch._dynamo.exc as _exc; _functions.LocalGeneratorObjectVariable._setup_exception = (lambda setup: lambda self, tx, exc: (_ for _ in ()).throw(_exc.get_dynamo_observed_exception(exc.exc_type)) if getattr(exc, "exc_type", int).__name__ == "__InternalThrowException" else setup(self, tx, exc))(_functions.LocalGeneratorObjectVariable._setup_exception)
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# After throw() Dynamo raises an exception of its own in the handler, so that a finally is run, but at once; the generator
# then goes on behind the handler's last instruction. Where nothing follows, it is "list index out of range". The avoid
# line leaves that exception out. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    def steps():
        try:
            yield x
        except KeyError:
            yield x + 1
            yield x + 2
        return

    step = steps()
    next(step)
    step.throw(KeyError())
    return next(step, x)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
