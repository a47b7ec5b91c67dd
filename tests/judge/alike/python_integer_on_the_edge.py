# judge: unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: int() of a tensor's item
# why: A Python integer that hangs on one bit.
import torch


def make_inputs():
    return (torch.tensor(8.7),)


def program(x):
    return int((x / 0.3).item()), int((x * 100 / 29).item() * 1.0)


COMPILE_OPTIONS = {"kernels": ["div"]}
