"""A compiler that spoils what comes after a call, its backward and the calls that follow, or what only some paths lead to: a
wrapper around the plain function.

Options: `fault`, a function of FAULTS that takes the function and gives the compiled one, or `habit`, one that a compiler
may have.
"""

import torch

FAULTS = {}
HABITS = {}


def fault(function):
    FAULTS[function.__name__] = function
    return function


def habit(function):
    HABITS[function.__name__] = function
    return function


@fault
def hooks_lost(fn):
    """No hook of a tensor is registered while the function runs."""

    def compiled(*arguments):
        kept = torch.Tensor.register_hook
        torch.Tensor.register_hook = lambda *_: None
        try:
            return fn(*arguments)
        finally:
            torch.Tensor.register_hook = kept

    return compiled


@fault
def outputs_reused(fn):
    """Every call writes its output where that of the first call lies."""
    first = []

    def compiled(*arguments):
        result = fn(*arguments)
        if not first:
            first.append(result)
        return first[0].copy_(result)

    return compiled


@fault
def arguments_reused(fn):
    """Every call writes its output into the argument of the call before it."""
    former = []

    def compiled(x):
        result = fn(x)
        for one in former:
            one.copy_(result)
        former[:] = [x]
        return result

    return compiled


@fault
def inner_classes_kept(fn):
    """Numbers among the attributes of classes within classes are as before the call."""

    def compiled(*arguments):
        outer = [item for item in fn.__globals__.values() if isinstance(item, type)]
        inner = [item for kind in outer for item in vars(kind).values() if isinstance(item, type)]
        old = [(kind, key, value) for kind in inner for key, value in vars(kind).items() if type(value) is int]
        result = fn(*arguments)
        for kind, key, value in old:
            setattr(kind, key, value)
        return result

    return compiled


@fault
def product_gradients_twice(fn):
    """The gradients of what a product takes are doubled."""

    def compiled(*arguments):
        kept = torch.Tensor.__mul__
        torch.Tensor.__mul__ = lambda one, other: 2 * kept(one, other) - kept(one, other).detach()
        try:
            return fn(*arguments)
        finally:
            torch.Tensor.__mul__ = kept

    return compiled


@habit
def outputs_copied(fn):
    return lambda *arguments: fn(*arguments).clone()


def compile(fn, fault=None, habit=None, **options):
    return FAULTS[fault](fn) if fault else HABITS[habit](fn)
