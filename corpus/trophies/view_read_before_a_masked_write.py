# Inductor: a kernel that reads a view of an intermediate reads what a later write under a mask puts there.
# link: unreported
# signature: 7ff54fab2db2452e v7 value inductor
# pattern: kind=value; backend=inductor
# pattern: kind=gradient; backend=inductor
# around: import torch._inductor.lowering as _lowering; import torch._inductor.ir as _ir; _lowering.mutate_to = (lambda mutate: lambda changed, val, unsafe_alias=False: (_ir.MutationLayoutSHOULDREMOVE.realize_into(val.data if isinstance(val, _ir.TensorBox) else val, changed.data, unsafe_alias=unsafe_alias), changed)[1] if isinstance(getattr(getattr(changed, "data", None), "data", None), _ir.Buffer) else mutate(changed, val, unsafe_alias))(_lowering.mutate_to)
# here: 2.13.0
# gone: 2.15.0
# state: open
# To write into an intermediate, mutate_to makes its storage box point to the new values. What was lowered before and has
# the buffer itself keeps reading the old ones; a kernel of torch's own (sort, inv, fft, cumsum) that has a view of it looks
# the name up when code is generated, and gets the new ones. pull/195742 of torch is about loaders of views that do the
# same. The around line writes into the buffer instead. Found and reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(17.0),)


def program(x):
    x = x + 1
    y = torch.sort(x[:4])[0]
    x[x > 0] = 7
    return y, x.sum()


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())[0]
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())[0]
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
