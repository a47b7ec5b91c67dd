# judge: agree or unstable
# backend: backends/other_kernels.py
# class: nonfinite
# rule: monte_carlo
# construct: sum of the largest numbers of both signs
# why: In one order an infinity is met, in another the sum is finite.
import torch


def make_inputs():
    return (torch.tensor([3e38] * 20 + [-3e38] * 20 + [1.0] * 9).reshape(7, 7),)


def program(x):
    return x.sum(0)


COMPILE_OPTIONS = {"kernels": ["sum"]}
