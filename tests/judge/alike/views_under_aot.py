# judge: agree
# backend: aot_eager
# class: leaf
# rule: identity
# construct: narrow, then unbind, with gradients
# why: Torch's own compiler gives other view relations.
import torch


def make_inputs():
    return (torch.ones(3, 4, requires_grad=True),)


def program(x):
    return x, x.narrow(0, 1, 2).unbind(0)
