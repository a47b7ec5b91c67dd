# judge: diverge
# backend: backends/toolchain.py
# class: compiler_error
# construct: copysign
# why: The generated C++ does not compile.
import torch


def make_inputs():
    return (torch.tensor([5.0, -6.0]),)


def program(x):
    return torch.copysign(x, x)


COMPILE_OPTIONS = {"said": "error: no match for 'operator<<' (operand types are 'int' and 'VecMask<float, 1>')"}
