"""Tables of names that mutations rely on, name by name against eager torch.

    guards.py TABLE_PIPE

pure_names: each must have a call that eager takes, give one tensor, write none of its operands, draw no random numbers, and
give the same twice. rounding: each must have a call whose result or gradient moves by more than rounding when its input
moves by rounding (a unit in the last place, or what a cancellation leaves of it), and the guard must see it as a function, as
a method and in place; and no operator of the table core/operators.tsv that the guard lets pass may have a result that does so
inside its domain, where nothing is zero. writes: each operator of the table that writes a parameter must have calls that do
and calls that don't. Exits 1 when one does not.
"""

import argparse
import itertools
import math
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F

import forms
import tables

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests" / "operators")]

import jumps as numbers  # noqa: E402
import measures  # noqa: E402
import operator_table  # noqa: E402

# Arguments to try behind a name, in turn.
ARGUMENTS = ["x", "x, y", "x, y, z", "x, 1", "x, 0", "x, 0, 1", "x, (2, 3)", "x, (0, 1)", "(2, 3)", "(2, 3), 1", "5", "x, m, 0", "m, x, y",
             "[x, y]", "x, 0, i", "x, 0, i, y", "x, 0, i, 1", "i, x", "x, i", "x, y, 0.5", "x, 2", "1, x", "x, 0.5", "x, 0.5, 0.25",
             "x, 0.5, 0", "x, 2, 0, 1", "x, (3,)", "x, dtype=torch.float16", "x, torch.int32", "x, i2, 0", "x, t"]
SHAPES = [(2, 2), (2,), (), (3, 3), (2, 4, 6), (2, 4, 6, 6), (2, 4, 4, 4, 4)]
# Calls that no such arguments are.
CALLS = {
    "conv1d": [("torch.conv1d(x, w)", {"x": (2, 4, 6), "w": (3, 4, 2)})],
    "conv2d": [("torch.conv2d(x, w)", {"x": (2, 4, 6, 6), "w": (3, 4, 2, 2)})],
    "batch_norm": [("F.batch_norm(x, None, None, training=True)", {"x": (2, 3)})],
    "cross": [("torch.linalg.cross(x, y)", {"x": (2, 3), "y": (2, 3)})],
    "embedding": [("F.embedding(i, x)", {"x": (3, 2)})],
    "renorm": [("torch.renorm(x, 2, 0, 1.0)", {"x": (2, 3)})],
    "view": [("x.view(4)", {"x": (2, 2)})],
    "new_full": [("x.new_full((2,), 1)", {"x": (2, 2)})],
    "addmv": [("torch.addmv(x, y, z)", {"x": (2,), "y": (2, 3), "z": (3,)})],
    "bmm": [("torch.bmm(x, y)", {"x": (2, 3, 4), "y": (2, 4, 5)})],
    "baddbmm": [("torch.baddbmm(x, y, z)", {"x": (2, 3, 5), "y": (2, 3, 4), "z": (2, 4, 5)})],
}


def scope(shapes, dtype, values=None):
    made = {name: tables.tensor(dtype, shape, place) for place, (name, shape) in enumerate(shapes.items())}
    if values is not None:
        made["x"] = values.to(dtype)
    first = made["x"].shape
    return made | {"m": torch.ones(first, dtype=torch.bool), "i": torch.tensor([1, 0]), "i2": torch.zeros(first, dtype=torch.int64),
                   "t": torch.tensor([0] * (first[0] if first else 1)), "torch": torch, "F": F, "math": math}


def calls(name):
    """[(text, shapes)] of everything that might be a call of it."""
    for text, shapes in CALLS.get(name, []):
        yield text, shapes
    for arguments, shape in itertools.product(ARGUMENTS, SHAPES):
        for function in forms.callables(name):
            text = forms.expression(function, name, arguments)
            if text:
                yield text, dict.fromkeys("xyz", shape)


def taken(text, values):
    try:
        made = eval(tables.compiled(text), dict(values))
    except Exception:  # noqa: BLE001: whatever eager refuses with, it refuses
        return None
    return made


def bits(tensor):
    dense = torch.empty(tensor.numel(), dtype=tensor.dtype)
    dense.copy_(tensor.detach().reshape(-1))
    return dense.view(torch.uint8).tolist() if dense.numel() else []


