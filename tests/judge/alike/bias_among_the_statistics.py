# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: batch_norm whose bias is its running variance
# why: Whether the bias is read before the statistics are written is promised nowhere.
import torch


def make_inputs():
    shared = torch.ones(1) + 0.5
    return torch.arange(5.0).reshape(1, 1, 5), torch.ones(1), shared


def program(x, mean, shared):
    return torch.nn.functional.batch_norm(x, mean, shared, bias=shared, training=True)


def lean(x, mean, shared):
    return torch.nn.functional.batch_norm(x, mean, shared, bias=shared.clone(), training=True)


COMPILE_OPTIONS = {"habit": "other_order"}
