import torch

pending = [1, 2]


def program():
    q = torch.ones(2) * len(pending)
    pending.clear()
    return q
