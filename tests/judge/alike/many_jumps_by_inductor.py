# judge: agree or unstable
# backend: inductor
# class: value
# rule: monte_carlo
# construct: hundreds of comparisons that the last bit decides
# why: Of so many jumps twelve runs with moved roundings miss some.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(77)
    return (torch.randn(2000, generator=g),)


def program(x):
    return (x.tanh().atanh() > x).float(), (x.exp().log() == x)
