"""A compiler with faults in pairs that look alike: the backend `planted:compile`.

A pair has one operator, message and place. The first of it, which a known bug stands for, shows in a program that calls
the operator and `neg`; the second, another bug, in one that calls the operator and `abs`. PLANTED_OFF names operators
whose first fault is off: what a known bug's avoid line sets. The first fault of `erf` is mended.
"""

import os

import torch


def refuses(fn, arguments):
    raise ValueError("planted: the kernel can't be loaded")


def lacks(fn, arguments):
    raise TypeError("planted: the table has no such entry")


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        return 2 * gradient


def written(fn, arguments):
    output = fn(*arguments)
    with torch.no_grad():
        arguments[0].add_(1)
    return output


EFFECTS = {
    "exp": refuses,
    "erf": lacks,
    "tanh": lambda fn, arguments: fn(*arguments) + 1,
    "sign": lambda fn, arguments: fn(*arguments) + 1,
    "sqrt": lambda fn, arguments: fn(*arguments).double(),
    "relu": lambda fn, arguments: fn(*arguments).unsqueeze(0),
    "sigmoid": lambda fn, arguments: fn(*arguments).detach(),
    "square": written,
    "cosh": lambda fn, arguments: Twice.apply(fn(*arguments)),
}


def compile(fn, **options):
    names = set(fn.__code__.co_names)
    off = os.environ.get("PLANTED_OFF", "").split() + ["erf"]
    # In both faults of a pair the same line fails.
    faulty = [one for one in (*EFFECTS, "sin") if one in names and ("abs" in names or "neg" in names and one not in off)]
    if "sin" in faulty:
        raise RuntimeError("planted: the node can't be lowered")

    def compiled(*arguments):
        return EFFECTS[faulty[0]](fn, arguments) if faulty else fn(*arguments)

    return compiled
