# judge: agree
# backend: backends/other_kernels.py
# class: state_after
# rule: text
# construct: print of a mean
# why: So are they in what is printed.
import torch


def make_inputs():
    return (torch.linspace(0.1, 3, 77).reshape(7, 11),)


def program(x):
    print(x.mean(1).tolist())
    return x.shape


COMPILE_OPTIONS = {"kernels": ["mean"]}
