# for test/functorch/test_aotdispatch.py
# aot_autograd: wrong gradient: relu.
# For test/functorch/test_aotdispatch.py.
# Found by jitprobe 0.1.0.
import torch
from torch.testing._internal.common_utils import TestCase


def make_inputs():
    return (torch.tensor([-1.0, 0.5], requires_grad=True),)


def program(x):
    return torch.relu(x)


def run(function):
    arguments = make_inputs()
    output = function(*arguments)
    outputs = [x for x in [output] if torch.is_tensor(x) and x.requires_grad]
    weights = [torch.arange(1, x.numel() + 1).view(x.shape) for x in outputs]
    sum((x * w).sum() for x, w in zip(outputs, weights)).backward()
    return [x.grad for x in arguments if torch.is_tensor(x) and x.is_leaf]


class TestAOTAutograd(TestCase):
    def test_wrong_gradient_relu(self):
        torch._dynamo.reset()
        compiled = torch.compile(program, backend="aot_eager")
        self.assertEqual(run(compiled), run(program))


if __name__ == "__main__":
    from torch.testing._internal.common_utils import run_tests

    run_tests()
