# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: exact
# construct: topk with ties
# why: Nor which of equals is named.
import torch


def make_inputs():
    return (torch.tensor([5.0, 7.0, 7.0, 1.0, 7.0]),)


def program(x):
    return x.topk(2)


COMPILE_OPTIONS = {"kernels": ["topk"]}
