# judge: agree
# backend: backends/habits.py
# class: nan_payload
# rule: nan_payload
# construct: zero divided by zero
# why: Any NaN is as good as another.
import torch


def make_inputs():
    return (torch.tensor([0.0, 1.0]),)


def program(x):
    return x / x


COMPILE_OPTIONS = {"habit": "payloads"}
