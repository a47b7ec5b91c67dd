# Decompositions: channel_shuffle with one group gives a view of its argument, where eager gives a copy.
# link: unreported
# signature: bd5bd64d779a2208 v7 value aot_eager_decomp_partition
# pattern: kind=state_after; call=channel_shuffle
# pattern: kind=value; call=channel_shuffle
# avoid: exec("import torch, torch._inductor.decomposition as decomposition\ndef copied(plain):\n    def channel_shuffle(input, groups):\n        return plain(input, groups).clone()\n    return channel_shuffle\nop = torch.ops.aten.channel_shuffle.default\nif op in decomposition.decompositions:\n    decomposition.decompositions[op] = copied(decomposition.decompositions[op])", {})
# here: 2.13.0, 2.15.0
# state: open
# So with as many groups as channels. The decomposition is a reshape, a transposition and a reshape, which may all be
# views; eager's kernel copies on a CPU. What is written to the result in another graph overwrites the argument. The
# avoid line copies. Found and reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1, 2, 3),)


def program(x):
    y = torch.nn.functional.channel_shuffle(x, 1)
    torch._dynamo.graph_break()
    y.zero_()
    return x


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager_decomp_partition")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
