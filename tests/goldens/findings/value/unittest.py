# for test/inductor/test_torchinductor.py
# inductor: wrong values: relu.
# For test/inductor/test_torchinductor.py.
# Found by jitprobe 0.1.0.
import torch
from torch._inductor.test_case import TestCase


def make_inputs():
    return (torch.tensor([-1.0, 0.5], requires_grad=True),)


def program(x):
    return torch.relu(x)


class CpuTests(TestCase):
    def common(self, model, example_inputs):
        def copied(x):
            return x.detach().clone().requires_grad_(x.requires_grad)

        torch._dynamo.reset()
        reference = [copied(x) if torch.is_tensor(x) else x for x in example_inputs]
        expected = model(*reference)
        actual = torch.compile(model)(*example_inputs)
        self.assertEqual(actual, expected)
        self.assertEqual(example_inputs, reference)

    def test_wrong_values_relu(self):
        self.common(program, make_inputs())


if __name__ == "__main__":
    from torch._inductor.test_case import run_tests

    run_tests()
