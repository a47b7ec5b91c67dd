# judge: agree or unstable
# backend: backends/other_kernels.py
# class: shape
# rule: monte_carlo
# construct: unique of quotients
# why: Equal or not by one bit, and so the number of rows.
import torch


def make_inputs():
    t = torch.arange(1.0, 40)
    return (torch.cat([t * 0.7, t]), torch.cat([torch.full((39,), 0.7), torch.ones(39)]))


def program(x, y):
    return torch.unique(x / y)


COMPILE_OPTIONS = {"kernels": ["div"]}
