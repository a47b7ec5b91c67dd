# for test/functorch/test_aotdispatch.py
# aot_autograd: call while compiling: relu.
# For test/functorch/test_aotdispatch.py.
# Found by jitprobe 0.1.0.
import torch
from torch.testing._internal.common_utils import TestCase


def make_inputs():
    return (torch.tensor([-1.0, 0.5], requires_grad=True),)


def program(x):
    return torch.relu(x)


def run(function):
    return function(*make_inputs())


class TestAOTAutograd(TestCase):
    def test_call_while_compiling_relu(self):
        torch._dynamo.reset()
        compiled = torch.compile(program, backend="aot_eager")
        self.assertEqual(run(compiled), run(program))


if __name__ == "__main__":
    from torch.testing._internal.common_utils import run_tests

    run_tests()
