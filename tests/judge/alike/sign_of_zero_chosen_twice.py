# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: a zero that two operators choose
# why: After any number of choices its sign is as free as after one.
import torch


def make_inputs():
    return (torch.arange(64.0) - 32,)


def program(x):
    zeros = x * 0.0
    return 1 / torch.maximum(zeros, zeros)


COMPILE_OPTIONS = {"kernels": ["maximum:other_signs"]}
