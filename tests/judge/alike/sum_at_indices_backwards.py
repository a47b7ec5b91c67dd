# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: index_add of numbers beyond 2**24, as integers
# why: At that size the order of adding decides.
import torch


def make_inputs():
    return (torch.tensor([0, 0, 0, 0]), torch.tensor([2.0**24, 1.0, 1.0, 1.0]))


def program(index, x):
    return torch.zeros(1).index_add(0, index, x).long()


COMPILE_OPTIONS = {"kernels": ["index_add"]}
