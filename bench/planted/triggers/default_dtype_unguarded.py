import torch


def before_call(i):
    torch.set_default_dtype(torch.float64 if i == 1 else torch.float32)


def make_inputs():
    return [(torch.ones(3),), (torch.ones(3),)]


def program(p):
    q = p + 1
    if torch.get_default_dtype() == torch.float64:
        q = q * 4
    return q
