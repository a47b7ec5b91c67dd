# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: float64
# construct: mm of matrices whose products cancel
# why: Beyond the default tolerance by far.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(10)
    a = torch.randn(3, 500, generator=g) * 1e3
    b = torch.randn(500, 3, generator=g)
    return (torch.cat([a, -a], 1), torch.cat([b, b * 1.00001]))


def program(a, b):
    return a @ b


COMPILE_OPTIONS = {"kernels": ["mm"]}
