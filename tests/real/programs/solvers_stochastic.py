# torchsde: a stochastic equation driven by a path that is drawn beforehand.
import torch
import torchsde


class Path(torchsde.BaseBrownian):
    def __init__(self, points):
        super().__init__()
        self.points = points

    def __call__(self, ta, tb=None, return_U=False, return_A=False):
        return self.points[int(round(float(tb) * 10))] - self.points[int(round(float(ta) * 10))]

    def __repr__(self):
        return "Path"

    shape = property(lambda self: self.points.shape[1:])
    dtype = property(lambda self: self.points.dtype)
    device = property(lambda self: self.points.device)
    levy_area_approximation = "none"


class Equation:
    noise_type, sde_type = "diagonal", "ito"

    def f(self, t, y):
        return torch.sin(t) - y

    def g(self, t, y):
        return 0.3 * torch.sigmoid(y)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(3, 2, generator=g).requires_grad_(), torch.randn(11, 3, 2, generator=g).cumsum(0) * 0.3


def program(start, points):
    return torchsde.sdeint(Equation(), start, torch.tensor([0.0, 0.5, 1.0]), bm=Path(points), method="milstein", dt=0.1)
