import torch


def make_inputs():
    g = torch.Generator().manual_seed(13)
    w = torch.randn(3, 4, generator=g, requires_grad=True)
    return w, torch.randn(3, 4, generator=g), torch.randn(4, generator=g)


def program(w, x, y):
    a = w * x
    b = torch.exp(a)
    c = b + y
    mask = c > 0
    d = torch.where(mask, c, x)
    e = x - y
    f = e.abs()
    g = d.relu()
    with torch.no_grad():
        h = w + 1
        i = h * 2
    k = torch.log1p(f)
    return g.sum(), f, i, k
