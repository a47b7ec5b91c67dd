# pyro: log-probability of a discrete hidden Markov model.
import pyro.distributions as dist
import torch


def make_inputs():
    g = torch.Generator().manual_seed(1)
    return (torch.randn(4, generator=g).requires_grad_(), torch.randn(4, 4, generator=g).requires_grad_(),
            torch.randn(4, generator=g).requires_grad_(), torch.randn(9, generator=g))


def program(start, step, means, data):
    return dist.DiscreteHMM(start, step, dist.Normal(means, 0.7), duration=9).log_prob(data)
