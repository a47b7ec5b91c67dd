# judge: agree
# backend: backends/habits.py
# class: structure
# rule: foreign_globals
# construct: a module in evaluation mode, by its method `eval`
# why: The compiler keeps a constant among the file's globals; calling a module's `eval` reaches none of them.
import torch

layer = torch.nn.Linear(3, 2).eval()
for parameter in layer.parameters():
    torch.nn.init.constant_(parameter, 0.5)


def make_inputs():
    return (torch.arange(3.0),)


def program(x):
    return layer(x).sum(), x


COMPILE_OPTIONS = {"habit": "keeps_constants"}
