# torch-geometric: the interaction block of SchNet on pair distances.
import torch
from torch_geometric.nn.models.schnet import GaussianSmearing, InteractionBlock

torch.manual_seed(0)
smear = GaussianSmearing(0.0, 5.0, 10)
block = InteractionBlock(8, 10, 8, 5.0)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    edges = torch.tensor([(i, j) for i in range(6) for j in range(6) if i != j]).t().contiguous()
    return torch.randn(6, 8, generator=g), torch.randn(6, 3, generator=g).requires_grad_(), edges


def program(features, positions, edges):
    distances = (positions[edges[0]] - positions[edges[1]]).norm(dim=-1)
    return block(features, edges, distances, smear(distances))
