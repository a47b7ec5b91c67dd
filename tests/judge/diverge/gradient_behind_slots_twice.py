# judge: diverge
# backend: backends/later.py
# class: gradient
# construct: a dataclass with slots as output
# why: Backward must run through what the slots hold.
import dataclasses

import torch


@dataclasses.dataclass(slots=True)
class Result:
    loss: torch.Tensor
    steps: int


def make_inputs():
    return (torch.arange(3.0, requires_grad=True),)


def program(x):
    return Result((x * x).logsumexp(0), 1)


COMPILE_OPTIONS = {"fault": "product_gradients_twice"}
