"""A compiler that lacks a guard: what a call depends on stays as it was in the first call.

Option: `fault`, a function of FAULTS that takes the function and gives the compiled one.
"""

import types

import torch

FAULTS = {}


def fault(function):
    FAULTS[function.__name__] = function
    return function


def first_call(state, key, value):
    return state.setdefault(key, value)


@fault
def arguments(fn):
    """Numbers and texts among the arguments."""
    first = {}

    def compiled(*given):
        kept = [first_call(first, i, x) if isinstance(x, (bool, int, float, str)) else x for i, x in enumerate(given)]
        return fn(*kept)

    return compiled


@fault
def number_types(fn):
    """A float where the first call had an int is made an int."""
    first = {}

    def compiled(*given):
        kept = [first_call(first, i, type(x))(x) if isinstance(x, (int, float)) else x for i, x in enumerate(given)]
        return fn(*kept)

    return compiled


@fault
def global_values(fn):
    first = {}

    def compiled(*given):
        names = fn.__globals__
        now = {key: x for key, x in names.items() if type(x) in (int, float, str, bool) and not key.startswith("__")}
        names.update({key: first_call(first, key, x) for key, x in now.items()})
        result = fn(*given)
        names.update(now)
        return result

    return compiled


@fault
def object_attributes(fn):
    first = {}

    def compiled(thing, *given):
        now = dict(vars(thing))
        vars(thing).update({key: first_call(first, key, x) for key, x in now.items()})
        result = fn(thing, *given)
        vars(thing).update(now)
        return result

    return compiled


@fault
def added_attributes(fn):
    """An attribute that was absent in the first call stays absent."""
    first = {}

    def compiled(thing, *given):
        known = first_call(first, "names", list(vars(thing)))
        return fn(types.SimpleNamespace(**{key: x for key, x in vars(thing).items() if key in known}), *given)

    return compiled


@fault
def lengths(fn):
    """Lists are unrolled as long as in the first call."""
    first = {}

    def compiled(items, *given):
        return fn(items[: first_call(first, "length", len(items))], *given)

    return compiled


@fault
def training(module):
    first = {}

    def compiled(*given):
        now = module.training
        module.train(first_call(first, "training", now))
        result = module(*given)
        module.train(now)
        return result

    return compiled


@fault
def strides(fn):
    """Memory is read as if it lay as in the first call."""
    first = {}

    def compiled(x):
        return fn(x.as_strided(x.shape, first_call(first, "strides", x.stride())))

    return compiled


@fault
def aliasing(fn):
    """Arguments that did not share memory in the first call are kept apart later."""
    first = {}

    def compiled(one, other):
        shares = one.data_ptr() == other.data_ptr()
        assumed = first_call(first, "shares", shares)
        if shares and not assumed:
            other = other.clone()
        return fn(one, other)

    return compiled


@fault
def grad_mode(fn):
    first = {}

    def compiled(*given):
        with torch.set_grad_enabled(first_call(first, "grad", torch.is_grad_enabled())):
            return fn(*given)

    return compiled


@fault
def default_dtype(fn):
    first = {}

    def compiled(*given):
        now = torch.get_default_dtype()
        torch.set_default_dtype(first_call(first, "dtype", now))
        result = fn(*given)
        torch.set_default_dtype(now)
        return result

    return compiled


@fault
def sizes(fn):
    """A size that the function reads is that of the first call."""
    first = {}

    def compiled(x):
        result, size = fn(x)
        return result * (size / first_call(first, "size", size)), size

    return compiled


@fault
def closures(fn):
    """A cell that the function reads keeps its first content."""
    first = {}

    def compiled(*given):
        cells = fn.__closure__
        now = [cell.cell_contents for cell in cells]
        for i, cell in enumerate(cells):
            cell.cell_contents = first_call(first, i, now[i])
        result = fn(*given)
        for cell, value in zip(cells, now):
            cell.cell_contents = value
        return result

    return compiled


@fault
def dtypes(fn):
    """The dtype of the first call's argument is what later ones are cast to."""
    first = {}
    return lambda x: fn(x.to(first_call(first, "dtype", x.dtype)))


@fault
def branches_on_dtypes(fn):
    """What the function says of its argument's type stays as in the first call."""
    first = {}

    class Stale(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, kinds, arguments=(), keywords=None):
            result = function(*arguments, **(keywords or {}))
            return first_call(first, "dtype", result) if isinstance(result, torch.dtype) else result

    def compiled(*given):
        with Stale():
            return fn(*given)

    return compiled


@fault
def key_order(fn):
    first = {}

    def compiled(table):
        keys = first_call(first, "keys", list(table))
        return fn({key: table[key] for key in keys})

    return compiled


@fault
def results(fn):
    """The third call gets the answer of the first."""
    first = []

    def compiled(*given):
        first.append(fn(*given))
        return first[0] if len(first) == 3 else first[-1]

    return compiled


def compile(fn, fault, **options):
    return FAULTS[fault](fn)
