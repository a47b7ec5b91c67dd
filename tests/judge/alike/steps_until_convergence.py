# judge: unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: while loop until nothing changes
# why: The number of steps hangs on the last bit.
import torch


def make_inputs():
    return (torch.tensor(2.0),)


def program(x):
    steps, y, old = 0, x, x * 0
    while steps < 100 and (y - old).abs() > 1e-7:
        y, old, steps = (y + x / y) / 2.1 + 0.01, y, steps + 1
    return steps


COMPILE_OPTIONS = {"kernels": ["div"]}
