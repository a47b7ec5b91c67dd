# AOTAutograd: multilabel_margin_loss counts targets after the first -1, where eager stops there.
# link: https://github.com/pytorch/pytorch/issues/185464
# signature: 6c9699cdc7252717 v7 value aot_eager
# pattern: kind=value; call=multilabel_margin_loss
# pattern: kind=gradient; call=multilabel_margin_loss
# pattern: kind=shape; call=multilabel_margin_loss
# avoid: exec("import types, torch, torch._decomp.decompositions as d\nraw = d.multilabel_margin_loss_forward.__wrapped__\nif not hasattr(d, '_margins'):\n    d._margins = types.FunctionType(raw.__code__, raw.__globals__)\ndef forward(input, target, reduction):\n    shape = input.shape\n    if len(shape) > 2 or target.shape != shape or not shape[-1:].numel():\n        return _margins(input, target, reduction)\n    input, target = torch.atleast_2d(input), torch.atleast_2d(target)\n    counts = torch.cumsum(target == -1, -1) == 0\n    at = torch.where(counts, target, 0)\n    ours = torch.any((torch.arange(input.shape[1], device=target.device) == at.unsqueeze(-1)) & counts.unsqueeze(-1), dim=1)\n    z = (1.0 - torch.gather(input, -1, at).unsqueeze(-1) + input.unsqueeze(1)).clamp_min(0) / input.shape[1]\n    z = torch.where(counts.unsqueeze(-1) & ~ours.unsqueeze(1), z, 0).sum((1, 2))\n    z = z.mean() if reduction == 1 else z.sum() if reduction == 2 else z.reshape(shape[:-1])\n    return z, ours.to(input.dtype).reshape(shape)\nraw.__code__ = forward.__code__", {})
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# Without a batch and without reduction it also has the shape [1], where eager has []: the same decomposition.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2), torch.tensor([0, -1]))


def program(x, y):
    return torch.nn.functional.multilabel_margin_loss(x, y)


if __name__ == "__main__":
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    try:
        eager = program(*make_inputs())
        compiled = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print("eager:   ", eager)
    print("compiled:", compiled)
    sys.exit(0 if torch.equal(eager, compiled) else 1)
