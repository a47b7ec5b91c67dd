"""A right compiler with habits of its own: copies for views, other strides, other texts. A wrapper around the function.

Option: `habit`, a function of HABITS that takes the function and gives the compiled one.
"""

import itertools
import time
import warnings
from unittest import mock

import numpy
import torch

HABITS = {}


def habit(function):
    HABITS[function.__name__] = function
    return function


def _tensors(change):
    def walk(x):
        if isinstance(x, torch.Tensor):
            return change(x)
        if isinstance(x, (list, tuple)) and type(x) in (list, tuple):
            return type(x)(walk(item) for item in x)
        return x

    return lambda fn: lambda *arguments: walk(fn(*arguments))


def _with_offset(x):
    room = torch.empty(x.numel() + 3, dtype=x.dtype)
    return room[3:].view(x.shape).copy_(x)


def _odd_strides(x):
    """Dimensions of size 1 and 0 get strides of their own."""
    return x.as_strided(x.shape, [77 if size <= 1 else stride for size, stride in zip(x.shape, x.stride())])


def _payload(x):
    bits = x.view(torch.int32)
    return torch.where(x.isnan(), bits | 0x1234, bits).view(torch.float32)


HABITS.update(
    copies=_tensors(lambda x: x.clone()),
    contiguous=_tensors(lambda x: x.contiguous()),
    channels_last=_tensors(lambda x: x.contiguous(memory_format=torch.channels_last)),
    offsets=_tensors(_with_offset),
    odd_strides=_tensors(_odd_strides),
    resolved=_tensors(lambda x: x.resolve_conj().resolve_neg().clone()),
    payloads=_tensors(_payload),
    positive_zeros=_tensors(lambda x: x + 0.0),
)


@habit
def strides_of_their_own(fn):
    """The program reads 77 as the stride of a dimension of size 1 and 0."""
    stride = torch.Tensor.stride

    def read(x, dim=None):
        steps = tuple(77 if size <= 1 else step for size, step in zip(x.shape, stride(x)))
        return steps if dim is None else steps[dim]

    return mock.patch.object(torch.Tensor, "stride", read)(fn)


@habit
def late(fn):
    """Each reading of the clock is two seconds later than the one before: there is something to compile in between."""

    def slow(*arguments):
        true, readings = time.monotonic, itertools.count(1)
        time.monotonic = lambda: true() + 2 * next(readings)
        try:
            return fn(*arguments)
        finally:
            time.monotonic = true

    return slow


@habit
def keeps_for_backward(fn):
    """What backward needs is kept as it was, whoever writes to it later."""
    hooks = torch.autograd.graph.saved_tensors_hooks

    def call(*arguments):
        with hooks(torch.clone, lambda kept: kept):
            return fn(*arguments)

    return call


@habit
def products_for_sums(fn):
    """Sums of tensors are made of products, which keep their factors for backward."""
    add = torch.Tensor.add

    def summed(one, other):
        return add(one * torch.ones_like(one), other)

    return mock.patch.multiple(torch.Tensor, add=summed, __add__=summed)(fn)


@habit
def one_memory_for_equal_outputs(fn):
    """Outputs that are equal are one tensor."""

    def compiled(*arguments):
        first, second = fn(*arguments)
        return first, first if torch.equal(first, second) else second

    return compiled


@habit
def writes_back(fn):
    """Computes on copies, and writes all of them back at the end."""

    def compiled(*arguments):
        copies = [item.clone() for item in arguments]
        result = fn(*copies)
        for item, copy in zip(arguments, copies):
            item.copy_(copy)
        return result

    return compiled


@habit
def warns_once(fn):
    calls = []

    def compiled(*arguments):
        calls.append(1)
        with warnings.catch_warnings():
            if len(calls) > 1:
                warnings.simplefilter("ignore")
            return fn(*arguments)

    return compiled


@habit
def warns_otherwise(fn):
    """Other words and another category."""

    def compiled(*arguments):
        with warnings.catch_warnings(record=True):
            return fn(*arguments)

    return compiled


@habit
def arrays_for_scalars(fn):
    """numpy's scalars are arrays without dimensions."""
    return lambda *arguments: tuple(numpy.asarray(x) if isinstance(x, numpy.generic) else x for x in fn(*arguments))


@habit
def tensors_for_scalars(fn):
    return lambda *arguments: torch.as_tensor(fn(*arguments).item(), dtype=torch.float64)


@habit
def reads_before_writing(fn):
    """Operands that share memory with what is written are read first."""

    def compiled(x):
        y = x.clone()
        result = fn(y)
        x.copy_(y)
        return result

    return compiled


@habit
def keeps_constants(fn):
    """Keeps a constant of its own among the file's globals, as Dynamo does for what it inlines; and gives copies."""

    def compiled(*arguments):
        fn.__globals__.setdefault("is_available_at_0", len(arguments))
        return HABITS["copies"](fn)(*arguments)

    return compiled


@habit
def skips_dead_code(fn):
    """Runs what the program's own lean twin says; the file names it `lean`."""
    return lambda *arguments: fn.__globals__["lean"](*arguments)


@habit
def other_order(fn):
    """The operations of independent lines in another order, as the file's `lean` says."""
    return lambda *arguments: fn.__globals__["lean"](*arguments)


@habit
def arrays_in_order(fn):
    """Arrays come in row-major order, in memory of their own, rounded up."""
    return lambda *arguments: numpy.nextafter(fn(*arguments), numpy.float32(100))


@habit
def sets_made_again(fn):
    """A set has other objects, made in the reverse order, whose attributes are rounded up."""

    def compiled(*arguments):
        made = sorted(fn(*arguments), key=lambda one: -float(one.t.sum()))
        return {type(one)(torch.nextafter(one.t, torch.tensor(100.0))) for one in made}

    return compiled


def compile(fn, habit, **options):
    return HABITS[habit](fn)
