# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: other_choices
# construct: float to int32 under inference_mode
# why: There operators arrive whole that are made of others.
import torch


def make_inputs():
    return (torch.tensor([3e9, 9.0]),)


def program(x):
    with torch.inference_mode():
        return x.to(torch.int32) // 3


COMPILE_OPTIONS = {"kernels": ["_to_copy"]}
