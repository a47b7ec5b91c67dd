# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: float16 near its largest number
# why: Overflow where eager and every higher precision stay finite.
import torch


def make_inputs():
    return (torch.tensor([100.0, 2.0], dtype=torch.float16),)


def program(x):
    return x * 8.0


COMPILE_OPTIONS = {"operator": "mul", "fault": "overflows"}