def pure(name):
    """What is wrong with it, or ""."""
    seen = False
    for text, shapes in calls(name):
        for dtype in (torch.float32, torch.int64, torch.bool):
            values = scope(shapes, dtype)
            before = {key: bits(value) for key, value in values.items() if isinstance(value, torch.Tensor)}
            chance = torch.get_rng_state()
            first = taken(text, values)
            if first is None or not isinstance(first, torch.Tensor):
                # In another namespace or with other arguments a name may give a pair, or a number.
                continue
            seen = True
            if not torch.equal(chance, torch.get_rng_state()):
                return f"{text} draws random numbers"
            if any(bits(values[key]) != was for key, was in before.items()):
                return f"{text} writes an operand"
            if bits(first) != bits(taken(text, values)):
                return f"{text} gives another result the second time"
        if seen:
            return ""
    return "no call of it was found"


# Inputs at which something may jump: whole numbers, halves, zeros of both signs, equal elements, ties of bfloat16 and half,
# the largest ones with a finite square, the largest ones, and some others that are large.
POINTS = [0.0, -0.0, 0.25, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -3.0, 6.0, 20.0, 88.0, math.pi / 2, 1e-38, 1e4, 16777216.0, 1e19,
          1.00390625, 1.00048828125, 1.8446742974197924e19, 3.4028234663852886e38, -3.4028234663852886e38]
MODERATE = [0.25, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -3.0]
# What is left of a unit in the last place of 1 where two such are subtracted.
CANCELLED = 2.0**-23


def beside(point):
    """What rounding makes of a point."""
    at = torch.tensor(point)
    near = [torch.nextafter(at, torch.tensor(towards)).item() for towards in (math.inf, -math.inf)]
    return near + ([CANCELLED, -CANCELLED] if point == 0 else [])


def moved(text, shapes, point, near, gradients=True):
    """Whether the result (or its gradient) is another one by more than rounding beside the point."""
    shape = shapes["x"]
    one = torch.full(shape, point)
    other = one.clone()
    other.reshape(-1)[:1] = near
    results = []
    for values in (one, other):
        values.requires_grad_()
        made = taken(text, scope(shapes, torch.float32) | {"x": values})
        if made is None:
            return False
        parts = [part for part in (made if isinstance(made, (tuple, list)) else [made])]
        result = [part.detach() if isinstance(part, torch.Tensor) else part for part in parts]
        real = [part for part in parts if isinstance(part, torch.Tensor) and part.requires_grad and part.is_floating_point()]
        if real and gradients:
            try:
                result.append(torch.autograd.grad(sum(part.sum() for part in real), values, allow_unused=True)[0])
            except RuntimeError:
                pass
        results.append(result)
    return not alike(*results)


def alike(one, other):
    if len(one) != len(other):
        return False
    for mine, its in zip(one, other):
        if isinstance(mine, torch.Tensor) and isinstance(its, torch.Tensor):
            if mine.shape != its.shape:
                return False
            if mine.dtype == its.dtype == torch.float32 and mine.layout == its.layout == torch.strided:
                # As assert_close does, in a tenth of its time.
                if not torch.allclose(mine, its, rtol=1.3e-6, atol=1e-5, equal_nan=True):
                    return False
                continue
            try:
                torch.testing.assert_close(mine, its, equal_nan=True)
            except AssertionError:
                return False
        elif isinstance(mine, float) and isinstance(its, float):
            if not math.isclose(mine, its, rel_tol=1.3e-6, abs_tol=1e-5):
                return False
        elif mine != its:
            return False
    return True


