"""A compiler that loses or spoils what a function does beside computing: a wrapper around the plain function.

Option: `fault`, a function of FAULTS that takes the function and gives the compiled one.
"""

import contextlib
import io
import random
import types
from unittest import mock

import numpy
import torch

FAULTS = {}


def fault(function):
    FAULTS[function.__name__] = function
    return function


def on_result(change):
    return lambda fn: lambda *arguments: change(fn(*arguments))


@fault
def list_effects_lost(fn):
    """Lists among globals and arguments keep the length that they had."""

    def compiled(*arguments):
        lists = [item for item in (*arguments, *fn.__globals__.values()) if type(item) is list]
        lengths = [len(item) for item in lists]
        result = fn(*arguments)
        for item, length in zip(lists, lengths):
            del item[length:]
        return result

    return compiled


@fault
def dict_effects_lost(fn):
    def compiled(*arguments):
        before = [(item, dict(item)) for item in arguments if isinstance(item, dict)]
        result = fn(*arguments)
        for item, old in before:
            item.clear()
            item.update(old)
        return result

    return compiled


@fault
def attributes_kept(fn):
    """Attributes of argument objects are as before the call."""

    def compiled(*arguments):
        before = [(item, dict(vars(item))) for item in arguments if hasattr(item, "__dict__")]
        result = fn(*arguments)
        for item, old in before:
            vars(item).update({key: value for key, value in old.items() if not isinstance(value, torch.Tensor)})
        return result

    return compiled


@fault
def global_numbers_kept(fn):
    def compiled(*arguments):
        old = {key: item for key, item in fn.__globals__.items() if type(item) in (int, float)}
        result = fn(*arguments)
        fn.__globals__.update(old)
        return result

    return compiled


def _classes(items):
    return [item for item in items if isinstance(item, type)]


@fault
def class_numbers_kept(fn):
    return _numbers_kept(fn, lambda: _classes(fn.__globals__.values()))


@fault
def inner_class_numbers_kept(fn):
    def inner():
        return [kind for outer in _classes(fn.__globals__.values()) for kind in _classes(vars(outer).values())]

    return _numbers_kept(fn, inner)


def _numbers_kept(fn, classes):
    """Numbers among the attributes of `classes()` are as before the call."""

    def compiled(*arguments):
        old = [(item, key, value) for item in classes() for key, value in vars(item).items() if type(value) is int]
        result = fn(*arguments)
        for item, key, value in old:
            setattr(item, key, value)
        return result

    return compiled


@fault
def inputs_copied(fn):
    return lambda *arguments: fn(*(item.clone() if isinstance(item, torch.Tensor) else item for item in arguments))


@fault
def first_of_two_writes_lost(fn):
    """The first argument gets back what it held; the others keep what was written."""

    def compiled(first, *others):
        old = first.clone()
        result = fn(first, *others)
        first.copy_(old)
        return result

    return compiled


@fault
def buffers_kept(module):
    def compiled(*arguments):
        old = [(buffer, buffer.clone()) for buffer in module.buffers()]
        result = module(*arguments)
        for buffer, value in old:
            buffer.copy_(value)
        return result

    return compiled


@fault
def silent(fn):
    def compiled(*arguments):
        with contextlib.redirect_stdout(io.StringIO()):
            return fn(*arguments)

    return compiled


@fault
def prints_while_tracing(fn):
    """Runs the function's printing parts once more when it traces it, on copies."""
    seen = []

    def compiled(*arguments):
        if not seen:
            seen.append(fn(*(item.clone() for item in arguments)))
        return fn(*arguments)

    return compiled


@fault
def unregistered_exit(fn):
    """`finally` blocks and `__exit__` run, but what they write to global dicts is lost."""

    def compiled(*arguments):
        tables = [item for item in fn.__globals__.values() if type(item) is dict and "__name__" not in item]
        before = [(item, dict(item)) for item in tables]
        result = fn(*arguments)
        for item, old in before:
            item.update(old)
        return result

    return compiled


@fault
def view_kept_as_copy(fn):
    """Tensors that the function keeps in global dicts are copies, no longer views."""

    def compiled(*arguments):
        result = fn(*arguments)
        for item in fn.__globals__.values():
            if type(item) is dict:
                item.update({key: value.clone() for key, value in item.items() if isinstance(value, torch.Tensor)})
        return result

    return compiled


def _walk(change):
    def walk(x):
        x = change(x)
        if type(x) is list:
            return [walk(item) for item in x]
        if type(x) is tuple:
            return tuple(walk(item) for item in x)
        if type(x) is dict:
            return {key: walk(item) for key, item in x.items()}
        return x

    return on_result(walk)


def _symbolic(x):
    from torch._dynamo.source import ConstantSource
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

    shapes = ShapeEnv()
    source = ConstantSource("length")
    symbol = shapes.create_symbol(x, source, dynamic_dim=DimDynamic.DYNAMIC)
    return shapes.create_symintnode(symbol, hint=x, source=source)


