# kornia: a homography by direct linear transform over ten weighted points (a singular value decomposition).
import kornia
import torch


def make_inputs():
    g = torch.Generator().manual_seed(1)
    points = torch.rand(1, 10, 2, generator=g) * 10
    noise = torch.randn(1, 10, 2, generator=g) * 0.1
    return points, (points @ torch.tensor([[1.0, 0.2], [-0.1, 0.9]]) + 2 + noise), torch.ones(1, 10)


def program(one, other, weights):
    return kornia.geometry.find_homography_dlt(one, other, weights)
