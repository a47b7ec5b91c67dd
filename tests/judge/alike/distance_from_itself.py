# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: cdist of forty rows, its diagonal
# why: By products of matrices it is the root of a unit of the squares.
import torch


def make_inputs():
    return (torch.randn(40, 8, generator=torch.Generator().manual_seed(4)),)


def program(x):
    return torch.cdist(x, x).diagonal()


COMPILE_OPTIONS = {"kernels": ["_euclidean_dist"]}
