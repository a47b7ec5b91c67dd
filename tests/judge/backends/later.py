"""A compiler that spoils what comes after a call, its backward and the calls that follow, or what only some paths lead to: a
wrapper around the plain function.

Options: `fault`, a function of FAULTS that takes the function and gives the compiled one, or `habit`, one that a compiler
may have.
"""

from unittest import mock

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

    return mock.patch.object(torch.Tensor, "register_hook", lambda *_: None)(fn)


@fault
def hooks_stay(fn):
    """What takes a hook away does nothing."""
    return mock.patch.object(torch.utils.hooks.RemovableHandle, "remove", lambda handle: None)(fn)


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
def product_gradients_twice(fn):
    """The gradients of what a product takes are doubled."""

    times = torch.Tensor.__mul__
    twice = lambda one, other: 2 * times(one, other) - times(one, other).detach()  # noqa: E731
    return mock.patch.object(torch.Tensor, "__mul__", twice)(fn)


@habit
def outputs_copied(fn):
    return lambda *arguments: fn(*arguments).clone()


def compile(fn, fault=None, habit=None, **options):
    return FAULTS[fault](fn) if fault else HABITS[habit](fn)
