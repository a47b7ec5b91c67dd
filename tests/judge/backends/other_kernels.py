"""A right compiler with kernels of its own: the same mathematics in another order, with other rounding.

Torch's AOTAutograd, whose graphs an interpreter runs operator by operator. Option: `kernels`, names of KERNELS
("OPERATOR" or "OPERATOR:variant"), that take the operator's arguments.
"""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

F = torch.nn.functional


def sum_backwards(x, dims=None, keepdim=False, *, dtype=None):
    dims = tuple(range(x.dim())) if not dims else tuple(dims)
    total = 0
    moved = x.to(dtype or x.dtype).movedim(dims, tuple(range(len(dims))))
    for row in reversed(moved.reshape(-1, *moved.shape[len(dims) :]).unbind()):
        total = total + row
    return total.reshape([1 if i in dims else n for i, n in enumerate(x.shape)]) if keepdim else total


def sum_of_lanes(x, *_, **__):
    total = torch.zeros(16)
    for row in x.reshape(-1, 16).unbind():
        total = total + row
    return total.sum()


def softmax(x, dim, half_to_float=False):
    powers = torch.exp2((x - x.amax(dim, keepdim=True)) * 1.4426950408889634)
    return powers * (1 / powers.sum(dim, keepdim=True))


def log_softmax(x, dim, half_to_float=False):
    return x - torch.log(torch.exp(x).sum(dim, keepdim=True))


def layer_norm(x, shape, weight, bias, eps):
    dims = tuple(range(x.dim() - len(shape), x.dim()))
    mean = x.mean(dims, keepdim=True)
    variance = (x * x).mean(dims, keepdim=True) - mean * mean
    scale = torch.rsqrt(variance + eps)
    result = x * scale - mean * scale
    result = result * weight if weight is not None else result
    return (result + bias if bias is not None else result), mean, scale


def group_norm(x, weight, bias, n, c, hw, group, eps):
    rows = x.reshape(n, group, -1).double()
    mean, variance = rows.mean(-1, keepdim=True), rows.var(-1, correction=0, keepdim=True)
    result = ((rows - mean) / (variance + eps).sqrt()).reshape(x.shape)
    view = (1, c) + (1,) * (x.dim() - 2)
    result = result * weight.reshape(view) + bias.reshape(view)
    return result.to(x.dtype), mean.squeeze(-1).to(x.dtype), (variance + eps).rsqrt().squeeze(-1).to(x.dtype)


def batch_norm(x, weight, bias, mean, variance, *rest):
    scale = weight * torch.rsqrt(variance + rest[-1])
    shift = bias - mean * scale
    empty = x.new_empty(0)
    return x * scale[:, None, None] + shift[:, None, None], empty, empty


def mm_backwards(a, b):
    return a.flip(1).contiguous() @ b.flip(0).contiguous()


def mm_in_blocks(a, b):
    total = 0
    for start in range(0, a.shape[1], 7):
        total = total + a[:, start : start + 7] @ b[start : start + 7]
    return total


def convolution(x, weight, bias, stride, padding, *_):
    columns = F.unfold(x, weight.shape[2:], padding=padding, stride=stride)
    result = weight.reshape(weight.shape[0], -1) @ columns
    side = (x.shape[2] + 2 * padding[0] - weight.shape[2]) // stride[0] + 1
    return (result + bias[:, None]).reshape(x.shape[0], weight.shape[0], side, -1)


def cumsum_in_blocks(x, dim, **_):
    blocks, start = [], 0
    for block in x.split(5, dim):
        blocks.append(block.cumsum(dim) + start)
        start = blocks[-1].select(dim, -1).unsqueeze(dim)
    return torch.cat(blocks, dim)


def product_tree(x, *_, **__):
    parts = list(x.reshape(-1).unbind())
    while len(parts) > 1:
        parts = [parts[i] * parts[i + 1] if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0]


