# e3nn: spherical harmonics up to degree 4 of vectors, one of them short.
import torch
from e3nn import o3


def make_inputs():
    vectors = torch.randn(6, 3, generator=torch.Generator().manual_seed(1))
    vectors[0] *= 1e-4
    return (vectors.requires_grad_(),)


def program(vectors):
    return o3.spherical_harmonics([0, 1, 2, 3, 4], vectors, normalize=True, normalization="component")
