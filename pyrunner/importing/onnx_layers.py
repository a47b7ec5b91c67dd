"""ONNX's layers as torch calls: convolutions, pools, norms, activations with attributes, padding, resizing."""

import torch
from torch.nn import functional as F


class NotKnown(Exception):
    """A form of an operator that no torch calls are known for, in a few words."""


def numbers(tensor):
    """The elements of a tensor that says how."""
    return tensor.tolist()


def _pads(node, x, kernel, strides, dilations):
    """(begin, end) of each spatial dimension."""
    count, kind = len(kernel), node("auto_pad", "NOTSET")
    if kind == "VALID":
        return [(0, 0)] * count
    if kind in ("SAME_UPPER", "SAME_LOWER"):
        pads = []
        for size, width, stride, dilation in zip(x.shape[2:], kernel, strides, dilations):
            whole = max((-(-size // stride) - 1) * stride + (width - 1) * dilation + 1 - size, 0)
            less, more = whole // 2, whole - whole // 2
            pads.append((less, more) if kind == "SAME_UPPER" else (more, less))
        return pads
    pads = node("pads") or [0] * (2 * count)
    return list(zip(pads[:count], pads[count:]))


def _even(x, pads, value=0.0):
    """(x, padding) for torch, which pads both ends alike: what is uneven is padded before."""
    if all(begin == end for begin, end in pads):
        return x, [begin for begin, _ in pads]
    return F.pad(x, [side for pair in reversed(pads) for side in pair], value=value), [0] * len(pads)


def _conv(node, x, weight, bias=None):
    count = weight.dim() - 2
    strides, dilations = node("strides") or [1] * count, node("dilations") or [1] * count
    x, padding = _even(x, _pads(node, x, list(weight.shape[2:]), strides, dilations))
    run = {1: torch.conv1d, 2: torch.conv2d, 3: torch.conv3d}.get(count)
    if run is None:
        raise NotKnown(f"{count} dimensions")
    return run(x, weight, bias, strides, padding, dilations, node("group", 1))


def _conv_transpose(node, x, weight, bias=None):
    count = weight.dim() - 2
    pads = _pads(node, x, list(weight.shape[2:]), [1] * count, [1] * count)
    run = {1: torch.conv_transpose1d, 2: torch.conv_transpose2d, 3: torch.conv_transpose3d}.get(count)
    if run is None or node("auto_pad", "NOTSET") != "NOTSET" or node("output_shape") or any(a != b for a, b in pads):
        raise NotKnown("an output shape or uneven pads")
    return run(x, weight, bias, node("strides") or [1] * count, [begin for begin, _ in pads],
               node("output_padding") or [0] * count, node("group", 1), node("dilations") or [1] * count)


def _max_pool(node, x):
    kernel = node("kernel_shape")
    count = len(kernel)
    strides, dilations = node("strides") or [1] * count, node("dilations") or [1] * count
    pads = _pads(node, x, kernel, strides, dilations)
    least = float("-inf") if x.dtype.is_floating_point else torch.iinfo(x.dtype).min
    uneven = any(a != b or 2 * a > width for (a, b), width in zip(pads, kernel))
    if uneven:
        x, pads = F.pad(x, [side for pair in reversed(pads) for side in pair], value=least), [(0, 0)] * count
    run = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}.get(count)
    if run is None or len(node.outputs) > 1 or node("storage_order", 0):
        raise NotKnown("indices or that many dimensions")
    return run(x, kernel, strides, [begin for begin, _ in pads], dilations, bool(node("ceil_mode", 0)))


def _average_pool(node, x):
    kernel = node("kernel_shape")
    count = len(kernel)
    strides = node("strides") or [1] * count
    pads = _pads(node, x, kernel, strides, [1] * count)
    counted = bool(node("count_include_pad", 0))
    uneven = any(a != b or 2 * a > width for (a, b), width in zip(pads, kernel))
    if set(node("dilations") or [1]) != {1} or uneven and not counted:
        raise NotKnown("dilations or uneven pads that don't count")
    if uneven:
        x, pads = F.pad(x, [side for pair in reversed(pads) for side in pair]), [(0, 0)] * count
    run = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}.get(count)
    if run is None:
        raise NotKnown(f"{count} dimensions")
    return run(x, kernel, strides, [begin for begin, _ in pads], bool(node("ceil_mode", 0)), counted)


def _global(function):
    return lambda node, x: function(x, list(range(2, x.dim())), keepdim=True)


def _gemm(node, a, b, c=None):
    a = torch.t(a) if node("transA", 0) else a
    b = torch.t(b) if node("transB", 0) else b
    gave = torch.matmul(a, b)
    alpha, beta = node("alpha", 1.0), node("beta", 1.0)
    gave = gave if alpha == 1.0 else torch.mul(gave, alpha)
    return gave if c is None else torch.add(gave, c if beta == 1.0 else torch.mul(c, beta))


def _batch_norm(node, x, scale, bias, mean, variance):
    if node("training_mode", 0) or len(node.outputs) > 1:
        raise NotKnown("training")
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.1, node("epsilon", 1e-5))


