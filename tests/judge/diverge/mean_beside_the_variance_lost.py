# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: batch_norm whose running statistics are halves of one tensor
# why: They share a storage and no element, so that nothing is free; the mean is lost.
import torch


def make_inputs():
    statistics = torch.ones(2) + 0.5
    return statistics[:1], statistics[1:], torch.arange(5.0).reshape(1, 1, 5)


def program(mean, variance, x):
    return torch.nn.functional.batch_norm(x, mean, variance, training=True)


COMPILE_OPTIONS = {"fault": "first_of_two_writes_lost"}
