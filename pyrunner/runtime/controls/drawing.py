"""Random numbers in a run in another precision: they are drawn in the type in which eager draws them, then cast, because the
generator gives other numbers for another type.

A tensor of the raised type doesn't say which type it had before the cast. It is taken for one of the type that the first
argument with that raised type had, or else of the type that the program names first; without either, of torch's default.
Dropout and what else draws by probabilities that are numbers gives the same for all types.
"""

import contextlib

import torch

from . import exactness

# Make tensors of a type that they are told, or of the default.
_MAKE = {torch.rand, torch.randn}
# Draw into a tensor, which they return.
_FILL = {getattr(torch.Tensor, name) for name in exactness.FILL_AT_RANDOM}
# Give numbers of the type of their operands, or choose by them.
_OPERATE = {
    torch.bernoulli, torch.Tensor.bernoulli, torch.multinomial, torch.Tensor.multinomial, torch.normal,
    torch.nn.functional.gumbel_softmax, torch.rand_like, torch.randint_like, torch.randn_like,
}
_INITIALISE = "torch.nn.init"
# How programs name the types that others are raised to.
_WORDS = {
    torch.float32: ("torch.float32", "torch.float)", "torch.float,", ".float("),
    torch.float64: ("torch.float64", "torch.double", ".double("),
    torch.complex64: ("torch.complex64", "torch.cfloat", ".cfloat("),
    torch.complex128: ("torch.complex128", "torch.cdouble", ".cdouble("),
}


# The real types that have a complex one.
_COMPLEX = {torch.float16, torch.float32, torch.float64}


class Natives:
    """The types that tensors had before the cast, by the type that they have now."""

    def __init__(self, up, default, source=""):
        """`default`: torch's default type, before it is raised. `source`: of the program."""
        self._up = up
        self._named = {dtype for dtype, words in _WORDS.items() if any(word in source for word in words)}
        self._found = {}
        self._everywhere = set()
        self._here = set()
        self.default = default
        self._usual = {up[dtype]: dtype for dtype in (default, default.to_complex()) if dtype in up}

    def note(self, dtype):
        """That a tensor had this type, or that the program names it."""
        self._found.setdefault(self._up.get(dtype, dtype), dtype)
        self._here.add(dtype)

    def end_globals(self):
        """What was noted since the last call of begin() is of the file's globals."""
        self._everywhere |= self._here

    def begin(self, dtypes=()):
        """A call of the program begins, whose arguments have these types."""
        self._here = set(dtypes)

    def alone(self, dtype):
        """The type that tensors of this raised type had, if all of this call had the same; else the raised one."""
        known = self._everywhere | self._here or {self.default}
        known = known | {other for one in known if (other := _counterpart(one)) is not None}
        before = [one for one in known if self._up.get(one, one) is dtype]
        return before[0] if len(before) == 1 else dtype

    def of(self, dtype):
        return self._found.get(dtype) or self._usual.get(dtype, dtype)

    def of_given(self, dtype):
        """The same of a type that a call names. If the program's text doesn't have the raised type it has read it from a
        tensor."""
        return dtype if dtype in self._named else self.of(dtype)

    def down(self, item):
        """A tensor of a raised type in the type that it had; anything else as it is."""
        return item.to(self.of(item.dtype)) if is_floating(item) else item


def _counterpart(dtype):
    """The complex type of a real one, and the other way round."""
    if dtype.is_complex:
        return dtype.to_real()
    return dtype.to_complex() if dtype in _COMPLEX else None


def is_floating(item):
    return isinstance(item, torch.Tensor) and (item.is_floating_point() or item.is_complex())


def draws(function):
    return function in _MAKE or function in _FILL or function in _OPERATE or _initialises(function)


def _makes(function, arguments, keywords):
    """Whether it makes a tensor without being given one."""
    if function is torch.normal:
        return not any(map(is_floating, (*arguments, *keywords.values())))
    return function in _MAKE


def _initialises(function):
    return getattr(function, "__module__", None) == _INITIALISE


def draw(function, arguments, keywords, natives, up):
    """The result of a function that draws() says to draw. `up`: the raised types, by the types that are raised."""
    if keywords.get("out") is not None:
        return _drawn_into(function, arguments, keywords, natives, up)
    if function in _FILL or _initialises(function):
        return _filled(function, arguments, keywords, natives)
    if keywords.get("dtype") is not None:
        keywords = {**keywords, "dtype": natives.of_given(keywords["dtype"])}
    if _makes(function, arguments, keywords):
        keywords = {"dtype": natives.default, **{name: item for name, item in keywords.items() if item is not None}}
        natives.note(keywords["dtype"])
    arguments = [natives.down(item) for item in arguments]
    result = function(*arguments, **{name: natives.down(item) for name, item in keywords.items()})
    return result.to(up.get(result.dtype, result.dtype)) if is_floating(result) else result


def _drawn_into(function, arguments, keywords, natives, up):
    out = keywords["out"]
    if not is_floating(out) or out.layout is not torch.strided:
        return function(*arguments, **keywords)
    given = {name: item for name, item in keywords.items() if name != "out"}
    if _makes(function, arguments, given):
        given["dtype"] = natives.of(out.dtype)
    made = draw(function, arguments, given, natives, up)
    with torch.no_grad():
        return out.resize_(made.shape).copy_(made)


def _filled(function, arguments, keywords, natives):
    arguments, keywords = list(arguments), dict(keywords)
    place, holder = (0, arguments) if arguments else (next(iter(keywords), None), keywords)
    target = holder[place] if place is not None else None
    if not is_floating(target) or target.layout is not torch.strided:
        return function(*arguments, **keywords)
    # How a kernel goes through a tensor depends on its strides.
    twin = torch.empty_strided(target.shape, target.stride(), dtype=natives.of(target.dtype), device=target.device)
    holder[place] = twin
    function(*map(natives.down, arguments), **{name: natives.down(item) for name, item in keywords.items()})
    with torch.no_grad() if _initialises(function) else contextlib.nullcontext():
        return target.copy_(twin)
