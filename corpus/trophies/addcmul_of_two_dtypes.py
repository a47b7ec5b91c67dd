# Dynamo: addcmul_ and addcdiv_ with a value multiply and divide in the operands' own dtype, and take a number for a tensor.
# link: unreported
# signature: 06990d65137827e8 v7 value eager
# pattern: kind=value; backend=eager; call=addcmul_
# pattern: kind=value; backend=eager; call=addcdiv_
# pattern: kind=accepts; backend=eager; call=addcmul_
# pattern: kind=accepts; backend=eager; call=addcdiv_
# around: import torch._dynamo.variables.tensor as _tensor; [setattr(_tensor.TensorVariable, name, lambda *_, **__: None) for name in ("method_addcmul_", "method_addcdiv_")]
# here: 2.13.0, 2.15.0
# state: open
# With `value=`, the call becomes a product or a quotient, prims.fma, and copy_: of a scalar in float32 and a vector in bfloat16
# the product is in bfloat16, where eager computes it in float32. A number in place of a tensor is taken, which eager rejects.
# Of one dtype, too, a product in float16 or of integers overflows where eager's doesn't. Found and reduced by a campaign.
# pytorch 186510 computes half types in float32 on GPUs; 183904, which was closed, would reject what eager rejects.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1), torch.tensor(0.20723548531532288), torch.ones(1, dtype=torch.bfloat16))


def program(x, y, z):
    return x.addcmul_(y, z, value=1.0)


if __name__ == "__main__":
    try:
        eager = program(*make_inputs())
        compiled = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager {eager.item()}, compiled {compiled.item()}")
    sys.exit(0 if torch.equal(eager, compiled) else 1)
