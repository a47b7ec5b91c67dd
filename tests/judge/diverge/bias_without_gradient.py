# judge: diverge
# backend: backends/gradients.py
# class: gradient
# construct: parameters of a Linear
# why: The module's bias is not trained.
import torch

torch.manual_seed(4)
program = torch.nn.Linear(3, 2)


def make_inputs():
    return (torch.ones(4, 3),)


COMPILE_OPTIONS = {"fault": "parameter_gradients_lost"}
