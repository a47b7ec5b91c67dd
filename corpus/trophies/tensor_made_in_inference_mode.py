# AOTAutograd: a tensor that a compiled function makes under torch.inference_mode is no inference tensor.
# link: unreported
# signature: ea2d53dbdf2d9fe0 v7 value aot_eager
# pattern: kind=value; backend=aot_eager; call=is_inference
# pattern: kind=value; backend=aot_eager; call=inference_mode
# pattern: kind=structure; backend=aot_eager; call=is_inference
# around: import torch._dynamo; torch._dynamo.config.fake_tensor_disable_inference_mode = False
# here: 2.13.0, 2.15.0
# state: open
# The graph enters the mode and leaves it, but AOTAutograd traces neither, and runs the operators outside of it. Dynamo breaks the
# graph at is_inference, where the program sees it. The around line has Dynamo trace in the mode, and answer is_inference itself.
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
    with torch.inference_mode():
        return (x + 1).is_inference()


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if expected == shown else 1)
