# judge: diverge
# backend: backends/exceptions.py
# class: accepts
# construct: cross product of float32 and float64
# why: Eager wants one dtype. In float64 both are alike, so that eager accepts them there: that is no rounding.
import torch


def make_inputs():
    return (torch.ones(3), torch.arange(3, dtype=torch.float64))


def program(x, y):
    return torch.cross(x, y, dim=0)


COMPILE_OPTIONS = {"fault": "promoted"}
