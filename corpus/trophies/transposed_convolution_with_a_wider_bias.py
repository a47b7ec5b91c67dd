# Inductor: a transposed convolution with a bias of a wider dtype gives the bias's dtype.
# link: unreported
# signature: 322f8822a539692e v7 dtype inductor
# pattern: kind=dtype; backend=inductor; call=conv_transpose1d
# pattern: kind=dtype; backend=inductor; call=conv_transpose2d
# pattern: kind=dtype; backend=inductor; call=conv_transpose3d
# avoid: exec("import torch, torch._inductor.lowering as lowering, torch._inductor.kernel.conv\nop = torch.ops.aten.convolution.default\nplain = lowering.lowerings[op]\ndef convolution(x, weight, bias, *args, **named):\n    if bias is not None and bias.get_dtype() != x.get_dtype():\n        bias = lowering.to_dtype(bias, x.get_dtype())\n    return plain(x, weight, bias, *args, **named)\nlowering.lowerings[op] = convolution", {})
# here: 2.13.0, 2.15.0
# state: open
# Eager takes a bias of another dtype where the convolution is transposed, and gives the input's dtype. Inductor adds the bias
# after the convolution with type promotion. A plain convolution refuses such a bias, compiled or not. The avoid line converts the
# bias first. Found by broken calls.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1, 2, 3, 3), torch.ones(2, 1, 3, 3), torch.ones(1, dtype=torch.float64))


def program(x, weight, bias):
    return torch.nn.functional.conv_transpose2d(x, weight, bias)


if __name__ == "__main__":
    try:
        eager = program(*make_inputs())
        compiled = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager {eager.dtype}, compiled {compiled.dtype}")
    sys.exit(0 if eager.dtype == compiled.dtype else 1)
