# Dynamo: _foreach_addcmul and _foreach_addcdiv with a tensor of scalars, which eager takes, can't be traced.
# link: unreported
# signature: 0aa721ed0a003a76 v7 compiler_error eager
# pattern: kind=compiler_error; frame=Expected scalars to be on CPU
# avoid: import torch._subclasses.fake_impls; (lambda each: [each("_foreach_addcmul", torch.addcmul), each("_foreach_addcdiv", torch.addcdiv)])(lambda name, one: [torch._subclasses.fake_impls.register_op_impl(getattr(torch.ops.aten, name).Tensor)(lambda mode, op, x, y, z, s: [one(*t) for t in zip(x, y, z)]), torch._subclasses.fake_impls.register_op_impl(getattr(torch.ops.aten, name + "_").Tensor)(lambda mode, op, x, y, z, s: None), getattr(torch.ops.aten, name + "_").Tensor.py_impl(torch._C.DispatchKey.Autograd)(lambda x, y, z, s: [a.copy_(b) for a, b in zip(x, getattr(torch, name)(x, y, z, s))] and None)])
# here: 2.13.0
# gone: 2.15.0
# state: open
# Eager reads the scalars, which on fake tensors are on the device meta. In place too. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3), torch.ones(3), torch.ones(3), torch.tensor([2.0]))


def program(x, y, z, scalars):
    return torch._foreach_addcmul([x], [y], [z], scalars)


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1 if "Expected scalars to be on CPU" in str(error) else 2)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
