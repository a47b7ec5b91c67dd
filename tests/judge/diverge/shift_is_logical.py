# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: right shift of negative int32
# why: The sign is shifted in; the width is respected, so nothing is undefined.
import torch


def make_inputs():
    return (torch.tensor([-16, 16, -1], dtype=torch.int32), torch.tensor([2, 2, 3], dtype=torch.int32))


def program(x, bits):
    return torch.bitwise_right_shift(x, bits)


COMPILE_OPTIONS = {"operator": "bitwise_right_shift", "fault": "logical"}
