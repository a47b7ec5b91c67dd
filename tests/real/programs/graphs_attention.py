# torch-geometric: attention over neighbours, a softmax over segments.
import torch
from torch_geometric.nn import GATv2Conv

torch.manual_seed(0)
program = GATv2Conv(5, 4, heads=2)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    edges = torch.randint(0, 8, (2, 24), generator=g)
    return torch.randn(8, 5, generator=g).requires_grad_(), edges
