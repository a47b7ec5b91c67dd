# judge: agree
# backend: backends/habits.py
# class: value
# rule: other_choices
# construct: time.perf_counter_ns
# why: Eager tells another time whenever it runs.
import time

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x.exp(), time.perf_counter_ns()


COMPILE_OPTIONS = {"habit": "copies"}
