# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: Tensor.stride of a transposed column
# why: No element lies a step further along a dimension of one; the stride along the other one is compared.
import torch


def make_inputs():
    return (torch.ones(4, 1),)


def program(x):
    y = x.t()
    return y.stride(), y.stride(1), torch.empty(0, 3).stride(0)


COMPILE_OPTIONS = {"habit": "strides_of_their_own"}
