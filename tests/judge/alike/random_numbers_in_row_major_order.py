# judge: agree or unstable
# backend: inductor
# class: value
# rule: other_choices
# construct: rand_like of a transposed intermediate
# why: The compiler may keep the intermediate in another order of memory, in which the numbers are then written.
import torch


def make_inputs():
    return (torch.arange(120.0).reshape(4, 5, 6), torch.ones(6, 5, 4))


def program(x, y):
    return torch.rand_like(x.permute(2, 1, 0) + y - y)