def complex_product(a, b):
    if not torch.is_tensor(b) or not a.is_complex():
        return a * b
    first, second = a.real * b.real, a.imag * b.imag
    return torch.complex(first - second, (a.real + a.imag) * (b.real + b.imag) - first - second)


def one_pass_variance(x, *_, correction=1, **__):
    count = x.numel()
    return ((x * x).sum() - x.sum() * x.sum() / count) / (count - correction)


def solve(a, b, *_, **__):
    q, r = torch.linalg.qr(a)
    x = torch.linalg.solve_triangular(r, q.mT @ b.reshape(b.shape[0], -1), upper=True)
    return x.reshape(b.shape), *torch.linalg.lu_factor(a), torch.zeros((), dtype=torch.int32)


def inverse(a):
    q, r = torch.linalg.qr(a)
    return torch.linalg.solve_triangular(r, q.mT, upper=True), torch.zeros((), dtype=torch.int32)


def determinant(a):
    rows = [list(row.unbind()) for row in a.unbind()]

    def minor(rows):
        if len(rows) == 1:
            return rows[0][0]
        smaller = [minor([row[:i] + row[i + 1 :] for row in rows[1:]]) for i in range(len(rows))]
        return sum((-1) ** i * rows[0][i] * part for i, part in enumerate(smaller))

    factors = torch.linalg.lu_factor(a)
    return minor(rows), *factors


def ties_backwards(x, *, stable=None, dim=-1, descending=False):
    values, index = torch.sort(x.flip(0), stable=True, descending=descending)
    return values, x.shape[0] - 1 - index


def topk_backwards(x, k, dim=-1, largest=True, sorted=True):
    values, index = torch.sort(x.flip(0), stable=True, descending=True)
    return values[:k].contiguous(), (x.shape[0] - 1 - index)[:k].contiguous()


def last_of_ties(x, dim, keepdim=False):
    values = x.amax(dim, keepdim)
    return values, x.shape[dim] - 1 - x.flip(dim).argmax(dim, keepdim)


def saturating(x, *, dtype, **_):
    if dtype.is_floating_point or not x.is_floating_point():
        return x.to(dtype)
    limits = torch.iinfo(dtype)
    return torch.nan_to_num(x.double(), 0).clamp(limits.min, limits.max).to(torch.int64).to(dtype)


def other_signs(kernel):
    """The other sign for zeros and NaN."""

    def with_other_signs(*arguments, **keywords):
        result = kernel(*arguments, **keywords)
        return torch.where((result == 0) | result.isnan(), result.neg(), result)

    return with_other_signs


def means_by_reciprocal(x, dim, index, source, *_, **__):
    counts = torch.zeros_like(x).scatter_add(dim, index, torch.ones_like(source))
    return x.scatter_add(dim, index, source) * (1 / counts)


def flushed(result):
    tiny = torch.finfo(result.dtype).tiny
    return torch.where(result.abs() < tiny, torch.zeros_like(result), result)


def steps_from_the_start(start, end, count, **_):
    return torch.arange(count) * torch.tensor((end - start) / (count - 1)) + start


def products_apart(a, b, *, dim=-1):
    first = a.roll(-1, dim) * b.roll(-2, dim)
    return first - a.roll(-2, dim) * b.roll(-1, dim)


def in_double(operator):
    """Rounds at the end only."""

    def kernel(x, *rest):
        return operator(*(item.double() if torch.is_tensor(item) else item for item in (x, *rest))).to(x.dtype)

    return kernel


