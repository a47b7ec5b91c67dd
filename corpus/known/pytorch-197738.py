# AOTAutograd: an output is replaced by a mutated argument when another argument is updated after the graph has run.
# link: https://github.com/pytorch/pytorch/issues/197738
# signature: 7b30af918f386511 v7 value aot_eager
# pattern: kind=value; backend=aot_eager
# pattern: kind=state_after; backend=aot_eager
# pattern: kind=dtype; backend=aot_eager
# pattern: kind=shape; backend=aot_eager
# pattern: kind=structure; backend=aot_eager
# pattern: kind=raises; backend=aot_eager
# pattern: kind=accepts; backend=aot_eager
# pattern: kind=requires_grad; backend=aot_eager
# pattern: kind=gradient; backend=aot_eager
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# avoid: exec("import inspect, torch._functorch._aot_autograd.graph_capture as capture, torch._functorch._aot_autograd.graph_capture_wrappers as wrappers\ntext = inspect.getsource(wrappers.create_functionalized_fn)\nwrong, right = 'flat_outs[i] = fw_args', 'flat_outs[meta.num_mutated_inp_runtime_indices + i] = fw_args'\nif wrong in text:\n    exec(compile(text.replace(wrong, right), wrappers.__file__, 'exec'), vars(wrappers))\n    capture.create_functionalized_fn = wrappers.create_functionalized_fn", {})
# The avoid line puts it back where it is in the graph.
# y is put back at its number among the outputs, but in the graph z comes before all of them: z needs a gradient here,
# or
# may change its shape. Where the output was a condition, the wrong branch is taken.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return torch.zeros(3), torch.ones(3), torch.ones(3), torch.ones((), requires_grad=True)


def program(x, y, z, w):
    z.sub_(w)
    return x + 1, y.neg_()


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())[0]
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())[0]
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
