# Inductor: a tensor that is overwritten with itself, reordered through a view, is read while it is written.
# link: unreported
# signature: 5c89757d566b4163 v7 state_after inductor
# signature: 941b5f6999464f7b v7 state_after inductor
# pattern: kind=state_after; backend=inductor; call=roll
# pattern: kind=value; backend=inductor; call=roll
# pattern: kind=state_after; backend=inductor; call=flip
# pattern: kind=value; backend=inductor; call=flip
# avoid: exec("import torch._inductor.lowering as _lowering, torch._inductor.ir as _ir\nfrom torch._inductor.virtualized import V as _V\n_lowering.mutate_to = (lambda mutate: lambda changed, *rest, **named: (isinstance(getattr(changed, \"data\", None), _ir.StorageBox) and changed.data.is_input_buffer() and _V.graph.mark_buffer_mutated(changed.get_name()), mutate(changed, *rest, **named))[1])(_lowering.mutate_to)", {})
# here: 2.13.0, 2.15.0
# state: open
# So for x[None] = x.flip(0); not for x.copy_(x.flip(0)). What reads the tensor is computed before it is overwritten, but the view
# of it that is copied has taken its own way to the values by then: mutate_to asks a view for them first. The avoid line has the
# readers computed first. pytorch 198270, 198033 and 197829 are other ways to the same kind of kernel.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(4.0).reshape(2, 2),)


def program(x):
    x[...] = x.roll(1)


def results(function):
    """What it leaves in its argument."""
    (x,) = make_inputs()
    function(x)
    return x


if __name__ == "__main__":
    try:
        expected = results(program)
        shown = results(torch.compile(program, backend="inductor"))
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
