# judge: agree
# backend: backends/habits.py
# class: value
# rule: node_names
# construct: the text of a tensor that requires a gradient
# why: It names the node of autograd that computed the tensor, of which the compiler has its own.
import torch


def make_inputs():
    return (torch.ones(2, requires_grad=True),)


def program(x):
    y = x.sin() * 2
    print(y)
    return y, repr(y)


def lean(x):
    y = x.sin() + x.sin()
    print(y)
    return y, repr(y)


COMPILE_OPTIONS = {"habit": "other_order"}
