# judge: agree or unstable
# backend: backends/other_kernels.py
# class: value
# rule: monte_carlo
# construct: while loop until a chaotic value is large
# why: The number of steps hangs on the last bit.
import torch


def make_inputs():
    return (torch.tensor(0.31),)


def step(x):
    return x * (1 - x) / 0.2564


def program(x):
    steps = 0
    while steps < 40 or x < 0.96:
        x, steps = step(x), steps + 1
    return steps


COMPILE_OPTIONS = {"kernels": ["div"]}
