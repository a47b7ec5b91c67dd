# AOTAutograd: a checkpointed function with a random operator does not compile in a graph without gradients.
# link: unreported
# signature: 5ba75718e30360cb v7 compiler_error aot_eager
# pattern: kind=compiler_error; frame=does not support RNG ops
# avoid: import torch._functorch.aot_autograd, torch._functorch._activation_checkpointing.remat_using_tags_for_fwd_loss_bwd_graph_pass as g; g.remat_using_tags_for_fwd_loss_bwd_graph = (lambda plain: lambda gm: plain(gm) if any(node.meta.get("autograd_backward") or node.meta.get("custom", {}).get("phase") == "backward" for node in gm.graph.nodes) else gm)(g.remat_using_tags_for_fwd_loss_bwd_graph)
# here: 2.13.0, 2.15.0
# state: open
# "rematerialization in `forward-loss-backward` graph does not support RNG ops in recompute regions": the pass asks for random
# operators before it asks whether the graph has a backward. So a forward in training mode under no_grad, with dropout in a
# checkpointed block, is refused; where an argument requires a gradient it compiles. rrelu counts as random outside of training,
# too. Found by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
    from torch.utils.checkpoint import checkpoint
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return checkpoint(torch.nn.functional.rrelu, x, use_reentrant=False)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
