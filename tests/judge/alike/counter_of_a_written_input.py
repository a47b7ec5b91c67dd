# judge: agree
# backend: aot_eager
# class: version
# rule: version
# construct: zero_ and add_ in a row, under AOTAutograd
# why: Two writes become one copy.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    x.zero_()
    x.add_(2)
    return x.sum()
