"""Where the results of a call lie, and which calls nothing is said of.

    python bounds_test.py
"""

import math
import pathlib
import random
import sys
import unittest

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "pyrunner"))

from harvest import bounds, live  # noqa: E402
from harvest.intervals import Unbounded  # noqa: E402

F = torch.nn.functional
WEIGHT = torch.tensor([[[[1.0, -2.0], [0.5, 1.5]]], [[[0.0, 3.0], [-1.0, 0.25]]]])
# Calls of one 2 x 8 matrix, elements in (-4, 4), or (1/16, 4) where a number says so; each has a rule.
ANY = {
    "conv2d": lambda x: F.conv2d(x.view(1, 1, 4, 4), WEIGHT, torch.tensor([1.0, -1.0]), padding=1),
    "conv_transpose2d": lambda x: F.conv_transpose2d(x.view(1, 2, 2, 4), WEIGHT),
    "linear": lambda x: F.linear(x, torch.linspace(-2, 3, 24).view(3, 8), torch.tensor([1.0, 2.0, 3.0])),
    "matmul": lambda x: x @ x.t(), "einsum": lambda x: torch.einsum("ij,kj->ik", x, x),
    "addr": lambda x: torch.addr(x, x[:, 0], x[0]),
    "baddbmm": lambda x: torch.baddbmm(x.view(1, 4, 4), x.view(1, 4, 4), x.view(1, 4, 4), beta=0.5, alpha=-2),
    "softmax": lambda x: x.softmax(1), "log_softmax": lambda x: x.log_softmax(0),
    "logsumexp": lambda x: x.logsumexp(1), "sum": lambda x: x.sum(1), "mean": lambda x: x.mean(),
    "prod": lambda x: x.prod(0), "cumsum": lambda x: x.cumsum(1), "var": lambda x: x.var(1),
    "std": lambda x: x.std(1, correction=0), "norm": lambda x: torch.linalg.norm(x, 3, 1),
    "dist": lambda x: torch.dist(x, x[:1], 2), "cdist": lambda x: torch.cdist(x, x.flip(1), 1.5),
    "pow": lambda x: x**3, "layer_norm": lambda x: F.layer_norm(x, (8,), x[0], x[1]),
    "group_norm": lambda x: F.group_norm(x, 4), "batch_norm": lambda x: F.batch_norm(x, None, None, training=True),
    "gelu": F.gelu, "mish": F.mish, "elu": lambda x: F.elu(x, 2.5), "hardswish": F.hardswish,
    "softplus": lambda x: F.softplus(x, 0.5), "logsigmoid": F.logsigmoid, "tanh": torch.tanh, "exp": torch.exp,
    "erfc": torch.erfc, "sinc": torch.sinc, "cosh": torch.cosh, "clamp": lambda x: x.clamp(-1, 0.5),
    "lerp": lambda x: torch.lerp(x, x.flip(1), 0.3), "addcmul": lambda x: torch.addcmul(x, x, x, value=-2),
    "glu": lambda x: F.glu(x, 1), "huber": lambda x: F.huber_loss(x, x.flip(0), delta=0.7),
    "mse": lambda x: F.mse_loss(x, x.flip(1), reduction="sum"),
    "cross_entropy": lambda x: F.cross_entropy(x, torch.tensor([0, 7])),
    "smooth_l1": lambda x: F.smooth_l1_loss(x, x.flip(0), beta=0.1),
    "bce_logits": lambda x: F.binary_cross_entropy_with_logits(x, x.sigmoid()),
    "avg_pool": lambda x: F.avg_pool2d(x.view(1, 1, 4, 4), 3, 1, 1),
    "bicubic": lambda x: F.interpolate(x.view(1, 1, 4, 4), scale_factor=1.7, mode="bicubic"),
    "fft": lambda x: torch.fft.rfft(x).abs(), "max_pool": lambda x: F.max_pool2d(x.view(1, 1, 4, 4), 3, 1, 1),
    "sort": lambda x: x.sort(1)[0], "topk": lambda x: x.topk(3)[0],
    "scatter_add": lambda x: x.scatter_add(1, torch.zeros(2, 8, dtype=torch.int64), x),
    "where": lambda x: torch.where(x > 0, x, -2 * x),
    "written": lambda x: x.clone().index_fill_(1, torch.tensor([1]), 9.0),
    "embedding": lambda x: F.embedding(torch.tensor([1, 0]), x), "remainder": lambda x: torch.remainder(x, 1.5),
    "hermite": lambda x: torch.special.hermite_polynomial_h(x, torch.tensor(3)),
    "complex": lambda x: torch.view_as_real(torch.complex(x, x.flip(1)).conj() * torch.complex(x, x)),
    "through a view": lambda x: (y := x.clone(), y[0].mul_(3), y)[2],
}
POSITIVE = {
    "log": torch.log, "rsqrt": torch.rsqrt, "div": lambda x: x.flip(1) / x, "lgamma": torch.lgamma,
    "digamma": torch.digamma, "polygamma": lambda x: torch.polygamma(2, x), "xlogy": lambda x: torch.xlogy(x - 1, x),
    "pow": lambda x: x ** (x - 2), "addcdiv": lambda x: torch.addcdiv(x, x, x, value=-3),
    "floor_divide": lambda x: x.flip(1) // x,
}
REFUSED = {
    "asks for an element": lambda x: x if x[0, 0] > 1 else -x, "shapes that depend": torch.nonzero,
    "unique": torch.unique, "near a pole": torch.log, "a divisor that may be 0": lambda x: 1 / x,
    "no rule": lambda x: torch.linalg.inv(x.view(4, 4)), "places that depend": lambda x: x[0][x.argmax(1)],
    "may be infinite": lambda x: (x * 10).exp() ** 3, "statistics": lambda x: F.batch_norm(x, x[0], x[0]),
}
JUMPS = ("where", "remainder")


