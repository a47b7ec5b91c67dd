# judge: unstable
# backend: backends/wrong_kernels.py
# class: value
# rule: eager_differs
# construct: empty, read
# why: What nobody has written holds anything; mostly the same twice, so the second run gets other memory.
import torch


def make_inputs():
    return (torch.ones(64, dtype=torch.uint8),)


def program(x):
    return torch.empty(64, dtype=torch.uint8).bitwise_xor(x)


COMPILE_OPTIONS = {"operator": "bitwise_xor", "fault": "plus_one"}
