import torch


def program(x, y):
    total = x * 2
    if total.sum() > 0:
        total = total + y
    return torch.relu(total)


def make_inputs():
    g = torch.Generator().manual_seed(3)
    return torch.rand(2, 3, generator=g), torch.ones(2, 3)
