# AOTAutograd: an in-place comparison of an integer tensor with one that requires a gradient can't be compiled.
# link: https://github.com/pytorch/pytorch/issues/77515
# signature: f90ad84a0fdedf6f v7 compiler_error aot_eager
# signature: a8ff7ec9964c248d v7 compiler_error eager
# pattern: kind=compiler_error; frame=isDifferentiableType
# pattern: kind=compiler_error; frame=only Tensors of floating point and complex dtype can require gradients; frame=meta_tensor
# around: import torch._dynamo.variables.tensor as _tensor, torch._dynamo.exc as _exc; _tensor.TensorVariable.call_method = (lambda call: lambda self, tx, name, args, kwargs: _exc.unimplemented(gb_type="comparison in place", context=name, explanation="An integer tensor gets a grad_fn.", hints=[]) if name in ("eq_", "ge_", "gt_", "le_", "lt_", "ne_") and not (self.dtype.is_floating_point or self.dtype.is_complex) and any(getattr(_one.realize(), "requires_grad", False) for _one in args) else call(self, tx, name, args, kwargs))(_tensor.TensorVariable.call_method); import torch._dynamo.variables.builder as _builder; _builder.VariableBuilder.wrap_tensor = (lambda wrap: lambda self, value: _exc.unimplemented(gb_type="an integer tensor with a grad_fn", context="", explanation="There is no fake one.", hints=[]) if value.requires_grad and not (value.dtype.is_floating_point or value.dtype.is_complex) else wrap(self, value))(_builder.VariableBuilder.wrap_tensor)
# here: 2.13.0, 2.15.0
# state: open
# The cause is eager's: it gives the integer tensor a grad_fn, of which most operators make an internal error in eager, too.
# Compiled, the comparison alone is enough, and so is to hand such a tensor, which eager made, to a compiled function. Found and
# reduced by a campaign, by way of a _foreach_ function.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1, 2]), torch.tensor([1.0, 3.0], requires_grad=True))


def program(x, y):
    x.eq_(y)
    return y * 2


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "isDifferentiableType" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
