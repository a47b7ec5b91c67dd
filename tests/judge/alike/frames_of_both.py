# judge: agree
# backend: aot_eager
# class: error_class
# rule: both_raise
# construct: raise inside a helper function
# why: Other frames, the same exception.
import torch


def make_inputs():
    return (torch.ones(2),)


def check(x):
    if x.dim() != 2:
        raise TypeError("a matrix is needed")


def program(x):
    y = x + 1
    check(y)
    return y
