# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: fmod of a multiple
# why: Nothing or nearly a whole divisor is left.
import torch


def make_inputs():
    return (torch.arange(1.0, 40) * 0.3,)


def program(x):
    return torch.fmod(x / 0.3, 1.0)


COMPILE_OPTIONS = {"kernels": ["div"]}
