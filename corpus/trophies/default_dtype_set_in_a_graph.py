# AOTAutograd: torch.set_default_dtype in a compiled function changes nothing.
# link: unreported
# signature: ede3921e4ae2acde v7 dtype aot_eager
# pattern: kind=dtype; call=set_default_dtype
# pattern: kind=value; call=set_default_dtype
# pattern: kind=structure; call=set_default_dtype
# pattern: kind=raises; call=set_default_dtype
# around: torch.set_default_dtype = torch._dynamo.disable(torch.set_default_dtype)
# here: 2.13.0, 2.15.0
# state: open
# Dynamo puts the call into the graph, and AOTAutograd runs it while it traces, once; its own graph has none. So the dtype is not
# set behind the call either. With Inductor, tensors made behind it in the graph have the right dtype. The around line breaks the
# graph there.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    torch.set_default_dtype(torch.float64)
    y = x + torch.ones(2)
    torch.set_default_dtype(torch.float32)
    return y


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected.dtype == shown.dtype else 1)
