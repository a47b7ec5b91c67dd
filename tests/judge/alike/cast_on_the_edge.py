# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: cast to int64 of nearly whole numbers
# why: 28.999998 becomes 28, 29 stays.
import torch


def make_inputs():
    return (torch.arange(1.0, 100) * 0.01,)


def program(x):
    return (x / 0.01).to(torch.int64)


COMPILE_OPTIONS = {"kernels": ["div"]}
