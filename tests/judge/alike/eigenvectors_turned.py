# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: eigenvectors
# construct: eigh
# why: Eigenvectors are known up to their sign.
import torch


def make_inputs():
    return (torch.tensor([[2.0, 1.0], [1.0, 3.0]]),)


def program(a):
    return torch.linalg.eigh(a)


COMPILE_OPTIONS = {"kernels": ["_linalg_eigh"]}
