# judge: agree or unstable
# backend: backends/other_kernels.py
# class: gradient
# rule: monte_carlo
# construct: gradient through an iterated quadratic map
# why: The gradient grows with every step, and its error with it.
import torch


def make_inputs():
    return (torch.tensor([0.1, 0.2], requires_grad=True),)


def program(x):
    for _ in range(25):
        x = 1 - x * x / 0.53
    return x


COMPILE_OPTIONS = {"kernels": ["div"]}
