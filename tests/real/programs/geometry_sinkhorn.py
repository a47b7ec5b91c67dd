# geomloss: a Sinkhorn divergence between two small clouds of points.
import torch
from geomloss import SamplesLoss

loss = SamplesLoss("sinkhorn", p=2, blur=0.2, backend="tensorized")


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(6, 2, generator=g).requires_grad_(), torch.randn(7, 2, generator=g).requires_grad_()


def program(x, y):
    return loss(x, y)
