# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: sin of large angles
# why: One unit in the last place of the angle is a large part of a turn.
import torch


def make_inputs():
    return (torch.linspace(1e5, 9e5, 12),)


def program(x):
    return torch.sin(x / 7)


COMPILE_OPTIONS = {"kernels": ["div"]}
