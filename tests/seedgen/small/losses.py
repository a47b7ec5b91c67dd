"""Families of losses and of normalisations. Operands are of one dtype, if a family doesn't say otherwise, and have
elements."""

from torch.nn import functional

from small.engine import Family
from small.reading import plain
from small.tensors import FLOATS, WIDE, alike, is_spec, shapes, specs, upto

REDUCTIONS = ("mean", "sum", "none")


def reduced(count, dtypes=FLOATS, ranks=upto(2)):
    return lambda op: alike(count, dtypes, ranks, 1, [(reduction,) for reduction in REDUCTIONS])(op)


# The tensors, and the reduction, which is a mean where none is given. Other settings are numbers, and left out.
def loss_read(count):
    def read(op, arguments):
        texts = [one.strip('"') for one in arguments[count:] if isinstance(one, str)]
        if any(map(is_spec, arguments[count:])) or not set(texts) <= {"mean", "sum", "none"}:
            return None
        return (*arguments[:count], *(texts or ["mean"]))

    return read


def loss(op):
    return lambda *given: getattr(functional, op)(*given[:-1], reduction=given[-1])


# Both operands of one shape: eager warns of others, and broadcasts them.
def pair_calls(op):
    return (call for call in reduced(2)(op) if call[0][1] == call[1][1])


def three_calls(op):
    dtypes, ranks = (FLOATS, upto(2)) if op == "margin_ranking_loss" else (FLOATS, upto(2, 1))
    return (call for call in reduced(3, dtypes, ranks)(op) if call[0][1] == call[1][1] == call[2][1])


# A target has the shape of the losses.
def class_calls(op):
    for dtype, shape in specs(FLOATS if op == "nll_loss" else WIDE, upto(2, 1), 1):
        yield from (((dtype, shape), ("int64", shape[:-1]), reduction) for reduction in REDUCTIONS)


# Targets are class 0.
def class_loss(op):
    return lambda x, target, reduction: getattr(functional, op)(x, target * 0, reduction=reduction)


def layer_calls(op):
    for x in specs(FLOATS, upto(2, 1), 1):
        for over in shapes(upto(2, 1), 1):
            yield x, over, None
            for dtype in {x[0], "float32"} if op == "layer_norm" else {x[0]}:
                yield from ((x, over, (dtype, weight)) for weight in shapes(upto(2, 1), 1))


def layer(op):
    return lambda x, over, weight: getattr(functional, op)(x, over, weight)


# By itself, or with the first parameter alone.
def layer_read(op, arguments):
    x, over, *more = plain(op, arguments)
    if op == "layer_norm":
        # Without its name a bias can't be told from a weight.
        more = more[:2]
        if more and is_spec(more[0]) and (len(more) < 2 or not is_spec(more[1])):
            return None
    weight = more[0] if more and is_spec(more[0]) else None
    return x, over, weight


# A parameter in float32 beside half precision only over batches.
def batch_calls(op):
    least = 2 if op == "batch_norm" else 3
    for x in specs(FLOATS, upto(3, least), 1):
        for parameter in (None, *specs(FLOATS if op == "batch_norm" else x[:1], 1, 1)):
            yield x, None, parameter, True
            for dtype in FLOATS if op == "batch_norm" else ():
                yield from ((x, (dtype, (length,)), parameter, trains) for length in (1, 2) for trains in (False, True))


def batch(op):
    def run(x, statistic, parameter, trains):
        mean, variance = (None, None) if statistic is None else (statistic.clone(), statistic.clone())
        return getattr(functional, op)(x, mean, variance, parameter, None, trains)

    return run


# The first one of statistics, and of weight and bias. Of instance_norm they can't be told from each other.
def batch_read(op, arguments):
    trains = next((one for one in arguments if isinstance(one, bool)), op == "instance_norm")
    tensors = [one for one in arguments[1:] if is_spec(one)]
    if op == "instance_norm":
        return (arguments[0], None, tensors[0] if tensors else None, trains) if len(tensors) < 2 and trains else None
    statistic = tensors.pop(0) if is_spec(arguments[1]) else None
    if statistic:
        tensors.pop(0)
    return arguments[0], statistic, tensors[0] if tensors else None, trains


FAMILIES = {
    "batch_norm": Family(("batch_norm", "instance_norm"), batch_calls, rank=3, read=batch_read, run=batch,
                         draws=60000),
    "loss": Family(("mse_loss", "l1_loss"), pair_calls, read=loss_read(2), run=loss, draws=60000),
    "loss_class": Family(("nll_loss", "multi_margin_loss"), class_calls, read=loss_read(2), run=class_loss,
                         draws=60000),
    "loss_distance": Family(("margin_ranking_loss", "triplet_margin_loss"), three_calls, read=loss_read(3), run=loss,
                            draws=60000),
    "loss_score": Family(("binary_cross_entropy_with_logits", "poisson_nll_loss"), pair_calls, read=loss_read(2),
                         run=loss, draws=60000),
    "normalization": Family(("layer_norm", "rms_norm"), layer_calls, read=layer_read, run=layer, draws=60000),
}
