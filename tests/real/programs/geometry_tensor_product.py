# e3nn: a fully connected tensor product with a gate of squared norms.
import torch
from e3nn import o3

torch.manual_seed(0)
product = o3.FullyConnectedTensorProduct("4x0e + 3x1o", "1x0e + 1x1o + 1x2e", "3x0e + 2x1o")
norms = o3.Norm("3x0e + 2x1o", squared=True)


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return torch.randn(5, 13, generator=g).requires_grad_(), torch.randn(5, 9, generator=g)


def program(features, directions):
    answer = product(features, directions)
    return answer, norms(answer)
