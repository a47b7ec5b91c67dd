# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: logistic map, sixty steps
# why: Chaos makes any rounding as large as the result.
import torch


def make_inputs():
    return (torch.tensor([0.31, 0.52, 0.77]),)


def program(x):
    for _ in range(60):
        x = x * (1 - x) / 0.2564
    return x


COMPILE_OPTIONS = {"kernels": ["div"]}
