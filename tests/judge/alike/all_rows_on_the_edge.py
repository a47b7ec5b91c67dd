# judge: agree or unstable
# backend: backends/other_kernels.py
# class: exact
# rule: monte_carlo
# construct: sum of seventeen, division, all()
# why: Each row is a few units below the threshold in one order and above it in another; all of them must be.
import torch


def make_inputs():
    return (torch.full((6, 17), 0.3),)


def program(x):
    return (x.sum(1) / 17 >= 0.3).all()


COMPILE_OPTIONS = {"kernels": ["sum"]}
