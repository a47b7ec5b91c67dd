# judge: agree
# backend: aot_eager
# class: raises
# rule: expected_refusal
# construct: graph break under fullgraph=True
# why: What the user asked for.
import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    y = x.square()
    torch._dynamo.graph_break()
    return y + 1


COMPILE_OPTIONS = {"fullgraph": True}
