# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: a product stored in a dict, and torch.func.grad
# why: torch.func.grad goes through graphs of its own, so that the way back begins at what is stored all the same.
import torch


def make_inputs():
    return (torch.tensor([3.0, 1.0], requires_grad=True), {})


def program(x, results):
    results["twice"] = x * 2
    return torch.func.grad(lambda a: a.sin().sum())(x.detach())


COMPILE_OPTIONS = {"fault": "one_gradient_twice"}
