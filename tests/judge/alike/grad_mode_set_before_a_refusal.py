# judge: agree
# backend: aot_eager
# class: mode
# rule: both_raise
# construct: set_grad_enabled beside print, then a product of shapes that don't fit
# why: The compiler refuses the second part of the function before it has run any of it.
import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    torch.set_grad_enabled(False)
    print("a")
    torch.set_grad_enabled(True)
    return x @ torch.ones(7)
