# judge: diverge
# backend: backends/wrong_kernels.py
# class: value
# construct: layer_norm, narrowed inside
# why: A float32 program is computed with eight bits of mantissa.
import torch


def make_inputs():
    return (torch.linspace(-3, 4, 24).reshape(4, 6) ** 2,)


def program(x):
    return torch.nn.functional.layer_norm(x, (6,))


COMPILE_OPTIONS = {"operator": "native_layer_norm", "fault": "as_bfloat16", "part": 0}
