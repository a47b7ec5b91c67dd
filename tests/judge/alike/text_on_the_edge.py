# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: text
# construct: formatting with two digits, on an edge
# why: 0.125 made by a quotient is 0.12 or 0.13.
import torch


def make_inputs():
    return (torch.arange(1.0, 60) * 0.7,)


def program(x):
    return " ".join(f"{v:.0f}" for v in (x / 1.4).tolist())


COMPILE_OPTIONS = {"kernels": ["div"]}
