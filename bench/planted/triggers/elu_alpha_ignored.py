import torch


def make_inputs():
    return (torch.tensor([-1.5, 0.5, -0.25, 2.0]),)


def program(p):
    q = p * 2
    r = torch.nn.functional.elu(q, alpha=0.3)
    return r
