# judge: agree or unstable
# backend: backends/other_kernels.py
# class: shape
# rule: monte_carlo
# construct: masked selection, whose size hangs on rounding
# why: The number of rows differs.
import torch


def make_inputs():
    return (torch.arange(1.0, 50) * 0.3,)


def program(x):
    y = x / 0.3
    return x[y >= torch.arange(1.0, 50)]


COMPILE_OPTIONS = {"kernels": ["div"]}
