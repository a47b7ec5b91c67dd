"""How drawn calls are read, and what is compared of them."""

import torch

from small.tensors import EVERY, is_spec


def frozen(value):
    """Arguments as they stand in the dump, as values that sets can hold."""
    if isinstance(value, dict):
        return (value["dtype"], tuple(value["shape"]))
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def meant(text):
    """What a text among the arguments means; the text itself where it is a name."""
    if not isinstance(text, str) or text in EVERY:
        return text
    try:
        value = eval(text, {"torch": torch})
    except Exception:
        return text
    if isinstance(value, torch.Tensor):
        return (str(value.dtype).removeprefix("torch."), tuple(value.shape))
    return value


def plain(op, arguments):
    return tuple(map(meant, arguments))


def tensors_only(op, arguments):
    return arguments if all(map(is_spec, arguments)) else None


def of_length(count):
    """Calls in which so many arguments are given: of fewer, it is not known which ones are left out."""
    return lambda op, arguments: plain(op, arguments) if len(arguments) == count else None


def first(count):
    return lambda op, arguments: plain(op, arguments[:count])


def named(text, **usual):
    """The arguments that a text gives by keyword, the first ones of `usual` by position too."""
    def values(*given, **more):
        all_of = dict(usual)
        all_of.update(zip(usual, given))
        all_of.update(more)
        return tuple(all_of.values()) if set(all_of) == set(usual) else None

    return eval(f"values({text})", {"values": values, "torch": torch})


def dtypes_of(value):
    if is_spec(value):
        return (value[0],)
    return tuple(dtype for item in value for dtype in dtypes_of(item)) if isinstance(value, tuple) else ()


def shapes_of(value):
    """The same value with shapes in the place of tensors."""
    if is_spec(value):
        return value[1]
    return tuple(map(shapes_of, value)) if isinstance(value, tuple) else value


def apart(call):
    """The dtypes by themselves, and everything else by itself."""
    op, *arguments = call
    yield ("dtypes", op, dtypes_of(tuple(arguments)))
    yield ("shapes", op, shapes_of(tuple(arguments)))


def by_tensor(call):
    """The first tensor by itself, and everything with shapes in the place of tensors."""
    op, *arguments = call
    yield ("tensor", op, arguments[0])
    yield ("shapes", op, shapes_of(tuple(arguments)))


def pairs(call):
    """Of two tensors: both dtypes, and both shapes with the first one's dtype."""
    op, a, b = call
    yield (op, a[0], b[0])
    yield (op, a, b[1])
