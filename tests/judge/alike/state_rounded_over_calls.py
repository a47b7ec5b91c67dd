# judge: agree
# backend: backends/other_kernels.py
# class: state_after
# rule: tolerance
# construct: running average kept in an argument, three calls
# why: State carries the rounding from call to call.
import torch


def make_inputs():
    kept = torch.zeros(5)
    return [(kept, torch.linspace(0.1, 2, 5) + i) for i in range(3)]


def program(kept, x):
    kept.mul_(0.9).add_(x / 7)
    return kept.norm()


COMPILE_OPTIONS = {"kernels": ["div"]}
