# judge: agree
# backend: backends/habits.py
# class: value
# rule: node_names
# construct: StringIO that a program writes its function's name to
# why: Dynamo gives the rest of a function another name; the stream then ends further on.
import io

import torch

LINES = io.StringIO()


def make_inputs():
    return (torch.ones(2),)


def program(x):
    LINES.write("in program\n")
    return x + 1


def lean(x):
    LINES.write("in torch_dynamo_resume_in_program_at_20\n")
    return x + 1


COMPILE_OPTIONS = {"habit": "other_order"}
