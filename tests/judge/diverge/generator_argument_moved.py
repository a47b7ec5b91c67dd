# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: torch.Generator among the arguments
# why: The caller's generator has moved once too often.
import torch


def make_inputs():
    return (torch.ones(2), torch.Generator().manual_seed(3))


def program(x, generator):
    return x + torch.rand(2, generator=generator)


COMPILE_OPTIONS = {"fault": "generators_moved"}
