# judge: agree
# backend: backends/habits.py
# class: strides
# rule: strides
# construct: empty slice, transposed
# report: strides
# why: Nor do those of tensors without elements.
import torch


def make_inputs():
    return (torch.ones(3, 4),)


def program(x):
    return x[:, :0].t()


COMPILE_OPTIONS = {"habit": "odd_strides"}
