# judge: agree
# backend: backends/habits.py
# class: identity
# rule: identity
# construct: two equal outputs
# why: Two equal results come as one tensor.
import torch


def make_inputs():
    return (torch.tensor([1.0, 2.0]),)


def program(x):
    return x * 2, x + x


COMPILE_OPTIONS = {"habit": "one_memory_for_equal_outputs"}