def _layer_norm(node, x, scale, bias=None):
    if len(node.outputs) > 1:
        raise NotKnown("its mean as a result")
    return F.layer_norm(x, x.shape[node("axis", -1):], scale, bias, node("epsilon", 1e-5))


def _prelu(node, x, slope):
    return torch.where(x < 0, torch.mul(x, slope), x)


def _hard_sigmoid(node, x):
    return torch.clamp(torch.add(torch.mul(x, node("alpha", 0.2)), node("beta", 0.5)), 0.0, 1.0)


def _selu(node, x):
    alpha, gamma = node("alpha", 1.67326319217681884765625), node("gamma", 1.05070102214813232421875)
    return torch.mul(torch.where(x > 0, x, torch.mul(torch.expm1(x), alpha)), gamma)


def _thresholded(node, x):
    return torch.where(x > node("alpha", 1.0), x, torch.zeros_like(x))


def _shrink(node, x):
    bias, lambd = node("bias", 0.0), node("lambd", 0.5)
    return torch.where(x < -lambd, torch.add(x, bias), torch.where(x > lambd, torch.sub(x, bias), torch.zeros_like(x)))


def _dropout(node, x, ratio=None, training=None):
    if training is not None and numbers(training) or len(node.outputs) > 1:
        raise NotKnown("training or a mask")
    return torch.clone(x)


_MODES = {"constant": "constant", "reflect": "reflect", "edge": "replicate", "wrap": "circular"}


def _pad(node, x, pads=None, value=None, axes=None):
    pads = node("pads") if pads is None else numbers(pads)
    axes = list(range(x.dim())) if axes is None else numbers(axes)
    sides = [(0, 0)] * x.dim()
    for at, axis in enumerate(axes):
        sides[axis] = (pads[at], pads[at + len(axes)])
    mode = _MODES.get(node("mode", "constant"))
    if mode is None:
        raise NotKnown(f"the mode {node('mode')}")
    if mode == "constant":
        number = node("value", 0.0) if value is None else numbers(value.reshape(()))
        number = number if x.dtype.is_floating_point else int(number)
        return F.pad(x, [side for pair in reversed(sides) for side in pair], value=number)
    first = next((at for at, pair in enumerate(sides) if pair != (0, 0)), x.dim())
    if first == x.dim():
        return torch.clone(x)
    inner = sides[max(first, x.dim() - 3):]
    if first < x.dim() - 3 or any(side < 0 for pair in inner for side in pair):
        raise NotKnown("such pads of many dimensions")
    # torch pads the last one to three dimensions of two or one more, which stand for samples and channels.
    wanted = len(inner) + 2
    room = x.reshape((1,) * (wanted - x.dim()) + tuple(x.shape)) if x.dim() < wanted else x
    over = room.dim() - wanted
    whole = room if over <= 0 else torch.flatten(room, 0, over)
    gave = F.pad(whole, [side for pair in reversed(inner) for side in pair], mode=mode)
    return torch.reshape(gave, tuple(size + a + b for size, (a, b) in zip(x.shape, sides)))


