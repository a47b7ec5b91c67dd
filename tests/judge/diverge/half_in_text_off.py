# judge: diverge
# backend: backends/effects.py
# class: value
# construct: str of a float16 tensor
# why: The number is farther off than half precision loses.
import torch


def make_inputs():
    return (torch.tensor([10.1, 300.3]),)


def program(x):
    return str(x.half() * 1.1)


COMPILE_OPTIONS = {"fault": "halves_off"}
