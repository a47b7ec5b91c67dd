"""A compiler that mistreats exceptions: a wrapper around the plain function, with a mode that sees torch's calls.

Option: `fault`, a function of FAULTS that takes the function and gives the compiled one.
"""

import torch
from torch.overrides import TorchFunctionMode

FAULTS = {}


def fault(function):
    FAULTS[function.__name__] = function
    return function


class Translates(TorchFunctionMode):
    """Exceptions of torch's functions come as another class."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        try:
            return function(*arguments, **(keywords or {}))
        except Exception as error:
            raise self.kind(str(error)) from None


class Says(TorchFunctionMode):
    """The texts of exceptions are the compiler's own."""

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        try:
            return function(*arguments, **(keywords or {}))
        except Exception as error:
            raise type(error)("the compiled kernel failed") from None


class Promotes(TorchFunctionMode):
    """The operands of a cross product get one dtype first."""

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        if function is torch.cross:
            kind = torch.promote_types(arguments[0].dtype, arguments[1].dtype)
            arguments = (arguments[0].to(kind), arguments[1].to(kind))
        return function(*arguments, **(keywords or {}))


def within(make_mode):
    def backend(fn):
        def compiled(*arguments):
            with make_mode():
                return fn(*arguments)

        return compiled

    return backend


class SizeMismatch(RuntimeError):
    """What the compiler says more exactly than torch."""


FAULTS.update(
    key_errors=within(lambda: Translates(KeyError)),
    size_mismatches=within(lambda: Translates(SizeMismatch)),
    other_texts=within(Says),
    promoted=within(Promotes),
)


@fault
def swallowed(fn):
    def compiled(*arguments):
        try:
            return fn(*arguments)
        except Exception:
            return arguments[0]

    return compiled


@fault
def swallowed_on_the_second_call(fn):
    calls = []

    def compiled(*arguments):
        calls.append(1)
        try:
            return fn(*arguments)
        except Exception:
            if len(calls) == 2:
                return None
            raise

    return compiled


@fault
def raises_for_negatives(fn):
    def compiled(x):
        if (x < 0).any():
            raise RuntimeError("index out of bounds in a generated kernel")
        return fn(x)

    return compiled


class _FailsBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        raise RuntimeError("a saved tensor is gone")


@fault
def backward_fails(fn):
    return lambda *arguments: _FailsBackward.apply(fn(*arguments))


@fault
def call_fails_for_backward(fn):
    """Backward is traced with the call, and its exception comes then."""

    def compiled(*arguments):
        raise RuntimeError("the traced backward failed")

    return compiled


@fault
def exits(fn):
    def compiled(*arguments):
        raise SystemExit(0)

    return compiled


@fault
def wrong_later(fn):
    """Right where it raises; results are off by one."""
    return lambda *arguments: fn(*arguments) + 1


@fault
def reworded(fn):
    def compiled(*arguments):
        try:
            return fn(*arguments)
        except Exception as error:
            raise type(error)("the same, in other words") from None

    return compiled


@fault
def other_class_leaves(fn):
    def compiled(*arguments):
        try:
            return fn(*arguments)
        except Exception as error:
            raise LookupError(str(error)) from None

    return compiled


@fault
def accepts_bad_index(fn):
    """Indices beyond the end count from the start again."""

    def compiled(x, index):
        return fn(x, index % x.shape[0])

    return compiled


@fault
def grad_left_off(fn):
    """Grad mode stays as it was where the exception was raised."""

    def compiled(*arguments):
        try:
            return fn(*arguments)
        except Exception:
            torch._C._set_grad_enabled(False)
            raise

    return compiled


@fault
def fails_at_run_time(fn):
    def compiled(*arguments):
        raise RuntimeError("a buffer was freed too early")

    return compiled


@fault
def internal_for_refusals(fn):
    """Where torch refuses the arguments, an assertion of the compiler fails."""
    from torch._dynamo.exc import InternalTorchDynamoError

    def compiled(*arguments):
        try:
            return fn(*arguments)
        except Exception:
            pass
        raise InternalTorchDynamoError("AssertionError: the graph has no output")

    return compiled


def compile(fn, fault, **options):
    return FAULTS[fault](fn)
