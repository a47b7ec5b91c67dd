import torch


def before_call(i):
    torch.use_deterministic_algorithms(i == 1, warn_only=True)


def make_inputs():
    return [(torch.ones(3),), (torch.ones(3),)]


def program(p):
    q = p + 1
    if torch.are_deterministic_algorithms_enabled():
        q = q * 4
    return q
