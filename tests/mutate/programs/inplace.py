import torch


def make_inputs():
    g = torch.Generator().manual_seed(5)
    base = torch.randn(4, 6, generator=g)
    return base, base[1:3], torch.arange(12).reshape(3, 4), torch.zeros(0, 3)


def program(x, y, k, z):
    a = x.clone()
    b = a.view(-1)
    b[0] = 7.0
    a.add_(1)
    c = y * 2
    y.mul_(0.5)
    d = k[:, 1]
    d.fill_(3)
    k[0, 0] = 9
    e = k + 1
    f = z * 2
    h = torch.relu(a)
    h[1] = c[0]
    m = x.sum()
    q = a.detach()
    q.zero_()
    return a, c, d, e, f, h, m
