import torch


def make_inputs():
    return (torch.ones(2, 3), torch.tensor([0, 4]))


def program(p, q):
    r = p.exp().view(6)
    s = r.index_put((q,), torch.tensor(9.0))
    t = r.view(2, 3).sum(0)
    return s, t
