# judge: agree
# backend: backends/other_kernels.py
# class: value
# rule: tolerance
# construct: layer_norm, decomposed, one pass
# why: Mean of squares minus square of the mean, where the mean is small.
import torch


def make_inputs():
    return (torch.linspace(-3, 3, 24).sin().reshape(4, 6), torch.linspace(0.5, 1.5, 6), torch.zeros(6))


def program(x, weight, bias):
    return torch.nn.functional.layer_norm(x, (6,), weight, bias)


COMPILE_OPTIONS = {"kernels": ["native_layer_norm"]}