def _resize(node, x, *more):
    # Of version 10 the scales stand first, later behind the region of interest.
    scales = more[1] if len(more) > 1 else more[0] if more else None
    sizes = more[2] if len(more) > 2 else None
    mode, places = node("mode", "nearest"), node("coordinate_transformation_mode", "half_pixel")
    if sizes is not None:
        wanted = numbers(sizes)
    elif scales is not None and scales.numel():
        wanted = [int(size * scale) for size, scale in zip(x.shape, numbers(scales))]
    else:
        raise NotKnown("neither scales nor sizes")
    if node("axes") or wanted[:2] != list(x.shape[:2]) or x.dim() not in (3, 4, 5):
        raise NotKnown("other dimensions than those behind the channels")
    if mode == "nearest" and places == "asymmetric" and node("nearest_mode", "round_prefer_floor") == "floor":
        return F.interpolate(x, wanted[2:], mode="nearest")
    linear = {3: "linear", 4: "bilinear", 5: "trilinear"}[x.dim()]
    name = {"linear": linear, "cubic": "bicubic" if x.dim() == 4 else None}.get(mode)
    if name is None or places not in ("half_pixel", "pytorch_half_pixel", "align_corners"):
        raise NotKnown(f"the mode {mode} with {places}")
    return F.interpolate(x, wanted[2:], mode=name, align_corners=places == "align_corners")


def _space_to_depth(node, x):
    n, c, h, w = x.shape
    b = node("blocksize")
    parts = torch.permute(torch.reshape(x, (n, c, h // b, b, w // b, b)), (0, 3, 5, 1, 2, 4))
    return torch.reshape(parts, (n, c * b * b, h // b, w // b))


def _depth_to_space(node, x):
    n, c, h, w = x.shape
    b = node("blocksize")
    if node("mode", "DCR") == "CRD":
        return F.pixel_shuffle(x, b)
    parts = torch.permute(torch.reshape(x, (n, b, b, c // (b * b), h, w)), (0, 3, 4, 1, 5, 2))
    return torch.reshape(parts, (n, c // (b * b), h * b, w * b))


LAYERS = {
    "Conv": _conv, "ConvTranspose": _conv_transpose, "MaxPool": _max_pool, "AveragePool": _average_pool,
    "GlobalAveragePool": _global(torch.mean), "GlobalMaxPool": _global(torch.amax), "Gemm": _gemm,
    "BatchNormalization": _batch_norm, "LayerNormalization": _layer_norm,
    "InstanceNormalization": lambda node, x, scale, bias: F.instance_norm(x, None, None, scale, bias, True, 0.1,
                                                                          node("epsilon", 1e-5)),
    "LeakyRelu": lambda node, x: F.leaky_relu(x, node("alpha", 0.01)), "PRelu": _prelu,
    "Elu": lambda node, x: F.elu(x, node("alpha", 1.0)), "Celu": lambda node, x: F.celu(x, node("alpha", 1.0)),
    "Selu": _selu, "HardSigmoid": _hard_sigmoid, "ThresholdedRelu": _thresholded, "Shrink": _shrink,
    "Gelu": lambda node, x: F.gelu(x, approximate=node("approximate", "none")), "Dropout": _dropout, "Pad": _pad,
    "Resize": _resize, "SpaceToDepth": _space_to_depth, "DepthToSpace": _depth_to_space,
    "LRN": lambda node, x: F.local_response_norm(x, node("size"), node("alpha", 1e-4), node("beta", 0.75), node("bias", 1.0)),
}
