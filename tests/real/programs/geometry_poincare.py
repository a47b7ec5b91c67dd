# geoopt: distances and exponential maps in the Poincare ball, with a point near its border.
import geoopt
import torch

ball = geoopt.PoincareBall(c=1.0)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    points = torch.randn(5, 3, generator=g) * 0.3
    points[0] = torch.tensor([0.999, 0.03, 0.0])
    return points.requires_grad_(), torch.randn(5, 3, generator=g).requires_grad_()


def program(points, tangents):
    moved = ball.expmap(points, tangents)
    return moved, ball.dist(points, moved), ball.logmap(points, moved)
