# kornia: a perspective warp whose matrix is found from four pairs of points.
import kornia
import torch


def make_inputs():
    corners = torch.tensor([[[0.0, 0.0], [7.0, 0.0], [7.0, 5.0], [0.0, 5.0]]])
    shift = torch.tensor([[[0.4, 0.2], [-0.3, 0.5], [0.1, -0.6], [0.3, 0.2]]])
    image = torch.rand(1, 2, 6, 8, generator=torch.Generator().manual_seed(1))
    return image.requires_grad_(), corners, (corners + shift).requires_grad_()


def program(image, corners, moved):
    matrix = kornia.geometry.get_perspective_transform(corners, moved)
    return matrix, kornia.geometry.warp_perspective(image, matrix, (6, 8))
