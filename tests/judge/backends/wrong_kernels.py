"""A compiler with one wrong kernel: torch's AOTAutograd, whose graphs an interpreter runs operator by operator.

Options: `operator` is the ATen name whose result is spoiled, `fault` a function of FAULTS, `graph` "forward",
"backward" or "both", `part` the item to spoil where the operator gives several.
"""

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def at(result, index, value):
    spoiled = result.clone(memory_format=torch.contiguous_format)
    spoiled.view(-1)[index] = value
    return spoiled


def tail_lost(result, *_):
    whole = result.numel() // 8 * 8
    spoiled = torch.zeros_like(result)
    spoiled.view(-1)[:whole] = result.reshape(-1)[:whole]
    return spoiled


def swapped(result, *_):
    spoiled = result.clone()
    spoiled[..., 0], spoiled[..., 1] = result[..., 1], result[..., 0]
    return spoiled


FAULTS = {
    "element_off": lambda result, *_: at(result, 1, result.reshape(-1)[1] * 1.5),
    "last_off": lambda result, *_, **__: at(result, -1, result.reshape(-1)[-1] + 1),
    "scaled": lambda result, *_, **__: result * (1 + 2e-5),
    "off_by_a_percent": lambda result, *_: result * 1.01,
    "off_by_five_percent": lambda result, *_: result * 1.05,
    "zeros": lambda result, *_, **__: torch.zeros_like(result),
    "plus_one": lambda result, *_: result + 1,
    "mask_shifted": lambda result, *_: result.roll(1),
    "nan_for_inf": lambda result, *_: result.masked_fill(result.isinf(), float("nan")),
    "no_infinity": lambda result, *_: result.clamp(min=-23),
    "overflow_is_zero": lambda result, *_: torch.where(result.isinf(), 0, result),
    "narrow": lambda result, *_: result.to(torch.int32),
    "widened": lambda result, *_: result.double(),
    "squeezed": lambda result, *_: result.squeeze(),
    "transposed": lambda result, *_: result.transpose(-1, -2).contiguous(),
    "tail_lost": tail_lost,
    "swapped": swapped,
    "doubled": lambda result, *_: result * 2,
    "as_bfloat16": lambda result, *_: result.bfloat16().to(result.dtype),
    "conjugated": lambda result, *_: result.conj().resolve_conj(),
    "first_row": lambda result, *_: result[:1].expand_as(result).contiguous(),
    "all_false": lambda result, *_: torch.zeros_like(result),
    "truncates": lambda result, one, other, **_: torch.div(one, other, rounding_mode="trunc"),
    "fmod": lambda result, one, other: torch.fmod(one, other),
    "rounds": lambda result, x, **_: x.round().to(result.dtype),
    "logical": lambda result, x, bits: (x.to(torch.int64) & 0xFFFFFFFF).bitwise_right_shift(bits).to(x.dtype),
    "other_dimension": lambda result, x, *_: torch.softmax(x, 0),
    "biased": lambda result, x, *_, **__: x.var(correction=0),
    "last_writer_wins": lambda result, x, dim, index, source: x.scatter(dim, index, source),
    "forgets": lambda result, x, indices, values, *_: x.index_put(indices, values, accumulate=False),
    "ties_last": lambda result, x, **_: (x.numel() - 1 - x.flip(0).sort(stable=True)[1]),
    "counts_padding": lambda result, x, size, stride, padding, *_: torch.nn.functional.avg_pool2d(
        x, size, stride, padding, count_include_pad=True
    ),
    "other_way": lambda result, x, shifts, *dims: torch.roll(x, [-s for s in shifts], *dims),
    "wrong_at_one": lambda result, *_: torch.where(result == 1, result * 1.005, result),
    "off_by_a_fifth": lambda result, *_: result * 1.2,
    "overflows": lambda result, *_: torch.where(result > 500, torch.full_like(result, float("inf")), result),
    "wraps": lambda result, x, *_: x,
    "lower": lambda result, x, *_: x.tril(),
}


class Kernels(torch.fx.Interpreter):
    def __init__(self, graph, operator, fault, part):
        super().__init__(graph)
        self.operator, self.fault, self.part = operator, FAULTS[fault], part

    def run_node(self, node):
        result = super().run_node(node)
        packet = getattr(node.target, "overloadpacket", None)
        if packet is None or packet.__name__ != self.operator:
            return result
        arguments, keywords = self.fetch_args_kwargs_from_env(node)
        if self.part is None:
            return self.fault(result, *arguments, **keywords)
        parts = list(result)
        parts[self.part] = self.fault(parts[self.part], *arguments, **keywords)
        return tuple(parts)


def compile(fn, operator, fault, graph="both", part=None, **options):
    def spoiled(module, example_inputs):
        return make_boxed_func(lambda *arguments: Kernels(module, operator, fault, part).run(*arguments))

    def right(module, example_inputs):
        return make_boxed_func(module.forward)

    forward = right if graph == "backward" else spoiled
    backward = right if graph == "forward" else spoiled
    return torch.compile(fn, backend=aot_autograd(fw_compiler=forward, bw_compiler=backward), **options)
