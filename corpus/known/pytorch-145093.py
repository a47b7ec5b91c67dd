# Inductor: an input with the negative bit set (imag of a conjugate) is read without its sign.
# link: https://github.com/pytorch/pytorch/issues/145093
# signature: 394bf46f464b8f05 v7 value inductor
# pattern: kind=value; backend=inductor; call=conj
# avoid: exec("import torch, torch._inductor.output_code as output_code\nplain = output_code.CompiledFxGraph.__call__\ndef positive(x):\n    if not isinstance(x, torch.Tensor) or not x.is_neg():\n        return x\n    one = x.detach()\n    for d in range(x.dim()):\n        if x.stride(d) == 0 and x.size(d) > 1:\n            one = one.narrow(d, 0, 1)\n    return torch.empty_strided(one.shape, one.stride(), dtype=x.dtype, device=x.device).copy_(one).expand(x.shape)\ndef call(self, inputs):\n    old, new = list(inputs), [positive(x) for x in inputs]\n    inputs.clear()\n    written = [(old[i], new[i]) for i in self.mutated_input_idxs if new[i] is not old[i]]\n    result = plain(self, new)\n    for x, y in written:\n        x.detach().copy_(y)\n    return result\noutput_code.CompiledFxGraph.__call__ = call", {})
# here: 2.13.0, 2.15.0
# state: open
# The issue names clone; so does every operator that Inductor compiles itself, as here.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1 + 1j, 2 - 3j], dtype=torch.complex128).conj().imag,)


def program(x):
    return x + 0


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
