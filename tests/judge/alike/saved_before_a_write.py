# judge: agree
# backend: backends/habits.py
# class: accepts
# rule: kept_for_backward
# construct: foreach write to a saved operand
# why: Eager's backward refuses an operand that was written after fmin had saved it; a graph without writes has it still.
import torch


def make_inputs():
    return (torch.tensor([1.0, 3.0], requires_grad=True), torch.tensor([2.0, 2.0]))


def program(x, y):
    z = x * 2
    least = torch.fmin(z, y)
    torch._foreach_add_([z], 1.0)
    return least


COMPILE_OPTIONS = {"habit": "keeps_for_backward"}
