# AOTAutograd: the gradient that flows into an output of overlapping windows is written over itself.
# link: unreported
# signature: 7ddabd9373b99bba v7 gradient aot_eager
# pattern: kind=gradient; backend=aot_eager; call=unfold
# pattern: kind=gradient; backend=aot_eager; call=as_strided
# avoid: exec("import torch, torch._functorch._aot_autograd.schemas as schemas\nplain = schemas.MemoryFormatMeta.from_tensor\ndef overlap(x):\n    reach = 0\n    for stride, size in sorted(zip(x.stride(), x.size())):\n        if size > 1 and stride <= reach:\n            return x.numel() > 0\n        reach += (size - 1) * stride\n    return False\ndef from_tensor(x, force=False, **named):\n    return plain(x, force or (x.layout == torch.strided and not x._has_symbolic_sizes_strides and overlap(x)), **named)\nschemas.MemoryFormatMeta.from_tensor = staticmethod(from_tensor)", {})
# here: 2.13.0, 2.15.0
# state: open
# A gradient that comes with other strides than the output has is copied into memory with the output's strides. The windows of
# unfold share elements there, so the last copy counts for all. For strides of 0 torch asks first (pytorch 184519, and 184738
# for what may overlap, closed as its duplicate), for others it doesn't. Found and reduced by a campaign on 2.15.0.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True),)


def program(x):
    return (x * 2).unfold(0, 2, 1)


if __name__ == "__main__":
    weights = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    gradients = []
    try:
        for function in (program, torch.compile(program, backend="aot_eager")):
            (x,) = make_inputs()
            (function(x) * weights).sum().backward()
            gradients.append(x.grad.tolist())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager {gradients[0]}, compiled {gradients[1]}")
    sys.exit(0 if gradients[0] == gradients[1] else 1)
