"""ONNX operators as torch calls: OPERATORS[kind](node, *inputs) gives a result or several. `node(name, default)` is an
attribute. Inputs that only say how (shapes, axes, pads) are read as numbers: what is written has them as constants."""

import torch
from torch.nn import functional as F

from .onnx_layers import LAYERS, NotKnown, numbers

# The types of ONNX's TensorProto.
_DTYPES = {1: torch.float32, 2: torch.uint8, 3: torch.int8, 5: torch.int16, 6: torch.int32, 7: torch.int64, 9: torch.bool,
           10: torch.float16, 11: torch.float64, 14: torch.complex64, 15: torch.complex128, 16: torch.bfloat16}


def _plain(function):
    """For what takes the inputs and no attributes."""
    return lambda node, *inputs: function(*inputs)


def _folded(function):
    """For operators of any number of inputs."""
    def run(node, first, *more):
        for one in more:
            first = function(first, one)
        return first
    return run


def _dtype(number):
    if number not in _DTYPES:
        raise NotKnown(f"the type {number}")
    return _DTYPES[number]


def _divide(node, a, b):
    if a.dtype.is_floating_point:
        return torch.div(a, b)
    return torch.div(a, b, rounding_mode="trunc")


def _mod(node, a, b):
    return torch.fmod(a, b) if node("fmod", 0) else torch.remainder(a, b)


def _pow(node, a, b):
    gave = torch.pow(a, b)
    return gave if gave.dtype is a.dtype else gave.to(a.dtype)


def _cast(node, x, *more):
    return x.to(_dtype(node("to")))


def _clip(node, x, low=None, high=None):
    low = node("min") if low is None else numbers(low)
    high = node("max") if high is None else numbers(high)
    return torch.clone(x) if low is None and high is None else torch.clamp(x, low, high)


def _axes(node, given, x):
    """The dimensions that a reduction names; None for all of them, [] for none."""
    axes = numbers(given) if given is not None else node("axes")
    if axes is None or axes == []:
        return [] if node("noop_with_empty_axes", 0) else list(range(x.dim()))
    return list(axes) if isinstance(axes, list) else [axes]


def _reduction(function):
    """function(x, dims, keepdim)."""
    def run(node, x, axes=None):
        dims = _axes(node, axes, x)
        return torch.clone(x) if not dims and x.dim() else function(x, dims, bool(node("keepdims", 1)))
    return run


def _sum(x, dims, keep):
    return torch.sum(x, dims, keepdim=keep, dtype=x.dtype)


def _product(x, dims, keep):
    for dim in sorted((dim % x.dim() for dim in dims), reverse=True):
        x = torch.prod(x, dim, keepdim=keep, dtype=x.dtype)
    return x


def _place(function):
    def run(node, x):
        axis = node("axis", 0)
        if node("select_last_index", 0):
            return x.shape[axis] - 1 - function(torch.flip(x, [axis]), axis, keepdim=bool(node("keepdims", 1)))
        return function(x, axis, keepdim=bool(node("keepdims", 1)))
    return run


def _reshape(node, x, shape=None):
    sizes = list(node("shape") if shape is None else numbers(shape))
    if not node("allowzero", 0):
        sizes = [x.shape[at] if size == 0 else size for at, size in enumerate(sizes)]
    return torch.reshape(x, sizes)


