# pyro: densities built on gamma functions and their logarithms, far out in the tails.
import pyro.distributions as dist
import torch


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return (torch.rand(6, generator=g) * 5 + 0.1).requires_grad_(), (torch.rand(6, generator=g) * 9 + 0.1).requires_grad_()


def program(rate, shape):
    counts = torch.tensor([0.0, 1.0, 3.0, 10.0, 40.0, 200.0])
    return (dist.GammaPoisson(shape, rate).log_prob(counts), dist.BetaBinomial(rate, shape, 300).log_prob(counts),
            dist.StudentT(shape, rate).log_prob(counts), dist.VonMises(rate, shape).log_prob(counts / 64),
            dist.Stable(torch.full((6,), 1.5), torch.full((6,), 0.2)).log_prob(rate))
