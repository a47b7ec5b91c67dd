# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: eq after dividing and multiplying back
# why: Whether x / 3 * 3 is x hangs on one bit.
import torch


def make_inputs():
    return (torch.linspace(0.1, 9.9, 64),)


def program(x):
    return x / 49 * 49 == x


COMPILE_OPTIONS = {"kernels": ["div"]}
