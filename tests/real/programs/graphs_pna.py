# torch-geometric: principal neighbourhood aggregation: mean, minimum, maximum and standard deviation of segments.
import torch
from torch_geometric.nn import PNAConv

torch.manual_seed(0)
program = PNAConv(5, 4, aggregators=["mean", "min", "max", "std"], scalers=["identity", "amplification", "attenuation"],
                  deg=torch.tensor([0, 2, 3, 3]))


def make_inputs():
    g = torch.Generator().manual_seed(1)
    edges = torch.randint(0, 8, (2, 24), generator=g)
    return torch.randn(8, 5, generator=g).requires_grad_(), edges