# Nearly singular where x is 1.
MATRIX = "(torch.ones(2, 2) + torch.diag(torch.stack((x[0] * 0, x[0] - 1 + 1e-6))))"
# Names whose calls above don't show it, and a text in which x jumps or is magnified.
ELSEWHERE = {
    "allclose": "torch.allclose(x, x * 0, 0.0, 1.0)",
    "bfloat16": "x.bfloat16().float()",
    "cholesky": f"torch.linalg.cholesky({MATRIX})",
    "cosine_similarity": "F.cosine_similarity(x, torch.ones(2), 0)",
    "cumprod": "torch.cumprod(x[:1].expand(64), 0)",
    "divmod": "divmod(x[0].item(), 1.0)[0]",
    "fractional_max_pool2d":
        "F.fractional_max_pool2d(x[:1].expand(36).reshape(1, 6, 6).clone().flatten(1).index_put((torch.tensor(0), "
        "torch.tensor(0)), x[1]).reshape(1, 6, 6), 2, 1, None, True, torch.zeros(1, 1, 2))",
    "fractional_max_pool3d":
        "F.fractional_max_pool3d(x[:1].expand(216).reshape(1, 216).clone().index_put((torch.tensor(0), torch.tensor(0)), "
        "x[1]).reshape(1, 6, 6, 6), 2, 1, None, True, torch.zeros(1, 1, 3))",
    "grid_sample": "F.grid_sample(torch.arange(16.0).reshape(1, 1, 4, 4), x.reshape(1, 1, 1, 2), 'nearest', 'zeros', False)",
    "half": "x.half().float()",
    "inv": f"torch.linalg.inv({MATRIX})",
    "inverse": f"torch.inverse({MATRIX})",
    "isclose": "torch.isclose(x, x * 0, 0.0, 1.0)",
    "isnan": "torch.isnan(x - math.inf)",
    "item": "[x[0].item()]",
    "local_response_norm": "F.local_response_norm(x.reshape(1, 2, 1), 2)",
    "logical_or": "torch.logical_or(x, x)",
    "matrix_exp": "torch.matrix_exp(x[:1].reshape(1, 1))",
    "multinomial": "(x > 0).sum()",
    "polar": "torch.polar(x, x * 1e7)",
    "print": "repr(x[0].item())",
    "solve": f"torch.linalg.solve({MATRIX}, torch.ones(2))",
    "to": "x.to(torch.int32)",
    "type": "x.type(torch.int32)",
    "type_as": "x.type_as(i)",
}
# What no point of a few can show: a draw is compared with the operand.
UNSHOWN = {"bernoulli"}
# These magnify only where all elements are equal, as here; elsewhere they divide by what the elements differ by.
WHERE_ALL_ARE_EQUAL = {"layer_norm"}


def jumps(name, points=POINTS, most=12, gradients=True):
    """A text in which the name jumps, among the first `most` that eager takes, or ""."""
    found = [(ELSEWHERE[name], {"x": (2,)})] if name in ELSEWHERE else calls(name)
    for text, shapes in found:
        chance = torch.get_rng_state()
        if name not in ELSEWHERE and taken(text, scope(shapes, torch.float32)) is None:
            continue
        if not gradients and not torch.equal(chance, torch.get_rng_state()):
            continue  # it differs by chance
        most -= 1
        if most < 0:
            break
        for point in points:
            if any(moved(text, shapes, point, near, gradients) for near in beside(point)):
                return text
    return ""


def jumps_by_numbers(rows, name):
    """Whether tests/operators/jumps.py finds it, for an operator of one or two operands."""
    row = rows.get(name)
    return bool(row and numbers.jumps(measures.function_of(row), measures.needed(row)))


# Of the rows of the table that name a written parameter: calls that write, and calls that don't. The others need a GPU.
WRITERS = {
    "batch_norm": (["F.batch_norm(x, mean, var, training=True)", "F.batch_norm(x, mean, var, None, None, True)",
                    "torch.batch_norm(x, None, None, mean, var, True, 0.1, 1e-5, False)"],
                   ["F.batch_norm(x, mean, var)", "F.batch_norm(x, None, None, training=True)"]),
    "native_batch_norm": (["torch.native_batch_norm(x, None, None, mean, var, True, 0.1, 1e-5)"],
                          ["torch.native_batch_norm(x, None, None, mean, var, False, 0.1, 1e-5)"]),
    "batch_norm_update_stats": (["torch.batch_norm_update_stats(x, mean, var, 0.1)"], []),
    "instance_norm": (["F.instance_norm(x, mean, var)", "torch.instance_norm(x, None, None, mean, var, True, 0.1, 1e-5, False)"],
                      ["F.instance_norm(x)"]),
    "embedding": (["F.embedding(i, weight, max_norm=0.5)", "F.embedding(i, weight, None, 0.5)"],
                  ["F.embedding(i, weight)", "torch.embedding(weight, i)"]),
    "embedding_bag": (["F.embedding_bag(i, weight, o, max_norm=0.5)", "F.embedding_bag(i, weight, o, 0.5)"],
                      ["F.embedding_bag(i, weight, o)"]),
}
ELSEWHERE_ALONE = {"batch_norm_gather_stats", "batch_norm_gather_stats_with_counts", "cudnn_batch_norm", "miopen_batch_norm"}


