"""torch's own passes over captured graphs, by name, for the backend `passes`.

A pass takes a GraphModule of aten operators without mutation (AOTAutograd has made it functional) and the fake inputs
it was traced with, changes it or gives another, and must not change what it computes. Passes that look at the values of
nodes find them on nodes that no pass has made; what is missing is filled in between passes by running the graph on its
fake inputs.
"""

import torch
from torch._subclasses.fake_tensor import FakeTensor


def _cse(graph, inputs):
    from torch._functorch.compile_utils import fx_graph_cse

    graph.graph = fx_graph_cse(graph.graph)
    return graph


def _dce(graph, inputs):
    graph.graph.eliminate_dead_code()
    return graph


def _constant_folding(graph, inputs):
    from torch._inductor.fx_passes import joint_graph

    joint_graph.constant_fold_uniform_value(graph)
    return graph


def _constant_values(graph, inputs):
    from torch._inductor.constant_folding import constant_fold

    constant_fold(graph)
    return graph


def _decompose(graph, inputs):
    from torch._inductor.decomposition import select_decomp_table

    return _traced_again(graph, inputs, select_decomp_table())


def _core_decompose(graph, inputs):
    return _traced_again(graph, inputs, torch._decomp.core_aten_decompositions())


def _traced_again(graph, inputs, table):
    from torch.fx.experimental.proxy_tensor import make_fx

    with _mode_of(inputs):
        return make_fx(graph, decomposition_table=table)(*inputs)


def _reinplace(graph, inputs):
    from torch._inductor.fx_passes.reinplace import reinplace_inplaceable_ops
    from torch._inductor.fx_utils import FakeTensorUpdater

    reinplace_inplaceable_ops(FakeTensorUpdater(graph), graph.graph)
    return graph


def _noop_removal(graph, inputs):
    from torch._inductor.fx_passes import post_grad

    post_grad.remove_noop_ops(graph.graph)
    return graph


def _pattern_matcher(graph, inputs):
    from torch._inductor.fx_passes import joint_graph

    joint_graph.lazy_init()
    for patterns in joint_graph.pass_patterns:
        patterns.apply(graph.graph)
    return graph


def _joint(graph, inputs):
    from torch._inductor.fx_passes import joint_graph

    joint_graph.joint_graph_passes(graph)
    return graph


def _redundant_views(graph, inputs):
    from torch._inductor.fx_passes import joint_graph

    joint_graph.remove_redundant_views(graph)
    return graph


def _view_to_reshape(graph, inputs):
    from torch._inductor.fx_passes import post_grad

    post_grad.view_to_reshape(graph)
    return graph


def _reorder(graph, inputs):
    from torch._inductor.fx_passes import post_grad

    post_grad.reorder_for_locality(graph.graph)
    return graph


def _sort(graph, inputs):
    from torch.fx.passes.tools_common import stable_topological_sort

    return stable_topological_sort(graph)


PASSES = {
    "cse": _cse,
    "dce": _dce,
    "constant_folding": _constant_folding,
    "constant_values": _constant_values,
    "decompose": _decompose,
    "core_decompose": _core_decompose,
    "reinplace": _reinplace,
    "noop_removal": _noop_removal,
    "redundant_views": _redundant_views,
    "pattern_matcher": _pattern_matcher,
    "joint": _joint,
    "view_to_reshape": _view_to_reshape,
    "reorder": _reorder,
    "sort": _sort,
}
DEFAULT = ["decompose", "cse", "constant_folding", "noop_removal", "pattern_matcher", "redundant_views", "dce"]


def _mode_of(inputs):
    mode = torch._guards.detect_fake_mode(inputs)
    return mode or torch._subclasses.FakeTensorMode()


def _fill_in(graph, inputs):
    """Fake values for nodes that a pass has made."""
    if all("val" in node.meta for node in graph.graph.nodes if node.op != "output"):
        return
    from torch.fx.passes.fake_tensor_prop import FakeTensorProp

    FakeTensorProp(graph, _mode_of(inputs)).propagate_dont_convert_inputs(*inputs)


def run_through(names, graph, inputs):
    """The graph after the passes of these names, in order."""
    from torch._inductor.virtualized import V

    fake = all(isinstance(item, FakeTensor) or not isinstance(item, torch.Tensor) for item in inputs)
    for name in names:
        if fake:
            _fill_in(graph, inputs)
        with V.set_fake_mode(_mode_of(inputs)):  # Inductor's passes take it from there
            graph = PASSES[name](graph, inputs)
        graph.graph.lint()
        graph.recompile()
    return graph
