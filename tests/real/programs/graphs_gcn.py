# torch-geometric: a convolution on a graph with repeated edges.
import torch
from torch_geometric.nn import GCNConv

torch.manual_seed(0)
program = GCNConv(5, 4)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    edges = torch.randint(0, 8, (2, 24), generator=g)
    return torch.randn(8, 5, generator=g).requires_grad_(), edges
