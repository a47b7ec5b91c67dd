# Inductor: part of an argument that is overwritten with a copy of another part is read while it is written.
# link: https://github.com/pytorch/pytorch/issues/197829
# signature: 264920e30c6447c7 v7 value inductor
# pattern: kind=state_after; backend=inductor
# pattern: kind=value; backend=inductor
# avoid: exec("import dataclasses, torch\nfrom torch._inductor.fx_passes import reinplace\nfrom torch._inductor.fx_utils import get_node_storage\nfrom torch.utils import _pytree\ndef apart(check):\n    def checked(node):\n        written = get_node_storage(node.args[0]) if isinstance(node.args[0], torch.fx.Node) else None\n        read = [get_node_storage(one) for one in _pytree.tree_leaves(node.args[1:]) if isinstance(one, torch.fx.Node)]\n        return (written is None or written not in read) and check(node)\n    return checked\nfor op in (reinplace._generalized_scatter, torch.ops.aten.index_put.default, torch.ops.aten._unsafe_index_put.default):\n    made = reinplace.inplaceable_ops[op]\n    reinplace.inplaceable_ops[op] = dataclasses.replace(made, extra_check=apart(made.extra_check))", {})
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# So for x[1:] = x[:-1].clone(), as_strided and an index. As the graph is functional, Inductor drops the clone. Then it
# writes in place, and asks only whether what it writes to is read later. The avoid line asks what the operator itself
# reads, too. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(3.0),)


def program(x):
    x[1:].copy_(x[:-1].clone())
    return x


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
