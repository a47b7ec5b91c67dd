import torch


def make_inputs():
    return (torch.arange(4.0, requires_grad=True), torch.ones(4))


def program(p, q):
    r = torch.add(p, q, alpha=2).exp()
    s = torch.add(p, q, alpha=5).exp()
    t = r - s
    return t
