# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: trace, eq with zero
# why: A trace is a sum of the diagonal in any order.
import torch


def make_inputs():
    x = torch.randn(20, generator=torch.Generator().manual_seed(4))
    return (torch.diag(torch.cat([x, -x])),)


def program(x):
    return x.trace() == 0


COMPILE_OPTIONS = {"kernels": ["trace"]}
