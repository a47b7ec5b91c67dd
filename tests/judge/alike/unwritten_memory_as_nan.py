# judge: agree or unstable
# backend: inductor
# class: value
# rule: other_choices
# construct: comparison of fresh memory with itself
# why: Nothing has written the memory, which may hold a NaN as well.
import torch


def make_inputs():
    return (torch.ones(6),)


def program(x):
    fresh = torch.empty(6)
    return (fresh == fresh) & (x > 0)
