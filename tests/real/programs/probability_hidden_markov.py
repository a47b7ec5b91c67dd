# pyro: log-probability of a Gaussian hidden Markov model, by a scan of matrix products.
import pyro.distributions as dist
import torch
from torch.distributions import MultivariateNormal


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return (torch.randn(7, 2, generator=g).requires_grad_(), (torch.randn(3, 3, generator=g) * 0.3).requires_grad_(),
            torch.randn(3, 2, generator=g).requires_grad_())


def program(data, step, shown):
    start = MultivariateNormal(torch.zeros(3), torch.eye(3))
    drift = MultivariateNormal(torch.zeros(3), 0.5 * torch.eye(3))
    blur = MultivariateNormal(torch.zeros(2), 0.1 * torch.eye(2))
    return dist.GaussianHMM(start, step, drift, shown, blur, duration=7).log_prob(data)
