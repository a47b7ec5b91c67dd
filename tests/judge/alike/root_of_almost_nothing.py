# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: sqrt of a difference that should be zero
# why: NaN or zero, as rounding has it.
import torch


def make_inputs():
    return (torch.arange(1.0, 60),)


def program(x):
    return (x / 7 * 7 - x).sqrt()


COMPILE_OPTIONS = {"kernels": ["div"]}
