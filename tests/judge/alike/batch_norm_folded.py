# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: batch_norm in evaluation, scale and shift folded
# why: Inference folds four vectors into two.
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6)
    return tuple(torch.rand(*s, generator=g) + 0.2 for s in ((2, 3, 4, 4), (3,), (3,), (3,), (3,)))


def program(x, mean, variance, weight, bias):
    return torch.nn.functional.batch_norm(x, mean, variance, weight, bias, training=False)


COMPILE_OPTIONS = {"kernels": ["native_batch_norm", "_native_batch_norm_legit_no_training"]}
