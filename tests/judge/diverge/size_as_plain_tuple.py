# judge: diverge
# backend: backends/effects.py
# class: structure
# construct: torch.Size of an expanded tensor
# why: The program gives torch.Size, which has numel().
import torch


def make_inputs():
    return (torch.ones(1, 4),)


def program(x):
    return x.expand(3, 4).size()


COMPILE_OPTIONS = {"fault": "tuples_for_sizes"}
