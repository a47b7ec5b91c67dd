# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: reciprocal of a difference of nearly equal numbers
# why: Infinite or a few millions.
import torch


def make_inputs():
    return (torch.arange(1.0, 40),)


def program(x):
    return 1 / torch.abs(x * 0.1 - x / 10)


COMPILE_OPTIONS = {"kernels": ["div"]}
