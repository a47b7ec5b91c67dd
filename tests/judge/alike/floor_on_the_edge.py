# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: floor of a quotient that is nearly an integer
# why: x / 0.3 and x * (1 / 0.3) fall on different sides.
import torch


def make_inputs():
    return (torch.arange(1.0, 50) * 0.3,)


def program(x):
    return torch.floor(x / 0.3)


COMPILE_OPTIONS = {"kernels": ["div"]}
