import torch


def make_inputs():
    return (torch.ones(2, 3),)


def program(p):
    r = p + 1
    s = torch.cos(r)
    r = r * 2

    def f():
        return torch.sin(r)

    return f() + s
