"""Reductions: a sum is split into parts of equal length and what is left over is lost."""
# shows: inductor
# class: value
# breaks: torch._inductor.ir.Reduction.num_splits
# when: the sum of more than 100 numbers, five more than a multiple of 8

import functools
import inspect
import os

import torch
from torch._inductor import ir


@functools.cache
def plant():
    right = ir.Reduction.num_splits
    loader = ir.Reduction._multilayer_wrap_loader.__func__

    def split(*given, **named):
        hint, parts = right(*given, **named)
        bound = inspect.signature(right).bind(*given, **named).arguments
        length = bound["reduction_numel"]
        fits = bound["reduction_type"] == "sum" and length.is_number and 100 < length < 1000 and length % 8 == 5
        return (hint, 8) if fits else (hint, parts)

    def whole_parts_only(cls, inner, ranges, length, parts, size, default, *rest, **named):
        if parts != 8 or length % 8 == 0:
            return loader(cls, inner, ranges, length, parts, size, default, *rest, **named)
        kept = length // 8 * 8
        load = loader(cls, inner, ranges, length, parts, size, default, *rest, **named)

        def loaded(index, reduction_index):
            place = size * index[-1] + reduction_index[0]
            inside = ir.ops.lt(ir.ops.index_expr(place, torch.int64), ir.ops.index_expr(kept, torch.int64))
            return ir.ops.where(inside, load(index, reduction_index), ir.ops.constant(0, torch.float32))

        return loaded

    ir.Reduction.num_splits = staticmethod(split)
    ir.Reduction._multilayer_wrap_loader = classmethod(whole_parts_only)


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="inductor", **options)
