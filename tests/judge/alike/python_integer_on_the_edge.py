# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: int() of items, added in Python
# why: A Python integer that hangs on one bit.
import torch


def make_inputs():
    return (torch.arange(1.0, 100) * 0.01,)


def program(x):
    return sum(int(v) for v in (x / 0.01).tolist())


COMPILE_OPTIONS = {"kernels": ["div"]}
