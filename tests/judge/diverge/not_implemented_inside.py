# judge: diverge
# backend: backends/ends.py
# class: compiler_error
# construct: kron
# why: It sounds like a refusal, but no table declares it.
import torch


def make_inputs():
    return (torch.eye(2), torch.ones(2, 1))


def program(a, b):
    return torch.kron(a, b)


COMPILE_OPTIONS = {"fault": "not_implemented"}
