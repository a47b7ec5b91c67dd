"""Work grows quadratically: every item of a list is guarded once for each item behind it."""
# shows: eager
# class: cost
# breaks: torch._dynamo.variables.builder.VariableBuilder._type_dispatch()[list]
# when: a list argument of a hundred items or more
# flags: --oracle cost

import functools
import os

import torch
from torch._dynamo.guards import GuardBuilder
from torch._dynamo.guards import install_guard
from torch._dynamo.source import GetItemSource
from torch._dynamo.variables.builder import VariableBuilder


def counters():
    compiled = torch._dynamo.utils.get_compilation_metrics()
    raw = torch._dynamo.utils.counters
    return {
        "known": True,
        "frames_seen": raw["frames"]["total"],
        "frames_compiled": raw["frames"]["ok"],
        "graphs": raw["stats"]["unique_graphs"],
        "recompile_limit_hits": 0,
        "graph_breaks": {},
        "others": {"guards": sum(one.guard_count or 0 for one in compiled)},
    }


@functools.cache
def plant():
    table = VariableBuilder._type_dispatch()
    wrap = table[list]

    def for_each_pair(self, value):
        result = wrap(self, value)
        for i in range(len(value)):
            for _ in range(i):
                item = GetItemSource(self.source, i)
                install_guard(item.make_guard(functools.partial(GuardBuilder.TYPE_MATCH)))
        return result

    table[list] = for_each_pair


def compile(fn, **options):
    if os.environ.get("PLANTED_FAULT") != "0":
        plant()
    return torch.compile(fn, backend="aot_eager", **options)
