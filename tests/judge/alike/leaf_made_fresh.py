# judge: agree
# backend: backends/habits.py
# class: leaf
# rule: leaf
# construct: select of a non-leaf's detached value
# why: is_leaf and the view relation are free.
import torch


def make_inputs():
    return (torch.ones(2, 2, requires_grad=True),)


def program(x):
    return x.detach().select(0, 0)


COMPILE_OPTIONS = {"habit": "fresh_leaves"}
