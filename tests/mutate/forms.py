"""How the operators of the tables that mutations read are called: what stands behind their operands, and on which shapes.

A row of CALLS: names, then forms. A form is the text of the arguments, in which x, y, z are tensors, i is a tensor of
indices and m a mask; or a pair of it and the shapes of x, y and z where those by default (SHAPES) don't do. Names that have
no row take their operands alone.
"""

import torch
import torch.nn.functional as F

# For x, y, z.
SHAPES = [[(2, 3), (2, 3), (2, 3)], [(2, 3), (), (3,)], [(), (2, 3), ()], [(3,), (2, 1), (1,)], [(), (), ()], [(0, 3), (3,), (1, 3)]]
SQUARE = [[(3, 3), (3, 3), (3, 3)]]
IMAGE = [[(2, 4, 6, 6)], [(4, 6, 6)]]
SIGNAL = [[(2, 4, 6)]]
VOLUME = [[(1, 4, 4, 4, 4)]]


def on(shapes, *texts):
    return [(text, shapes) for text in texts]


CALLS = {
    "clamp clip": ["x, 0, 1", "x, min=0"],
    "clamp_min clamp_max": ["x, 1"],
    "threshold": ["x, 1, 0"],
    "celu leaky_relu elu selu softplus": ["x"],
    "masked_fill": ["x, m, 0"],
    "where": ["m, x, y"],
    "lerp": ["x, y, 0.5"],
    "full_like": ["x, 1"],
    "sum mean nansum nanmean amax amin argmax argmin all any count_nonzero": ["x", "x, 0", "x, dim=-1, keepdim=True", "x, dim=0"],
    "std var": ["x", "x, 0"],
    "logsumexp": ["x, 0", "x, dim=-1, keepdim=True"],
    "std_mean var_mean": ["x"],
    "kthvalue topk": ["x, 1"],
    "cummax cummin": ["x, 0", "x, dim=-1"],
    "softmax log_softmax softmin": ["x, 0", "x, dim=-1"],
    "cumsum cumprod logcumsumexp": ["x, 0", "x, dim=-1"],
    "matmul": on([[(2, 3), (3, 2)], [(3,), (3,)], [(4, 2, 3), (3,)], [(4, 2, 3), (4, 3, 1)]], "x, y"),
    "mm": on([[(2, 3), (3, 2)]], "x, y"),
    "bmm": on([[(4, 2, 3), (4, 3, 2)]], "x, y"),
    "mv": on([[(2, 3), (3,)]], "x, y"),
    "dot inner": on([[(3,), (3,)]], "x, y"),
    "tensordot": on([[(2, 3), (3, 2)]], "x, y, 1"),
    "linear": on([[(2, 3), (4, 3), (4,)], [(3,), (4, 3), (4,)], [(5, 2, 3), (4, 3), (4,)]], "x, y", "x, y, z"),
    "addmm": on([[(2, 2), (2, 3), (3, 2)]], "x, y, z"),
    "addmv": on([[(2,), (2, 3), (3,)]], "x, y, z"),
    "baddbmm": on([[(4, 2, 2), (4, 2, 3), (4, 3, 2)]], "x, y, z"),
    "addbmm": on([[(2, 2), (4, 2, 3), (4, 3, 2)]], "x, y, z"),
    "bilinear": on([[(2, 3), (2, 4), (5, 3, 4)]], "x, y, z"),
    "cdist pairwise_distance cosine_similarity": on([[(2, 3), (2, 3)]], "x, y"),
    "mse_loss l1_loss smooth_l1_loss huber_loss": ["x, y", "x, y, reduction='none'"],
    "flatten": ["x", *on([[(2, 3, 4)]], "x, 1", "x, 0, 1")],
    "squeeze": ["x", *on([[(1, 3)], [(2, 3)]], "x, 0")],
    "unsqueeze": ["x, 0", "x, -1"],
    "transpose swapaxes swapdims movedim moveaxis": on([[(2, 3)], [(2, 3, 4)]], "x, 0, 1", "x, -1, 0"),
    "permute": on([[(2, 3)]], "x, (1, 0)"),
    "reshape": ["x, (-1,)", *on([[(2, 3)]], "x, (3, 2)", "x, (3, -1)")],
    "view": on([[(2, 3)]], "x, (3, 2)"),
    "narrow": on([[(2, 3)], [(3,)]], "x, 0, 0, 1"),
    "select": on([[(2, 3)], [(3,)]], "x, 0, 1", "x, -1, 0"),
    "flip": on([[(2, 3)]], "x, (0,)", "x, (0, 1)"),
    "roll": on([[(2, 3)]], "x, 1, 0"),
    "expand": on([[(2, 3)], [(3,)], [(2, 1)]], "x, (2, 3)"),
    "broadcast_to": on([[(2, 3)], [(3,)]], "x, (2, 3)"),
    "repeat": on([[(2, 3)], [(3,)]], "x, (2, 2)"),
    "tile": on([[(2, 3)]], "x, (2, 2)"),
    "t": on([[(2, 3)], [(3,)], [()]], "x"),
    "tril triu fliplr adjoint": on([[(2, 3)], [(4, 2, 3)]], "x"),
    "rot90": on([[(2, 3)]], "x"),
    "flipud": on([[(2, 3)], [(3,)]], "x"),
    "diag": on([[(3,)], [(2, 3)]], "x"),
    "diagonal": on([[(2, 3)]], "x"),
    "diff diag_embed": on([[(2, 3)]], "x"),
    "view_as expand_as": on([[(2, 3), (2, 3)]], "x, y"),
    "unflatten": on([[(2, 3)]], "x, 1, (3, 1)"),
    "as_strided": on([[(2, 3)]], "x, (2, 2), (1, 1)"),
    "unfold": on([[(2, 3)]], "x, 1, 2, 1", "x, (1, 1)") + on(IMAGE, "x, (2, 2)"),
    "take": on([[(2, 3)]], "x, i"),
    "index_select": on([[(2, 3)]], "x, 0, i"),
    "gather": on([[(2,)]], "x, 0, i"),
    "take_along_dim": on([[(2,)]], "x, i, 0"),
    "pad": on([[(2, 3)]], "x, (0, 1)"),
    "cat concat concatenate": on([[(2, 3), (2, 3)]], "[x, y], 0", "[x, y], dim=-1", "(x, y)"),
    "stack": on([[(2, 3), (2, 3)]], "[x, y], 0", "[x, y], dim=-1", "[x, y]"),
    "hstack vstack dstack column_stack": on([[(2, 3), (2, 3)], [(3,), (3,)], [(), ()], [(2, 3, 4), (2, 3, 4)]], "[x, y]"),
    "chunk tensor_split": on([[(2, 3)]], "x, 2"),
    "split": on([[(2, 3)]], "x, 1"),
    "unbind": on([[(2, 3)]], "x"),
    "conv1d": on([[(2, 4, 6), (3, 4, 2), (3,)]], "x, y", "x, y, z"),
    "conv2d": on([[(2, 4, 6, 6), (3, 4, 2, 2), (3,)]], "x, y", "x, y, z"),
    "conv3d": on([[(1, 4, 4, 4, 4), (3, 4, 2, 2, 2), (3,)]], "x, y"),
    "conv_transpose1d": on([[(2, 4, 6), (4, 3, 2), (3,)]], "x, y"),
    "conv_transpose2d": on([[(2, 4, 6, 6), (4, 3, 2, 2), (3,)]], "x, y"),
    "conv_transpose3d": on([[(1, 4, 4, 4, 4), (4, 3, 2, 2, 2), (3,)]], "x, y"),
    "avg_pool1d max_pool1d": on(SIGNAL, "x, 2"),
    "avg_pool2d max_pool2d": on(IMAGE, "x, 2"),
    "avg_pool3d max_pool3d": on(VOLUME, "x, 2"),
    "adaptive_avg_pool1d adaptive_max_pool1d": on(SIGNAL, "x, 2"),
    "adaptive_avg_pool2d adaptive_max_pool2d": on(IMAGE, "x, 2", "x, (2, 3)"),
    "adaptive_avg_pool3d adaptive_max_pool3d": on(VOLUME, "x, 2", "x, (2, 3, 1)"),
    "layer_norm": on([[(2, 3)], [(4, 2, 3)]], "x, (3,)"),
    "glu": on([[(2, 4)]], "x"),
    "pixel_shuffle": on(IMAGE, "x, 2"),
    "pixel_unshuffle": on(IMAGE, "x, 2"),
    "interpolate": on([[(2, 4, 6, 6)]], "x, scale_factor=2"),
    "gcd lcm": ["x, y"],
    "norm vector_norm normalize median nanmedian mode aminmax max min": on([[(2, 3)], [(3,)]], "x"),
    "trace": on(SQUARE, "x"),
    "bitwise_left_shift bitwise_right_shift": ["x, 2"],
}
BY_NAME = {name: forms for names, forms in CALLS.items() for name in names.split()}
OPERANDS = {1: "x", 2: "x, y", 3: "x, y, z", -1: "[x, y]"}


def forms(name, operands):
    """[(text of the arguments, shapes of x, y, z)] of an operator with that many operands."""
    made = []
    for form in BY_NAME.get(name, [OPERANDS[operands]]):
        text, shapes = form if isinstance(form, tuple) else (form, SHAPES)
        made += [(text, list(one)) for one in shapes]
    return made


def callables(name):
    """The texts by which an operator of that name can be called: functions of torch's namespaces, and "" for a method."""
    namespaces = {"torch": torch, "F": F, "torch.special": torch.special, "torch.linalg": torch.linalg}
    found = [f"{text}.{name}" for text, namespace in namespaces.items() if callable(getattr(namespace, name, None))]
    return found + ([""] if callable(getattr(torch.Tensor, name, None)) else [])


def expression(function, name, arguments):
    """The call's text: of a function, or of a method of its first argument."""
    if function:
        return f"{function}({arguments})"
    first, _, rest = arguments.partition(", ")
    return None if first.startswith(("[", "(")) else f"{first}.{name}({rest})"
