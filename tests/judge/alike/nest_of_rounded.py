# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: a nest of tensors that differ by rounding
# why: Every leaf of the nest is rounded.
import torch


def make_inputs():
    return (torch.linspace(1, 9, 20),)


def program(x):
    return {"a": [x / 3, (x / 7, None)], 4: "text"}


COMPILE_OPTIONS = {"kernels": ["div"]}
