# judge: agree
# backend: backends/habits.py
# class: state_after
# rule: other_choices
# construct: batch_norm whose running mean and running variance are one tensor
# why: Whether the variance is updated from the old number or from the new mean is promised nowhere.
import torch


def make_inputs():
    statistics = torch.ones(1) + 0.5
    return torch.arange(5.0).reshape(1, 1, 5), statistics, statistics


def program(x, mean, variance):
    return torch.nn.functional.batch_norm(x, mean, variance, training=True)


def lean(x, mean, variance):
    new_mean, new_variance = mean.clone(), variance.clone()
    y = torch.nn.functional.batch_norm(x, new_mean, new_variance, training=True)
    mean.copy_(new_mean)
    variance.copy_(new_variance)
    return y


COMPILE_OPTIONS = {"habit": "other_order"}
