# AOTAutograd: an argument that the loss does not depend on gets a gradient of zeros, where eager leaves None.
# link: https://github.com/pytorch/pytorch/pull/186355
# signature: 3e0f964ed018e5d6 v7 gradient aot_eager
# pattern: kind=gradient; frame=zeros for none
# avoid: exec("import torch, torch._dynamo.backends.common as common, torch._functorch._aot_autograd.runtime_wrappers as wrappers\nfactory = wrappers._AOTDispatchAutogradFunctionFactory\ndef build(self, build=factory.build):\n    function = build(self)\n    forward, backward = function.forward, function.backward\n    def forward_of(ctx, *args):\n        given = forward(ctx, *args)\n        apart = [id(x) for x in ctx.non_differentiable or ()]\n        plain = all(type(x) is torch.Tensor and x.layout == torch.strided for x in given if isinstance(x, torch.Tensor))\n        ctx.set_materialize_grads(not plain)\n        ctx._outputs = [(x.size(), x.stride(), x.dtype, x.device) if plain and isinstance(x, torch.Tensor) and id(x) not in apart else None for x in given]\n        return given\n    def backward_of(ctx, *grads):\n        now = grads[0] if len(grads) == 1 and isinstance(grads[0], list) else list(grads)\n        for i, (x, like) in enumerate(zip(now, ctx._outputs)):\n            if x is None and like:\n                size, stride, dtype, device = like\n                now[i] = torch.empty_strided(size, stride, dtype=dtype, device=device).zero_()\n                now[i]._unreached = True\n        return backward(ctx, *([now] if now is grads[0] else now))\n    function.forward, function.backward = staticmethod(forward_of), staticmethod(backward_of)\n    return function\nfactory.build = build\ndef reached(graph):\n    nodes = list(graph.graph.nodes)\n    places = [node for node in nodes if node.op == \"placeholder\"]\n    of = {}\n    for node in nodes:\n        tangent = node in places and \"tangents\" in node.name\n        of[node] = {places.index(node)} if tangent else set().union(*(of[other] for other in node.all_input_nodes))\n    return [of[node] if hasattr(node, \"name\") else None for node in nodes[-1].args[0]]\ndef backward(make):\n    def made(graph, examples):\n        depends, run = reached(graph), make(graph, examples)\n        def none_for_zeros(now):\n            zero = [getattr(x, \"_unreached\", False) for x in now]\n            given = run(now) if getattr(run, \"_boxed_call\", False) else run(*now)\n            return [None if on and all(zero[i] for i in on) else x for x, on in zip(given, depends)]\n        none_for_zeros._boxed_call = True\n        return none_for_zeros\n    return made\ndef simplified(module, arguments, *rest, compile_it=common.aot_module_simplified, **named):\n    named[\"bw_compiler\"] = backward(named.get(\"bw_compiler\") or named[\"fw_compiler\"])\n    return compile_it(module, arguments, *rest, **named)\ncommon.aot_module_simplified = simplified", {})
# here: 2.13.0, 2.15.0
# state: open
# The avoid line gives None where autograd reached none of the outputs that an argument's gradient depends on.
# Without the break it takes a backward from one of two outputs: `return x * 2, y * 2`.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True))


def program(x, y):
    a = x * 2
    b = y * 2
    torch._dynamo.graph_break()
    return a, b.detach()


def gradient(function):
    x, y = make_inputs()
    function(x, y)[0].sum().backward()
    return y.grad


if __name__ == "__main__":
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    try:
        eager = gradient(program)
        compiled = gradient(torch.compile(program, backend="aot_eager"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print("eager:   ", eager)
    print("compiled:", compiled)
    sys.exit(0 if compiled is None else 1)
