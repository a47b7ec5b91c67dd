# geoopt: the hyperboloid: projection, parallel transport, distance from the origin.
import geoopt
import torch

space = geoopt.Lorentz()


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(4, 4, generator=g).requires_grad_(), torch.randn(4, 4, generator=g).requires_grad_()


def program(x, y):
    a, b = space.projx(x), space.projx(y)
    return a, space.dist(a, b), space.dist0(a), space.logmap0(b)
