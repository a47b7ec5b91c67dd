# judge: diverge
# backend: backends/effects.py
# class: state_after
# construct: global statement that binds another lambda
# why: Both are called <lambda>, and compute different things.
import torch


def make_inputs():
    return (torch.ones(3),)


current = lambda x: x + 1  # noqa: E731
other = lambda x: x * 3  # noqa: E731


def program(x):
    global current
    current = other
    return x.acosh()


COMPILE_OPTIONS = {"fault": "global_functions_kept"}
