# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: sign of a difference that should be zero
# why: -1, 0 or 1, as rounding has it.
import torch


def make_inputs():
    return (torch.arange(1.0, 40),)


def program(x):
    return torch.sign(x / 7 * 7 - x)


COMPILE_OPTIONS = {"kernels": ["div"]}
