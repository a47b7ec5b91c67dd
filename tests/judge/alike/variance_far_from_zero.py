# judge: agree or unstable
# backend: backends/fused.py
# class: value
# rule: eager_wrong
# construct: mean of squares minus square of the mean
# why: Eager cancels what the compiler, which fuses in float64, still has.
import torch


def make_inputs():
    return (torch.linspace(1000, 1001, 300),)


def program(x):
    return (x * x).mean(0) - x.mean(0) * x.mean(0)


COMPILE_OPTIONS = {"wide": "float64"}
