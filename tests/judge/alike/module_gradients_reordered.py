# judge: agree
# backend: backends/other_kernels.py
# class: gradient
# rule: tolerance
# construct: two linear layers, backward in blocks
# why: Every parameter's gradient moves in its last bits.
import torch

torch.manual_seed(5)
program = torch.nn.Sequential(torch.nn.Linear(9, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3))


def make_inputs():
    return (torch.linspace(-1, 1, 90).reshape(10, 9),)


COMPILE_OPTIONS = {"kernels": ["mm:blocks", "addmm"]}