def writes(text):
    """Whether the call changes an operand; None where eager doesn't take it."""
    values = {"x": torch.arange(12.0).reshape(2, 2, 3), "mean": torch.zeros(2), "var": torch.ones(2), "i": torch.tensor([1, 0]),
              "o": torch.tensor([0]), "weight": torch.full((2, 3), 2.0), "torch": torch, "F": F}
    before = {key: value.clone() for key, value in values.items() if isinstance(value, torch.Tensor)}
    if taken(text, values) is None:
        return None
    return any(not torch.equal(values[key], was) for key, was in before.items())


def wrong_writers(rows):
    """What the column `writes` says otherwise than eager."""
    said = {name for name, row in rows.items() if row["writes"] != "-"}
    for name in sorted(said ^ (set(WRITERS) | ELSEWHERE_ALONE)):
        yield f"writes {name}: the table and the calls here don't name the same operators"
    for name, (writing, others) in WRITERS.items():
        for text in writing:
            if writes(text) is not True:
                yield f"writes {name}: {text} writes nothing"
        for text in others:
            if writes(text) is not False:
                yield f"writes {name}: {text} writes"


def guard_sees(pipe, name):
    """Texts in which the guard overlooks the name."""
    texts = [f"y = torch.{name}(x)", f"y = x.{name}()"]
    if callable(getattr(torch.Tensor, name + "_", None)):
        texts.append(f"x.{name}_(y)")
    return [text for text in texts if pipe.ask(jumps_in=text)["small"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pipe")
    pipe = tables.Pipe(parser.parse_args().pipe)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    known = pipe.ask(tables=True)
    rows, _ = operator_table.read_table(operator_table.TABLE)
    wrong = []
    for name in known["pure"]:
        if said := pure(name):
            wrong.append(f"pure {name}: {said}")
    for name in known["discontinuous"]:
        if name not in UNSHOWN and not jumps(name) and not jumps_by_numbers(rows, name):
            wrong.append(f"rounding {name}: no call of it jumps or magnifies")
        wrong += [f"rounding {name}: the guard overlooks {text!r}" for text in guard_sees(pipe, name)]
    for name in set(known["rules"]) - set(known["discontinuous"]) - WHERE_ALL_ARE_EQUAL:
        if text := jumps(name, MODERATE, 3, gradients=False):
            wrong.append(f"rounding {name}: {text} jumps, and the guard lets it pass")
    wrong += wrong_writers(rows)
    for text in ("x //= 2", "x %= 2", "y = x // 2", "y = x % 2", "y = x < 1", "y = torch.div(x, 2, rounding_mode='floor')",
                 "y = x == 1", "y = x.div(2, rounding_mode='trunc')", "x.lt_(y)", "x.ceil_()", "if x: y = 1", "y = x or a",
                 "y = not x", "y = 1 if x else 2", "y = str(x)", "y = repr(x)", "y = f'{x}'", "y = '{}'.format(x)",
                 "y = sorted(x)", "y = hash(x)"):
        if pipe.ask(jumps_in=text)["small"]:
            wrong.append(f"rounding: the guard overlooks {text!r}")
    for text in ("y = x * 2", "x += 1", "y = torch.exp(x)", "y = torch.div(x, 2, rounding_mode=None)", "y = x.add_(1)"):
        if not pipe.ask(jumps_in=text)["small"]:
            wrong.append(f"rounding: the guard stops at {text!r}")
    print("\n".join(wrong) if wrong else f"{len(known['pure'])} pure names and {len(known['discontinuous'])} discontinuous ones")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
