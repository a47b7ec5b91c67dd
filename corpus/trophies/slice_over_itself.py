# Inductor: part of an argument that is overwritten with part of what was computed from it is read while it is written.
# link: unreported
# signature: 41e597adb580790e v7 value inductor
# pattern: kind=state_after; backend=inductor
# pattern: kind=value; backend=inductor
# avoid: exec("import torch._inductor.lowering as lowering, torch._inductor.ir as ir\nfrom torch._inductor.virtualized import V\ndef ordered(mutate):\n    def mutate_to(changed, *rest, **named):\n        if isinstance(getattr(changed, 'data', changed), ir.BaseView):\n            changed.realize()\n            V.graph.mark_buffer_mutated(changed.get_name())\n        return mutate(changed, *rest, **named)\n    return mutate_to\nlowering.mutate_to = ordered(lowering.mutate_to)", {})
# here: 2.13.0, 2.15.0
# state: open
# So for x[1:] = (x * 2)[:-1], not for x[1:] = x[:-1] * 2. What reads the argument is computed before it is overwritten,
# but the slice has taken its own way to the values by then. The avoid line has the readers computed first.
# roll_into_itself is the same where what is overwritten is no view. x[1:] = x[:-1].clone() was pytorch 197829.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(4),)


def program(x):
    x[1:] = (x * 2)[:-1]
    return x


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
