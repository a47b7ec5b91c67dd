# Inductor's decomposition of lerp: an end of fewer dimensions than a start in channels_last fails to compile.
# link: unreported
# signature: 5d8006486d890ecb v7 compiler_error aot_eager_decomp_partition
# pattern: kind=compiler_error; call=lerp; frame=to use channels_last
# pattern: kind=compiler_error; call=lerp_; frame=to use channels_last
# avoid: exec("import torch, torch._inductor.decomposition as decomposition\ndef broadcasting(plain):\n    def lerp(start, end, weight):\n        if start.dim() != end.dim():\n            start, end = torch.broadcast_tensors(start, end)\n        return plain(start, end, weight)\n    return lerp\nfor op in (torch.ops.aten.lerp.Scalar, torch.ops.aten.lerp.Tensor):\n    decomposition.decompositions[op] = broadcasting(decomposition.decompositions[op])", {})
# here: 2.13.0, 2.15.0
# state: open
# The decomposition gives the end the memory format of the start before the two are broadcast: "required rank 4 tensor to use
# channels_last format". The avoid line broadcasts first. Found by a campaign, reduced by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2, 3, 4, 4).to(memory_format=torch.channels_last), torch.zeros(()))


def program(x, y):
    return x.lerp(y, 0.25)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager and compiled give {expected.flatten()[0]}, {shown.flatten()[0]}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
