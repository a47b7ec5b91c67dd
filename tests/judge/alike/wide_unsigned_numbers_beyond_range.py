# judge: agree
# backend: inductor
# class: value
# rule: other_choices
# construct: float to uint32 beyond its range
# why: What comes out is undefined, as for signed types.
import torch


def make_inputs():
    return (torch.tensor([1e19, -1e19, float("nan"), 4e9, -4e9, 7e4], dtype=torch.float64),)


def program(x):
    return x.to(torch.uint32).long()
