# judge: unstable
# backend: backends/habits.py
# class: value
# rule: eager_differs
# construct: time.perf_counter_ns
# why: So does a clock.
import time

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x.exp(), time.perf_counter_ns()


COMPILE_OPTIONS = {"habit": "copies"}
