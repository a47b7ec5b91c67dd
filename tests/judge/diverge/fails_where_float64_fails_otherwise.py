# judge: diverge
# backend: backends/exceptions.py
# class: raises
# construct: view of float32 as int32, then reshape
# why: The cast to float64 makes the reshape fail, which says nothing about the compiler's failure.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    bits = x.view(torch.int32).reshape(3)
    return x.rsqrt(), bits


COMPILE_OPTIONS = {"fault": "fails_at_run_time"}
