# AOTAutograd: of two arguments that share memory, one the other's conjugate and one of them written, the conjugation is lost.
# link: unreported
# signature: eb2f333be2c983a7 v7 value aot_eager
# pattern: kind=value; backend=aot_eager; frame=output
# pattern: kind=state_after; backend=aot_eager
# avoid: exec("import torch, torch._dynamo, torch._functorch._aot_autograd.runtime_wrappers as wrappers\nplain = wrappers.gen_alias_from_base\ndef alias(base, target, *args, **named):\n    out = plain(base, target, *args, **named)\n    if out.is_complex() and target.is_conj() != out.is_conj():\n        out = out.conj()\n    return torch._neg_view(out) if target.is_neg() != out.is_neg() else out\nwrappers.gen_alias_from_base = alias", {})
# here: 2.13.0, 2.15.0
# state: open
# Both are made again from one base by as_strided, which knows nothing of conjugates. The avoid line conjugates again. Found by
# a campaign (`torch.complex(..., out=)` into a conjugate), reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.full((2,), 1 + 1j)
    return (x, x.conj())


def program(x, y):
    x.add_(1j)
    return y + 0


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected.tolist()}, compiled {shown.tolist()}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
