# Inductor: a float tensor times the integer 0 is 0 where it is nan or infinite.
# link: https://github.com/pytorch/pytorch/pull/186281
# signature: 3778c2a4f89874be v7 value inductor
# pattern: kind=value; backend=inductor
# avoid: exec("import torch._inductor.fx_passes.joint_graph as joint_graph\nplain = joint_graph.UniformValueConstantFolder._add_peephole_patterns\ndef exact(self):\n    plain(self)\n    for node in list(self.node_replacements):\n        dtype = node.meta[\"val\"].dtype\n        if dtype.is_floating_point or dtype.is_complex:\n            for table in (self.node_replacements, self.node_replacements_shapes, self.constant_data_ptrs):\n                table.pop(node, None)\njoint_graph.UniformValueConstantFolder._add_peephole_patterns = exact", {})
# here: 2.13.0
# gone: 2.15.0
# state: open
# A pass over the graph replaces the product by a tensor of zeros without asking for the dtype. -1 * 0 is 0 then, too, not -0.
# 0.0 is not replaced. The pull request, closed, skips floats and complex numbers, as the avoid line does.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([float("nan"), float("inf"), 1.0]),)


def program(x):
    return x * 0


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown, equal_nan=True) else 1)
