# judge: diverge
# backend: backends/counts.py
# class: value
# construct: recompile limit, with a wrong result
# why: Nor does the recompile limit.
import torch


def make_inputs():
    return (torch.arange(3),)


def program(x):
    return x.bitwise_xor(1)


COMPILE_OPTIONS = {"mode": "limit", "habit": "wrong"}