def _flatten(node, x):
    axis = node("axis", 1)
    axis = axis + x.dim() if axis < 0 else axis
    first = 1
    for size in x.shape[:axis]:
        first *= size
    return torch.reshape(x, (first, x.numel() // first if first else 0))


def _transpose(node, x):
    return torch.permute(x, node("perm") or list(reversed(range(x.dim()))))


def _squeeze(node, x, axes=None):
    axes = node("axes") if axes is None else numbers(axes)
    return torch.squeeze(x) if axes is None else torch.squeeze(x, tuple(axes))


def _unsqueeze(node, x, axes=None):
    axes = node("axes") if axes is None else numbers(axes)
    rank = x.dim() + len(axes)
    for axis in sorted(axis % rank for axis in axes):
        x = torch.unsqueeze(x, axis)
    return x


def _expand(node, x, shape):
    sizes = torch.broadcast_shapes(x.shape, tuple(numbers(shape)))
    return x.expand(sizes)


def _concat(node, *inputs):
    return torch.cat(inputs, node("axis"))


def _split(node, x, sizes=None):
    axis = node("axis", 0)
    sizes = node("split") if sizes is None else numbers(sizes)
    if sizes is None:
        step = -(-x.shape[axis] // len(node.outputs))
        sizes = [max(min(step, x.shape[axis] - step * at), 0) for at in range(len(node.outputs))]
    return torch.split(x, list(sizes), axis)


def _slice(node, x, starts=None, ends=None, axes=None, steps=None):
    starts = numbers(starts) if starts is not None else node("starts")
    ends = numbers(ends) if ends is not None else node("ends")
    axes = numbers(axes) if axes is not None else node("axes") or list(range(len(starts)))
    steps = numbers(steps) if steps is not None else [1] * len(starts)
    parts, turned = [slice(None)] * x.dim(), []
    for start, end, axis, step in zip(starts, ends, axes, steps):
        size, axis = x.shape[axis], axis % x.dim()
        low, high, step = slice(start, None if step < 0 and end < -size else end, step).indices(size)
        if step < 0:  # torch's own slices go forwards only
            count = len(range(low, high, step))
            turned.append(axis)
            low, high, step = (low + step * (count - 1), low + 1, -step) if count else (0, 0, 1)
        parts[axis] = slice(low, high, None if step == 1 else step)
    gave = x[tuple(parts)]
    return torch.flip(gave, turned) if turned else gave


def _forward(at, size):
    """Indices counted from the front. Most models have only such ones, and get no statements for it."""
    return torch.where(at < 0, at + size, at) if at.numel() and numbers(at.min()) < 0 else at


def _gather(node, x, at):
    axis = node("axis", 0) % x.dim()
    at = _forward(at, x.shape[axis])
    if at.dim() == 0:
        return torch.index_select(x, axis, at.reshape(1)).squeeze(axis)
    gave = torch.index_select(x, axis, torch.flatten(at))
    return gave if at.dim() == 1 else torch.reshape(gave, (*x.shape[:axis], *at.shape, *x.shape[axis + 1:]))


def _gather_elements(node, x, at):
    axis = node("axis", 0)
    return torch.gather(x, axis, _forward(at, x.shape[axis]))


def _gather_nd(node, x, at):
    if node("batch_dims", 0):
        raise NotKnown("batch dimensions")
    return x[tuple(torch.unbind(at, -1))]


def _scatter_nd(node, x, at, updates):
    if node("reduction", "none") != "none":
        raise NotKnown("a reduction")
    return torch.index_put(x, tuple(torch.unbind(at, -1)), updates)


def _scatter_elements(node, x, at, updates):
    if node("reduction", "none") != "none":
        raise NotKnown("a reduction")
    axis = node("axis", 0)
    return torch.scatter(x, axis, _forward(at, x.shape[axis]), updates)


def _constant(node):
    if node("value") is not None:
        return node("value")
    for name, dtype in (("value_int", torch.int64), ("value_ints", torch.int64), ("value_float", torch.float32),
                        ("value_floats", torch.float32)):
        if node(name) is not None:
            return torch.tensor(node(name), dtype=dtype)
    raise NotKnown("a value that is no tensor")


def _constant_of_shape(node, shape):
    value = node("value")
    sizes = tuple(numbers(shape))
    return torch.zeros(sizes) if value is None else torch.full(sizes, value.item(), dtype=value.dtype)


def _tril(node, x, k=None):
    k = 0 if k is None else numbers(k)
    return torch.triu(x, k) if node("upper", 1) else torch.tril(x, k)


def _topk(node, x, k=None):
    count = node("k") if k is None else numbers(torch.flatten(k))[0]
    return torch.topk(x, count, node("axis", -1), bool(node("largest", 1)), bool(node("sorted", 1)))


def _cumsum(node, x, axis):
    if node("exclusive", 0) or node("reverse", 0):
        raise NotKnown("exclusive or reverse")
    return torch.cumsum(x, numbers(torch.flatten(axis))[0], dtype=x.dtype)


def _softmax(function):
    def run(node, x):
        if node.opset >= 13:
            return function(x, dim=node("axis", -1))
        axis = node("axis", 1)
        flat = torch.flatten(x, axis) if axis % max(x.dim(), 1) else torch.reshape(x, (1, -1)).squeeze(0)
        return torch.reshape(function(flat, dim=-1), x.shape) if x.dim() - axis % max(x.dim(), 1) > 1 else function(x, dim=-1)
    return run


_SAME = {"Abs": torch.abs, "Acos": torch.acos, "Acosh": torch.acosh, "Add": torch.add, "And": torch.logical_and,
         "Asin": torch.asin, "Asinh": torch.asinh, "Atan": torch.atan, "Atanh": torch.atanh, "BitwiseAnd": torch.bitwise_and,
         "BitwiseNot": torch.bitwise_not, "BitwiseOr": torch.bitwise_or, "BitwiseXor": torch.bitwise_xor, "Ceil": torch.ceil,
         "Cos": torch.cos, "Cosh": torch.cosh, "Equal": torch.eq, "Erf": torch.erf, "Exp": torch.exp, "Floor": torch.floor,
         "Greater": torch.gt, "GreaterOrEqual": torch.ge, "Identity": torch.clone, "IsNaN": torch.isnan, "Less": torch.lt,
         "LessOrEqual": torch.le, "Log": torch.log, "MatMul": torch.matmul, "Mul": torch.mul, "Neg": torch.neg,
         "Not": torch.logical_not, "Or": torch.logical_or, "Reciprocal": torch.reciprocal, "Relu": torch.relu,
         "Round": torch.round, "Sigmoid": torch.sigmoid, "Sign": torch.sign, "Sin": torch.sin, "Sinh": torch.sinh,
         "Softplus": F.softplus, "Softsign": F.softsign, "Sqrt": torch.sqrt, "Sub": torch.sub, "Tan": torch.tan,
         "Tanh": torch.tanh, "Where": torch.where, "Xor": torch.logical_xor, "HardSwish": F.hardswish, "Mish": F.mish}

OPERATORS = {kind: _plain(function) for kind, function in _SAME.items()} | LAYERS | {
    "Max": _folded(torch.maximum), "Min": _folded(torch.minimum), "Sum": _folded(torch.add),
    "Mean": lambda node, *inputs: torch.div(_folded(torch.add)(node, *inputs), len(inputs)),
    "Div": _divide, "Mod": _mod, "Pow": _pow, "Cast": _cast, "Clip": _clip,
    "CastLike": lambda node, x, like: x.to(like.dtype),
    "ReduceSum": _reduction(_sum), "ReduceProd": _reduction(_product),
    "ReduceMean": _reduction(lambda x, dims, keep: torch.mean(x, dims, keepdim=keep)),
    "ReduceMax": _reduction(lambda x, dims, keep: torch.amax(x, dims, keepdim=keep)),
    "ReduceMin": _reduction(lambda x, dims, keep: torch.amin(x, dims, keepdim=keep)),
    "ReduceL1": _reduction(lambda x, dims, keep: _sum(torch.abs(x), dims, keep)),
    "ReduceL2": _reduction(lambda x, dims, keep: torch.sqrt(_sum(torch.mul(x, x), dims, keep))),
    "ReduceSumSquare": _reduction(lambda x, dims, keep: _sum(torch.mul(x, x), dims, keep)),
    "ReduceLogSum": _reduction(lambda x, dims, keep: torch.log(_sum(x, dims, keep))),
    "ReduceLogSumExp": _reduction(lambda x, dims, keep: torch.logsumexp(x, dims, keepdim=keep)),
    "ArgMax": _place(torch.argmax), "ArgMin": _place(torch.argmin), "TopK": _topk, "CumSum": _cumsum, "Trilu": _tril,
    "Reshape": _reshape, "Flatten": _flatten, "Transpose": _transpose, "Squeeze": _squeeze, "Unsqueeze": _unsqueeze,
    "Expand": _expand, "Concat": _concat, "Split": _split, "Slice": _slice, "Gather": _gather,
    "GatherElements": _gather_elements, "GatherND": _gather_nd, "ScatterND": _scatter_nd,
    "ScatterElements": _scatter_elements, "Tile": lambda node, x, times: torch.tile(x, tuple(numbers(times))),
    "Constant": _constant, "ConstantOfShape": _constant_of_shape,
    "Shape": lambda node, x: torch.tensor(list(x.shape)[node("start", 0):node("end")], dtype=torch.int64),
    "Size": lambda node, x: torch.tensor(x.numel(), dtype=torch.int64),
    "Range": lambda node, start, end, step: torch.arange(numbers(start), numbers(end), numbers(step), dtype=start.dtype),
    "Softmax": _softmax(torch.softmax), "LogSoftmax": _softmax(torch.log_softmax),
    "Einsum": lambda node, *inputs: torch.einsum(node("equation"), *inputs),
}
