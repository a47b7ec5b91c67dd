# AOTAutograd: what eager can't write into a tensor because its broadcast shape is another is computed and returned.
# link: unreported
# signature: 33338c5f3dc369fd v7 accepts aot_eager
# pattern: kind=accepts; backend=aot_eager; frame=doesn't match the broadcast shape
# avoid: import torch._subclasses.fake_tensor as _fake; _fake.FakeTensorMode._dispatch_impl = (lambda run, fit: lambda self, func, types, args, kwargs: (fit(str(func.name()), args), run(self, func, types, args, kwargs))[1])(_fake.FakeTensorMode._dispatch_impl, lambda name, args: [torch._check(len(pair) < 2 or not all(isinstance(one, torch.Tensor) for one in pair) or torch.broadcast_shapes(*(one.shape for one in pair)) == pair[0].shape, lambda: f"output with shape {list(pair[0].shape)} doesn't match the broadcast shape {list(torch.broadcast_shapes(*(one.shape for one in pair)))}") for pair in (zip(*args[:2]) if "_foreach_" in name and all(isinstance(one, (list, tuple)) for one in args[:2]) else [[one for one in args[:3] if isinstance(one, torch.Tensor)]])] if len(args) > 1 and name.split("::")[-1].split(".")[0] in [prefix + operator for operator in "__iand__ __ior__ __ixor__ bitwise_and_ bitwise_or_ bitwise_xor_ bitwise_left_shift_ bitwise_right_shift_ gcd_ lcm_ igamma_ igammac_ pow_ clamp_ clamp_min_ clamp_max_ maximum_ minimum_ atan2_ arctan2_ fmod_ copysign_ remainder_ hypot_ xlogy_ floor_divide_ eq_ ne_ lt_ le_ gt_ ge_ nextafter_ heaviside_".split() for prefix in ("", "_foreach_")] else None)
# here: 2.13.0
# gone: 2.15.0
# state: open
# Of a computed tensor: functionalization makes the in-place operator an ordinary one and forgets that the result has to fit.
# So with many operators, among them pow_, fmod_, atan2_, comparisons, clamp_, bitwise_and_ and gcd_, and some foreach forms;
# add_ and mul_ refuse. If the tensor is an argument, the copy into it fails. The avoid line compares the shapes as eager does. Found and
# reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1), torch.arange(4.0))


def program(x, y):
    return (x + 1).pow_(y)


if __name__ == "__main__":
    try:
        print(f"this can't be judged: eager gives {program(*make_inputs())}")
        sys.exit(2)
    except RuntimeError as error:
        expected = str(error)
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager raises {expected}, compiled {type(error).__name__}: {error}")
        sys.exit(0 if "doesn't match the broadcast shape" in str(error) else 2)
    print(f"torch {torch.__version__}: eager raises {expected}, compiled gives {shown}")
    sys.exit(1)
