# Inductor: as_strided and as_strided_copy beyond the end of the memory are accepted, and read what stands there.
# link: https://github.com/pytorch/pytorch/issues/195665
# signature: b7139ee4b693cd35 v7 accepts inductor
# pattern: kind=accepts; backend=inductor; frame=setStorage
# avoid: exec("import torch, torch._subclasses.fake_tensor as fake\ndef bounded(run):\n    def g(self, func, types, args, kwargs):\n        if func in (torch.ops.aten.as_strided.default, torch.ops.aten.as_strided_copy.default) and len(args) > 2 and isinstance(args[0], torch.Tensor):\n            x, size, stride, *start = args\n            start = start[0] if start else kwargs.get('storage_offset')\n            start = x.storage_offset() if start is None else start\n            held = x.untyped_storage().nbytes()\n            if all(type(n) is int for n in (start, held, *size, *stride)) and 0 not in size:\n                needed = (start + sum((n - 1) * s for n, s in zip(size, stride)) + 1) * x.element_size()\n                torch._check(needed <= held, lambda: f'setStorage: {needed} bytes are out of bounds for storage of size {held}')\n        return run(self, func, types, args, kwargs)\n    return g\nfake.FakeTensorMode._dispatch_impl = bounded(fake.FakeTensorMode._dispatch_impl)", {})
# here: 2.13.0, 2.15.0
# state: open
# Eager checks that all elements lie in the tensor's storage. Inductor's kernel computes with the given strides from the start
# of the buffer, and may end the process. The avoid line makes eager's check while tracing, where sizes are known.
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
    return torch.as_strided(x, (2, 2), (2, 1)) + 1


if __name__ == "__main__":
    try:
        print(f"this can't be judged: eager gives {program(*make_inputs())}")
        sys.exit(2)
    except RuntimeError as error:
        expected = str(error)
    try:
        shown = torch.compile(program)(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager raises {expected}, compiled {type(error).__name__}: {error}")
        sys.exit(0 if "out of bounds for storage" in str(error) else 2)
    print(f"torch {torch.__version__}: eager raises {expected}, compiled gives {shown}")
    sys.exit(1)