def told(function, interval, example=None):
    example = torch.linspace(*interval, 16).view(2, 8) if example is None else example
    return bounds.results_of(function, [example], [interval])


def leaves(result):
    return list(result) if isinstance(result, (list, tuple)) else [result]


class Bounds(unittest.TestCase):
    def check_holds(self, name, function, interval):
        dice = random.Random(name)
        [(low, high), jumps] = told(function, interval)[0]
        widest = 0.0
        for which in range(60):
            if which < 20:
                elements = [dice.choice((*interval, min(max(0.0, interval[0]), interval[1]))) for _ in range(16)]
            else:
                elements = [dice.uniform(*interval) for _ in range(16)]
            for one in leaves(function(torch.tensor(elements).view(2, 8))):
                found = bounds.measured(one)
                self.assertTrue(low <= found[0] and found[1] <= high, f"{name}: {found} is not in {(low, high)}")
                widest = max(widest, abs(found[0]), abs(found[1]))
        self.assertTrue(math.isfinite(low) and math.isfinite(high), name)
        self.assertGreater(widest, 0, name)
        return jumps

    def test_results_lie_where_they_shall(self):
        for name, function in ANY.items():
            self.assertEqual(self.check_holds(name, function, (-4.0, 4.0)), name in JUMPS, name)
        for name, function in POSITIVE.items():
            self.assertEqual(self.check_holds(name, function, (1 / 16, 4.0)), name == "floor_divide", name)

    def test_a_convolution_is_bounded_by_its_weights(self):
        [(low, high), _] = told(lambda x: F.conv2d(x.view(1, 1, 4, 4), WEIGHT), (-1.0, 1.0))[0]
        most = 3.0 * 4  # the largest weight times their number
        self.assertTrue(most <= high <= most * 1.01 and -most * 1.01 <= low <= -most, (low, high))

    def test_nothing_is_said_of_others(self):
        for name, function in REFUSED.items():
            with self.assertRaises(Unbounded, msg=name):
                told(function, (-4.0, 4.0))
        with self.assertRaises(Unbounded):
            told(lambda x: F.binary_cross_entropy(x, x), (-4.0, 4.0), torch.full((2, 8), 0.5))

    def test_constants_are_measured(self):
        fixed = torch.tensor([2.0, -5.0])
        [(low, high), _] = bounds.results_of(lambda x, y: x[0, :2] + y, [torch.ones(2, 8), fixed], [(0.0, 1.0), None])[0]
        self.assertTrue(-5.1 < low <= -5 and 3 <= high < 3.1, (low, high))

    def test_an_operand_that_is_written_counts_as_it_was(self):
        [(low, high), _] = bounds.results_of(lambda x, y: y.clone().mul_(x[0, 0]), [torch.ones(2, 8), torch.tensor([3.0])],
                                             [(-2.0, 2.0), None])[0]
        self.assertTrue(low <= -6 and 6 <= high < 6.1, (low, high))

    def test_levels_of_a_call(self):
        def found(function, *arguments):
            return live.found_for(function, arguments, leaves(function(*arguments)), [False] * len(arguments))

        example = torch.linspace(-3, 3, 16).view(2, 8)
        self.assertEqual(len(found(torch.tanh, example)["levels"]), 3)
        self.assertEqual(found(torch.exp, example)["levels"][0]["arguments"], [[-16.0, 16.0]])
        self.assertTrue(found(torch.exp, example)["gradients"])
        self.assertFalse(found(torch.exp, example)["exact"])
        self.assertTrue(found(torch.floor, example)["exact"])
        self.assertFalse(found(lambda x: x.argmax(), example)["gradients"])
        self.assertIsNone(found(torch.log, example), "recorded elements are outside what is proved")
        self.assertEqual(found(torch.log, example.abs() + 1)["levels"][0]["arguments"], [[1 / 16, 256.0]])
        only_first = found(lambda x, y: x / y, example, example)
        self.assertEqual((only_first or {}).get("free", [0]), [0])


if __name__ == "__main__":
    unittest.main()
