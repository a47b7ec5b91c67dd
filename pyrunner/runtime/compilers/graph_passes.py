"""torch's own passes over captured graphs, by name, for the backend `passes`.

A pass takes a GraphModule of aten operators without mutation (AOTAutograd has functionalized it) and the fake inputs
with which it was traced, and modifies it or returns another one that must compute the same. Passes that read the fake
values of nodes find none on nodes that an earlier pass made; between passes, running the graph on its fake inputs fills
these in.
"""

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.fx.passes.tools_common import stable_topological_sort

from ..compat import compiler


def _cse(graph, inputs):
    graph.graph = compiler.fx_graph_cse(graph.graph)
    return graph


def _dce(graph, inputs):
    graph.graph.eliminate_dead_code()
    return graph


def _constant_folding(graph, inputs):
    compiler.fold_uniform_values(graph)
    return graph


def _constant_values(graph, inputs):
    compiler.fold_constants(graph)
    return graph


def _decompose(graph, inputs):
    return _traced_again(graph, inputs, compiler.select_decompositions())


def _core_decompose(graph, inputs):
    return _traced_again(graph, inputs, compiler.core_decompositions())


def _traced_again(graph, inputs, table):
    with _mode_of(inputs):
        return make_fx(graph, decomposition_table=table)(*inputs)


def _reinplace(graph, inputs):
    compiler.reinplace(compiler.FakeTensorUpdater(graph), graph.graph)
    return graph


def _noop_removal(graph, inputs):
    compiler.remove_noops(graph.graph)
    return graph


def _pattern_matcher(graph, inputs):
    for patterns in compiler.pattern_passes():
        patterns.apply(graph.graph)
    return graph


def _joint(graph, inputs):
    compiler.joint_graph_passes(graph)
    return graph


def _redundant_views(graph, inputs):
    compiler.remove_redundant_views(graph)
    return graph


def _view_to_reshape(graph, inputs):
    compiler.view_to_reshape(graph)
    return graph


def _reorder(graph, inputs):
    compiler.reorder_for_locality(graph.graph)
    return graph


def _sort(graph, inputs):
    return stable_topological_sort(graph)


# Each pass with the private names that it needs.
_ALL = {
    "cse": (_cse, "fx_graph_cse"),
    "dce": (_dce,),
    "constant_folding": (_constant_folding, "fold_uniform_values"),
    "constant_values": (_constant_values, "fold_constants"),
    "decompose": (_decompose, "select_decompositions"),
    "core_decompose": (_core_decompose, "core_decompositions"),
    "reinplace": (_reinplace, "reinplace", "FakeTensorUpdater"),
    "noop_removal": (_noop_removal, "remove_noops"),
    "redundant_views": (_redundant_views, "remove_redundant_views"),
    "pattern_matcher": (_pattern_matcher, "pattern_passes"),
    "joint": (_joint, "joint_graph_passes"),
    "view_to_reshape": (_view_to_reshape, "view_to_reshape"),
    "reorder": (_reorder, "reorder_for_locality"),
    "sort": (_sort,),
}
PASSES = {name: run for name, (run, *needed) in _ALL.items() if all(map(compiler.has, needed))}
_DEFAULT = ("decompose", "cse", "constant_folding", "noop_removal", "pattern_matcher", "redundant_views", "dce")
DEFAULT = [name for name in _DEFAULT if name in PASSES]


def _mode_of(inputs):
    return compiler.detect_fake_mode(inputs) or compiler.FakeTensorMode()


def _fill_in(graph, inputs):
    """Adds fake values to the nodes that a pass has made."""
    if any("val" not in node.meta for node in graph.graph.nodes if node.op != "output"):
        FakeTensorProp(graph, _mode_of(inputs)).propagate_dont_convert_inputs(*inputs)


def run_through(names, graph, inputs):
    """The graph after the passes of these names, in this order."""
    fake = all(isinstance(item, compiler.FakeTensor) or not isinstance(item, torch.Tensor) for item in inputs)
    for name in names:
        if fake:
            _fill_in(graph, inputs)
        with compiler.set_fake_mode(_mode_of(inputs)):  # Inductor's passes look the mode up here
            graph = PASSES[name](graph, inputs)
        graph.graph.lint()
        graph.recompile()
    return graph