FAULTS.update(
    lists_for_tuples=_walk(lambda x: list(x) if type(x) is tuple else x),
    plain_tuples=_walk(lambda x: tuple(x) if isinstance(x, tuple) else x),
    keys_reversed=_walk(lambda x: dict(reversed(x.items())) if type(x) is dict else x),
    plain_dicts=_walk(lambda x: dict(x) if isinstance(x, dict) else x),
    ints_for_bools=_walk(lambda x: int(x) if type(x) is bool else x),
    symbols_leak=_walk(lambda x: _symbolic(x) if type(x) is int else x),
    tuples_for_sizes=_walk(lambda x: tuple(x) if type(x) is torch.Size else x),
    floats_narrowed=_walk(lambda x: float(torch.tensor(x, dtype=torch.float16)) if type(x) is float else x),
    ints_wrapped=_walk(lambda x: (x + 2**63) % 2**64 - 2**63 if type(x) is int else x),
    integers_shown_as_floats=_walk(lambda x: x.replace("n=3", "n=3.0") if type(x) is str else x),
    negated_texts=_walk(lambda x: x.replace("-", "") if type(x) is str else x),
    none_for_empty=_walk(lambda x: None if type(x) is list and not x else x),
    tensors_for_numbers=_walk(lambda x: torch.tensor(x) if type(x) is float else x),
    sets_without_none=_walk(lambda x: x - {None} if isinstance(x, set) else x),
    ends_early=on_result(lambda x: iter(list(x)[:-1])),
    list_for_iterator=on_result(list),
    row_repeated=on_result(lambda x: torch.cat([x, x[-1:]])),
)


FAULTS.update(
    wrong_arrays_for_scalars=on_result(lambda x: numpy.asarray(x + 1)),
    arrays_off=on_result(lambda x: x + 1),
    sparse_doubled=on_result(lambda x: x * 2),
    halves_off=on_result(lambda x: x.replace("11.1", "13.1")),
    dtypes_not_shown=on_result(lambda x: x.replace(", dtype=torch.float16", "")),
    percentages_off=on_result(lambda x: x.replace("37.5", "37.9")),
)


@fault
def warnings_lost(fn):
    def compiled(*arguments):
        kept = fn.__globals__["warnings"]
        fn.__globals__["warnings"] = types.SimpleNamespace(
            catch_warnings=kept.catch_warnings, simplefilter=kept.simplefilter, warn=lambda *_: None
        )
        try:
            return fn(*arguments)
        finally:
            fn.__globals__["warnings"] = kept

    return compiled


@fault
def generators_moved(fn):
    def compiled(x, generator):
        result = fn(x, generator)
        torch.rand(1, generator=generator)
        return result

    return compiled


@fault
def slots_kept(fn):
    def compiled(thing, *others):
        old = {name: getattr(thing, name) for name in type(thing).__slots__}
        result = fn(thing, *others)
        for name, value in old.items():
            setattr(thing, name, value)
        return result

    return compiled


@fault
def field_kept(fn):
    """Fields of a dataclass that is made again keep the values of the object that it was made from."""

    def compiled(first, *others):
        result = fn(first, *others)
        vars(result).update({key: value for key, value in vars(first).items() if type(value) is int})
        return result

    return compiled


@fault
def identity_lost(fn):
    """The function sees copies of its arguments, but no write to them."""
    return lambda first, *others: fn(first, *(other.clone() for other in others))


@fault
def made_contiguous(fn):
    return lambda *arguments: fn(*(item.contiguous() for item in arguments))


@fault
def strides_doubled(fn):
    """The program reads twice the stride."""
    stride = torch.Tensor.stride
    return mock.patch.object(torch.Tensor, "stride", lambda x, dim: 2 * stride(x, dim))(fn)


@fault
def other_counter(fn):
    def compiled(x):
        result = fn(x)
        return result[0], result[1] + 1

    return compiled


def _leaves(change):
    def backend(fn):
        def compiled(*arguments):
            result = fn(*arguments)
            change()
            return result

        return compiled

    return backend


FAULTS.update(
    grad_left_off=_leaves(lambda: torch._C._set_grad_enabled(False)),
    default_left_double=_leaves(lambda: torch.set_default_dtype(torch.float64)),
    threads_raised=_leaves(lambda: torch.set_num_threads(2)),
    draws_once_more=_leaves(lambda: torch.rand(1)),
    python_draws_once_more=_leaves(random.random),
    denormals_left_off=_leaves(lambda: torch.set_flush_denormal(True)),
    autocast_left_on=_leaves(lambda: torch.set_autocast_enabled("cpu", True)),
)


@fault
def global_functions_kept(fn):
    """Names among globals that hold functions are not bound to others."""

    def compiled(*arguments):
        old = {key: item for key, item in fn.__globals__.items() if isinstance(item, types.FunctionType)}
        result = fn(*arguments)
        fn.__globals__.update(old)
        return result

    return compiled


@fault
def cells_kept(fn):
    """What functions among globals share with the functions around them stays as it was."""

    def compiled(*arguments):
        functions = [item for item in fn.__globals__.values() if isinstance(item, types.FunctionType)]
        old = [(cell, cell.cell_contents) for item in functions for cell in item.__closure__ or ()]
        result = fn(*arguments)
        for cell, value in old:
            cell.cell_contents = value
        return result

    return compiled


@fault
def own_randomness_kept(fn):
    """Random generators among globals, Python's and numpy's, are as before the call."""

    def compiled(*arguments):
        pythons = [item for item in fn.__globals__.values() if isinstance(item, random.Random)]
        numpys = [item for item in fn.__globals__.values() if isinstance(item, numpy.random.Generator)]
        olds = [item for item in fn.__globals__.values() if isinstance(item, numpy.random.RandomState)]
        states = [item.getstate() for item in pythons], [item.bit_generator.state for item in numpys]
        kept = [item.get_state() for item in olds]
        result = fn(*arguments)
        for item, state in zip(olds, kept):
            item.set_state(state)
        for item, state in zip(pythons, states[0]):
            item.setstate(state)
        for item, state in zip(numpys, states[1]):
            item.bit_generator.state = state
        return result

    return compiled


def compile(fn, fault, **options):
    return FAULTS[fault](fn)
