# judge: agree
# backend: backends/habits.py
# class: value
# rule: node_names
# construct: the text of a double tensor that requires a gradient
# why: The line is broken before the name of autograd's node if the name is long; the compiler's has another length.
import torch


def make_inputs():
    return (torch.arange(1, 6, dtype=torch.float64, requires_grad=True),)


def program(x):
    y = x * 2 + 1
    print(y)
    return y, repr([y, y])


def lean(x):
    y = (x * 2 + 1).as_strided((5,), (1,))
    print(y)
    return y, repr([y, y])


COMPILE_OPTIONS = {"habit": "other_order"}
