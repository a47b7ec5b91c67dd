# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: buffer of a module, BatchNorm1d
# why: The running statistics stay as they were.
import torch

program = torch.nn.BatchNorm1d(3)


def make_inputs():
    return (torch.arange(12.0).reshape(4, 3),)


COMPILE_OPTIONS = {"fault": "buffers_kept"}
