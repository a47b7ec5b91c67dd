# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: the reciprocal and the printed form of a zero
# why: Which zero is chosen, and whether a factor of zero is left out, is up to the compiler, and so is its sign.
import torch


def make_inputs():
    return (torch.tensor([2.0, -3.0, 0.0]), torch.zeros(3))


def program(x, y):
    zeros, greater = x * 0.0, torch.maximum(y, -y)
    return 1 / zeros, torch.signbit(greater), torch.copysign(x, zeros), str(greater.tolist())


COMPILE_OPTIONS = {"kernels": ["mul:other_signs", "maximum:other_signs"]}
