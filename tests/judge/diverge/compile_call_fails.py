# judge: diverge
# backend: backends/ends.py
# class: compiler_error
# construct: the compile call itself
# why: Nothing has been called yet.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x.deg2rad()


COMPILE_OPTIONS = {"call_fault": "compile_call"}
