"""A compiler whose graph passes are wrong in one of MT-DLComp's four ways; CHAIN_FAULT names the fault.

Between AOTAutograd and running, each graph goes through the passes of PASSES. Each is a name for one job and does nothing,
unless the fault is planted in it. The switch `no_NAME` leaves a pass out, which is how the pass at fault is found.
Faults are planted in what chains of garbage insert, so that the model itself compiles correctly.

| fault | pass | root cause |
|---|---|---|
| live_relu | dead_code | dead-code elimination drops a live node: relu of a difference |
| live_mask | dead_code | the same: a mask that keeps garbage out |
| viewed_buffer | buffers | a product is written over a factor that only views of it are read of later |
| short_lifetime | memory_plan | two buffers overlap: one is taken for free after its first reader |
| layout_in_place | layout | a channel-wise convolution's input is laid out anew in place, though others read it |
"""

import os

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

aten = torch.ops.aten
VIEWS = (aten.view.default, aten._unsafe_view.default, aten.permute.default, aten.transpose.int, aten.t.default,
         aten.slice.Tensor, aten.select.int, aten.expand.default, aten.unsqueeze.default, aten.squeeze.dim,
         aten.alias.default, aten.detach.default)


def is_node(value, *targets):
    return isinstance(value, torch.fx.Node) and value.target in targets


def like(one, other):
    one, other = one.meta["val"], other.meta["val"]
    return one.shape == other.shape and one.dtype == other.dtype and one.is_contiguous() and other.is_contiguous()


def calls(graph):
    return [node for node in graph.graph.nodes if node.op == "call_function"]


def order_of(graph):
    return {node: number for number, node in enumerate(graph.graph.nodes)}


def drop(node, kept):
    node.replace_all_uses_with(kept)
    node.graph.erase_node(node)


def live_relu(graph):
    for node in calls(graph):
        if is_node(node, aten.relu.default) and is_node(node.args[0], aten.sub.Tensor):
            if is_node(node.args[0].args[0], aten.abs.default):
                drop(node, node.args[0])


def live_mask(graph):
    for node in calls(graph):
        if not is_node(node, aten.where.self) or not is_node(node.args[0], aten.le.Scalar, aten.all.default):
            continue
        zero, garbage = node.args[1:]
        if isinstance(zero, torch.fx.Node) and zero.meta["val"].dim() == 0 and garbage.meta["val"].shape == node.meta["val"].shape:
            drop(node, garbage)


def viewed_buffer(graph):
    order = order_of(graph)
    for node in calls(graph):
        factor = node.args[0] if is_node(node, aten.mul.Tensor) else None
        if not isinstance(factor, torch.fx.Node) or factor.op != "call_function" or factor.target in VIEWS:
            continue
        # Forgotten: that views of the factor are read later.
        direct = [user for user in factor.users if user.target not in VIEWS]
        if like(factor, node) and all(order[user] <= order[node] for user in direct):
            node.target = aten.mul_.Tensor


def short_lifetime(graph):
    order = order_of(graph)
    taken = set()
    for node in calls(graph):
        if not is_node(node, aten.add.Tensor) or not any(is_node(item, aten.mul.Tensor) for item in node.args):
            continue
        readers = sorted(node.users, key=order.get)
        for later in calls(graph):
            # Taken for free after its first reader.
            if len(readers) < 2 or not order[readers[0]] < order[later] < order[readers[-1]] or later in taken:
                continue
            if is_node(later, aten.mul.Tensor, aten.convolution.default) and like(node, later):
                taken.add(later)
                with graph.graph.inserting_after(later):
                    graph.graph.call_function(aten.copy_.default, (node, later))
                break


def layout_in_place(graph):
    for node in calls(graph):
        given = node.args[0] if is_node(node, aten.convolution.default) else None
        if given is None or given.op != "call_function" or len(given.users) < 2 or given.target in VIEWS:
            continue
        shape = given.meta["val"].shape
        if node.args[8] != shape[1] or len(shape) != 4 or node.args[8] < 2 or not is_node(node.args[1], aten.repeat.default):
            continue
        with graph.graph.inserting_after(node):
            moved = graph.graph.call_function(aten.permute.default, (given, (0, 2, 3, 1)))
        with graph.graph.inserting_after(moved):
            copied = graph.graph.call_function(aten.clone.default, (moved,), {"memory_format": torch.contiguous_format})
        with graph.graph.inserting_after(copied):
            flat = graph.graph.call_function(aten.reshape.default, (copied, tuple(shape)))
        with graph.graph.inserting_after(flat):
            graph.graph.call_function(aten.copy_.default, (given, flat))


PASSES = {"dead_code": (live_relu, live_mask), "layout": (layout_in_place,), "buffers": (viewed_buffer,),
          "memory_plan": (short_lifetime,)}


def compile(fn, off=(), **options):
    planted = os.environ.get("CHAIN_FAULT", "")

    def compile_graph(graph, inputs):
        for name, faults in PASSES.items():
            for fault in faults:
                if name not in off and fault.__name__ == planted:
                    fault(graph)
                    graph.graph.lint()
        graph.recompile()
        return make_boxed_func(graph)

    return torch.compile(fn, backend=aot_autograd(fw_compiler=compile_graph), **options)


SWITCHES = {f"no_{name}": {"off": [name]} for name in PASSES}
