# nflows: an autoregressive flow with spline steps, and its inverse.
import torch
from nflows.transforms import CompositeTransform, ReversePermutation
from nflows.transforms.autoregressive import (MaskedAffineAutoregressiveTransform,
                                              MaskedPiecewiseRationalQuadraticAutoregressiveTransform)

torch.manual_seed(0)
flow = CompositeTransform([
    MaskedAffineAutoregressiveTransform(4, 8), ReversePermutation(4),
    MaskedPiecewiseRationalQuadraticAutoregressiveTransform(4, 8, num_bins=5, tails="linear", tail_bound=3.0)])


def make_inputs():
    return (torch.randn(5, 4, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(x):
    z, volume = flow(x)
    back, _ = flow.inverse(z)
    return z, volume, back
