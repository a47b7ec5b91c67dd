# judge: agree
# backend: backends/habits.py
# class: raises
# rule: graph_freed
# construct: a loss on which the program has run backward is returned
# why: The way back that follows the call is the second; sums keep nothing that the first frees, a product of the compiler's does.
import torch


def make_inputs():
    return (torch.tensor([3.0, 1.0], requires_grad=True),)


def program(x):
    loss = (x + 1).sum()
    loss.backward()
    return loss


COMPILE_OPTIONS = {"habit": "products_for_sums"}
