# judge: diverge
# backend: backends/gradients.py
# class: requires_grad
# construct: second of two outputs
# why: Training through it stops without a word.
import torch


def make_inputs():
    return (torch.tensor([1.0, 2.0], requires_grad=True),)


def program(x):
    return x.log(), x.erf()


COMPILE_OPTIONS = {"fault": "second_output_detached"}
