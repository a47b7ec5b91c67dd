# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: sum of 200,000 equal numbers
# why: Added up in sixteen sums side by side, each addition rounds in the same direction.
import torch


def make_inputs():
    return (torch.full((200000,), 0.3),)


def program(x):
    return x.sum()


COMPILE_OPTIONS = {"kernels": ["sum:lanes"]}
