# Inductor: argmax and argmin of a whole tensor whose elements are not in row-major order give a position in memory.
# link: https://github.com/pytorch/pytorch/issues/197739
# signature: 4096c55024400024 v7 value inductor
# pattern: kind=value; backend=inductor; call=argmax
# pattern: kind=value; backend=inductor; call=argmin
# avoid: exec("import torch, torch._inductor.lowering as low, torch._inductor.ir as ir\ndef dense(f):\n    return lambda x, *more, **named: f(ir.ExternKernel.require_contiguous(x), *more, **named)\nfor op in (torch.ops.aten.argmax, torch.ops.aten.argmin, torch.ops.aten.argmax.default, torch.ops.aten.argmin.default):\n    if op in low.lowerings:\n        low.lowerings[op] = dense(low.lowerings[op])", {})
# here: 2.13.0
# gone: 2.15.0
# state: open
# Loops go through the memory in order, and the number of the iteration is returned. It shows for what is computed from such a
# tensor, not for the tensor itself. The avoid line has the operand laid out row by row before.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(6.0).reshape(3, 2).transpose(0, 1),)


def program(x):
    return torch.argmax(1 - (x - 3).abs())


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
