# judge: agree
# backend: backends/habits.py
# class: strides
# rule: strides
# construct: unsqueeze, strides of size-1 dimensions
# report: strides
# why: They never count, not even when strides are reported.
import torch


def make_inputs():
    return (torch.arange(4.0),)


def program(x):
    return x.unsqueeze(0).unsqueeze(2) + 1


COMPILE_OPTIONS = {"habit": "odd_strides"}
