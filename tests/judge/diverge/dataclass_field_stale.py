# judge: diverge
# backend: backends/effects.py
# class: value
# construct: dataclasses.replace
# why: The new object has the old one's number.
from dataclasses import dataclass, replace

import torch


@dataclass
class Step:
    number: int
    x: torch.Tensor


def make_inputs():
    return (Step(1, torch.zeros(2)),)


def program(step):
    return replace(step, number=step.number + 1, x=step.x - 1)


COMPILE_OPTIONS = {"fault": "field_kept"}
