# aot_eager_decomp_partition: a write under no_grad behind a graph break takes the gradient away.
# link: unreported
# signature: 3faa463098420ae2 v7 gradient aot_eager_decomp_partition
# pattern: kind=gradient; backend=aot_eager_decomp_partition; call=no_grad
# pattern: kind=requires_grad; backend=aot_eager_decomp_partition; call=no_grad
# around: import torch._dynamo.backends.debugging as _debugging; _debugging.aot_autograd = (lambda plain: lambda **options: plain(**{"keep_inference_input_mutations": True, **options}))(_debugging.aot_autograd)
# here: 2.13.0, 2.15.0
# state: open
# The graph behind the break is compiled without gradients. What it writes to its argument is copied there afterwards, when
# gradients are enabled again, so that autograd records the copy. Other backends keep such writes in the graph, which the line
# makes this one do, too. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, requires_grad=True),)


def program(x):
    y = x + 1
    with torch.no_grad():
        torch._dynamo.graph_break()
        y[0] = 5.0
    return y


if __name__ == "__main__":
    (x,), (z,) = make_inputs(), make_inputs()
    program(x).sum().backward()
    torch.compile(program, backend="aot_eager_decomp_partition")(z).sum().backward()
    print(f"torch {torch.__version__}: the gradient is {x.grad.tolist()} in eager, {z.grad.tolist()} compiled")
    sys.exit(0 if torch.equal(x.grad, z.grad) else 1)
