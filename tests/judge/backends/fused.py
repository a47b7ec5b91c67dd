"""A right compiler that keeps half types in float32 between operators, and rounds only what leaves the graph.

Graphs are Dynamo's, run under autograd. `wide` is the type of the intermediate results.
"""

import torch

HALF = (torch.float16, torch.bfloat16)


class Wide(torch.fx.Interpreter):
    def __init__(self, graph, wide):
        super().__init__(graph)
        self.wide = wide

    def run(self, *arguments):
        exact = super().run(*(self.up(item) for item in arguments))
        narrow = super().run(*arguments)
        return tuple(e.to(n.dtype) if torch.is_tensor(n) and torch.is_tensor(e) else n for e, n in zip(exact, narrow))

    def up(self, x):
        return x.to(self.wide) if torch.is_tensor(x) and x.is_floating_point() else x

    def call_method(self, target, arguments, keywords):
        if target in ("half", "bfloat16", "float") and self.widening(arguments[0]):
            return arguments[0]
        if target == "to" and arguments[1:] and arguments[1] in (*HALF, torch.float32) and self.widening(arguments[0]):
            return arguments[0]
        return super().call_method(target, arguments, keywords)

    def widening(self, x):
        return x.dtype == self.wide


def compile(fn, wide="float32", **options):
    def backend(graph, example_inputs):
        return lambda *arguments: Wide(graph, getattr(torch, wide)).run(*arguments)

    return torch.compile(fn, backend=backend, **options)