KERNELS = {
    "sum": sum_backwards,
    "sum:lanes": sum_of_lanes,
    "mean": lambda x, *dims, **_: x.sum(*dims) * (x.sum(*dims).numel() / x.numel()),
    "mean:backwards": lambda x, *_, **__: sum_backwards(x) / x.numel(),
    "_softmax": softmax,
    "_log_softmax": log_softmax,
    "native_layer_norm": layer_norm,
    "native_group_norm": group_norm,
    "native_batch_norm": batch_norm,
    "_native_batch_norm_legit_no_training": batch_norm,
    "gelu": lambda x, **_: 0.5 * x * torch.erfc(x * -0.7071067811865476),
    "div": lambda a, b, **_: a * (1 / b),
    "exp": lambda x: torch.exp2(x * 1.4426950408889634),
    "tanh": lambda x: 1 - 2 / (torch.exp(2 * x) + 1),
    "sigmoid": lambda x: 0.5 * torch.tanh(0.5 * x) + 0.5,
    "log1p": lambda x: torch.log(1 + x),
    "pow": lambda a, b: torch.exp2(b * torch.log2(a)),
    "pow:products": lambda a, b: a * a * a * a * a if b == 5 else a**b,
    "logsumexp": lambda x, dim, *_: torch.log(torch.exp(x).sum(dim)),
    "linalg_vector_norm": lambda x, *_, **__: x.abs().max() * ((x / x.abs().max()) ** 2).sum().sqrt(),
    "mm": mm_backwards,
    "mm:blocks": mm_in_blocks,
    "addmm": lambda bias, a, b, **_: (bias.double() + a.double() @ b.double()).to(a.dtype),
    "convolution": convolution,
    "cumsum": cumsum_in_blocks,
    "index_add": lambda x, dim, index, source: x.index_add(dim, index.flip(0), source.flip(dim)),
    "scatter_reduce": means_by_reciprocal,
    "prod": product_tree,
    "mul": complex_product,
    "mul:flushed": lambda a, b: flushed(a * b),
    "var": one_pass_variance,
    "_linalg_solve_ex": solve,
    "linalg_inv_ex": inverse,
    "_linalg_det": determinant,
    "sort": ties_backwards,
    "topk": topk_backwards,
    "max": last_of_ties,
    "_to_copy": saturating,
    "mul:other_signs": other_signs(torch.mul),
    "div:other_signs": other_signs(torch.div),
    "maximum:other_signs": other_signs(torch.maximum),
    "upsample_bilinear2d": lambda x, size, corners, *_: F.interpolate(
        x.double(), size, mode="bilinear", align_corners=corners
    ).float(),
    "_fft_r2c": lambda x, dims, mode, onesided: torch.fft.rfft(x.double()).to(torch.complex64),
    "_cdist_forward": lambda a, b, p, *_: (a[:, None] - b[None]).pow(2).sum(-1).sqrt(),
    "asin": lambda x: 2 * torch.atan(x / (1 + torch.sqrt(1 - x * x))),
    "lerp": lambda a, b, t: a * (1 - t) + b * t,
    "lerp:parts": lambda a, b, t: a + t * (b - a),
    "addmm:parts": lambda bias, a, b, **_: bias + a @ b,
    "addcmul:parts": lambda a, b, c, *, value=1: a + value * (b * c),
    "addr": in_double(torch.addr),
    "linspace": steps_from_the_start,
    "linalg_cross": products_apart,
    "trace": lambda x: sum_backwards(x.diagonal()),
    "_euclidean_dist": lambda a, b: (a[:, None] - b[None]).pow(2).sum(-1).sqrt(),
    "upsample_bicubic2d": in_double(torch.ops.aten.upsample_bicubic2d.default),
    "addcmul": lambda a, b, c, *, value=1: (a.double() + value * b.double() * c.double()).to(a.dtype),
}


class Kernels(torch.fx.Interpreter):
    def __init__(self, graph, kernels):
        super().__init__(graph)
        self.kernels = {name.split(":")[0]: KERNELS[name] for name in kernels}

    def call_function(self, target, arguments, keywords):
        packet = getattr(target, "overloadpacket", None)
        kernel = self.kernels.get(packet.__name__) if packet is not None else None
        return kernel(*arguments, **keywords) if kernel else super().call_function(target, arguments, keywords)


def compile(fn, kernels, **options):
    def compiler(module, example_inputs):
        return make_boxed_func(lambda *arguments: Kernels(module, kernels).run(*arguments))

    return torch.compile(fn, backend=aot_autograd(fw_compiler=compiler, bw_compiler=compiler), **options)
