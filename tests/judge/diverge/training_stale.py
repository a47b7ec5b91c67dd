# judge: diverge
# backend: backends/guards.py
# class: value
# construct: module put into eval mode
# why: Dropout goes on in evaluation.
import torch

program = torch.nn.Dropout(0.5)


def before_call(i):
    program.train(i == 0)


def make_inputs():
    return [(torch.ones(8),), (torch.ones(8),)]


COMPILE_OPTIONS = {"fault": "training"}
