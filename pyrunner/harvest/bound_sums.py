"""The rules of operators that add up elements: products of matrices, convolutions, reductions, losses, transforms. Importing
this module adds them to bound_rules.RULES; what a rule is, is said there."""

import math

from .bound_rules import rule, size_of
from .intervals import Unbounded, around, hull, largest, minus, near, plus, repeated, symmetric, times


# ---- Reductions ---------------------------------------------------------------------------------------------------------
@rule("sum nansum trace cumsum")
def summed(call):
    tensor = call.tensors()[0]
    if call.name == "trace":
        return repeated(call.of("self"), max(1, min(tensor.shape)))
    dims = call.given("dim")
    count = size_of(tensor, dims)
    found = repeated(call.of("self"), count)
    return hull(found, call.of("self")) if call.name == "cumsum" and tensor.numel() else found


@rule("prod cumprod")
def product(call):
    tensor = call.tensors()[0]
    size = largest(call.of("self"))
    count = size_of(tensor, call.given("dim"))
    return symmetric(max(1.0, size**count if count < 64 else math.inf if size > 1 else 1.0))


@rule("var std var_mean std_mean")
def spread(call):
    low, high = call.of("self")
    count = size_of(call.tensors()[0], call.given("dim"))
    correction = call.given("correction")
    divisor = count - (1 if correction is None else correction)
    if divisor <= 0:
        raise Unbounded("the variance of too few elements")
    variance = (high - low) ** 2 * count / divisor
    shown = (0.0, near((0.0, math.sqrt(variance) if call.name.startswith("std") else variance))[1])
    return (shown, near((low, high))) if call.name.endswith("mean") else shown


def _padded(tensors):
    """Their sizes by dimension, as they are broadcast."""
    rank = max(one.dim() for one in tensors)
    return zip(*((1,) * (rank - one.dim()) + tuple(one.shape) for one in tensors))


@rule("linalg_vector_norm norm dist")
def norm(call):
    one = call.of("self")
    if call.name == "dist":
        one = minus(one, call.of("other"))
    order = call.given("ord") if call.name == "linalg_vector_norm" else call.given("p")
    order = 2 if order is None else order
    count = math.prod(max(sizes) for sizes in _padded(call.tensors()))
    if order not in (1, 2, math.inf) and order < 2 or count == 0:
        raise Unbounded("a norm without a slope at 0")
    factor = 1.0 if order == math.inf else count if order <= 1 else math.sqrt(count)
    factor *= math.sqrt(2) if call.is_complex() else 1
    return 0.0, near((0.0, largest(one) * factor))[1]


@rule("_cdist_forward _euclidean_dist _pdist_forward")
def distances(call):
    order = call.given("p")
    order = 2.0 if order is None else order
    if order < 1:
        raise Unbounded("a distance without a slope at 0")
    sides = call.operands()
    size = largest(sides[0]) + largest(sides[-1])
    width = max(1, call.tensors()[0].shape[-1])
    factor = width if order < 2 else 1.0 if order == math.inf else math.sqrt(width)
    return 0.0, near((0.0, size * factor))[1] + SMALL * size


SMALL = 0.05  # distances by way of a product of matrices are so coarse near 0


@rule("segment_reduce scatter_add index_add scatter_reduce index_reduce _unsafe_masked_index_put_accumulate put index_put")
def gathered(call):
    """At most all elements of the source, and what was there."""
    kind = str(call.given("reduce") or "sum")
    sizes = [largest(one) for one in (*call.operands(), *call.numbers("initial"), *call.numbers("value"))]
    count = max(one.numel() for one in call.tensors()) + 1
    if "prod" in kind:
        top = max(1.0, *sizes)
        return symmetric(top**count if count < 64 else math.inf if top > 1 else 1.0)
    alpha = max(1.0, largest(call.of("alpha", 1.0)))
    return symmetric(sum(sizes) * alpha * (count if kind in ("sum", "add") else 1))


# ---- Products -----------------------------------------------------------------------------------------------------------
def inner(one, other, count):
    return repeated(times(one, other), count)


@rule("mm bmm mv dot vdot matmul linalg_vecdot inner ger outer")
def product_of_matrices(call):
    one, other = call.tensors()[:2]
    count = 1 if call.name in ("ger", "outer") else one.shape[-1] if one.dim() else 1
    if call.is_complex():
        return symmetric(2 * max(count, 1) * largest(call.bound_of(one)) * largest(call.bound_of(other)))
    return hull((0.0, 0.0), inner(call.bound_of(one), call.bound_of(other), count))


@rule("addmm addmv addbmm baddbmm addr _addmm_activation")
def added_products(call):
    first, one, other = call.tensors()[:3]
    count = 1 if call.name == "addr" else one.shape[-1] * (one.shape[0] if call.name == "addbmm" else 1)
    if call.is_complex():
        raise Unbounded("complex products")
    found = hull((0.0, 0.0), inner(call.bound_of(one), call.bound_of(other), count))
    return plus(times(call.bound_of(first), call.of("beta", 1.0)), times(found, call.of("alpha", 1.0)))


@rule("linear")
def linear(call):
    found = hull((0.0, 0.0), inner(call.of("input"), call.of("weight"), call.tensors()[0].shape[-1]))
    return plus(found, call.of("bias", 0.0))


@rule("_trilinear")
def trilinear(call):
    one, two, three = call.operands()
    sizes = [tensor.numel() for tensor in call.tensors()]
    return symmetric(largest(one) * largest(two) * largest(three) * max(1, *sizes))


@rule("linalg_cross")
def cross(call):
    return symmetric(2 * largest(call.of("self")) * largest(call.of("other")))


@rule("convolution mkldnn_convolution conv_depthwise3d slow_conv3d")
def convolution(call):
    """Each element of the result is a sum over the channels of its group and the places of the kernel, borders 0."""
    weight = call.value("weight")
    if call.is_complex():
        raise Unbounded("complex convolutions")
    channels = weight.shape[0] // max(1, call.given("groups") or 1) if call.given("transposed") else weight.shape[1]
    count = max(1, channels * math.prod(weight.shape[2:]))
    found = hull((0.0, 0.0), inner(call.of("input"), call.of("weight"), count))
    return plus(found, call.of("bias", 0.0))


@rule("col2im")
def folded(call):
    return symmetric(largest(call.of("self")) * math.prod(call.given("kernel_size")))


@rule("_embedding_bag_forward_only _embedding_bag")
def bags(call):
    count = max(1, call.value("indices").numel())
    scale = max(1.0, largest(call.of("per_sample_weights", 1.0)))
    places = (-1.0, float(count + call.value("weight").numel()))
    return symmetric(largest(call.of("weight")) * count * scale), places, places, places


# ---- Normalisation ------------------------------------------------------------------------------------------------------
def normalised(call, count, eps):
    """A deviation from the mean of `count` elements is below sqrt(count) times what they deviate by."""
    if eps is None or eps < 1e-8:
        raise Unbounded("a divisor near 0")
    size = min(math.sqrt(max(1, count)), (call.of("input")[1] - call.of("input")[0]) / math.sqrt(eps))
    shown = plus(symmetric(size * largest(call.of("weight", 1.0))), call.of("bias", 0.0))
    return shown, near(call.of("input")), (0.0, near((0.0, 1 / math.sqrt(eps)))[1])


@rule("native_layer_norm")
def layer_norm(call):
    return normalised(call, math.prod(call.given("normalized_shape")), call.given("eps"))


@rule("native_group_norm")
def group_norm(call):
    return normalised(call, call.value("input").numel(), call.given("eps"))


@rule("native_batch_norm _native_batch_norm_legit _batch_norm_impl_index")
def batch_norm(call):
    if not call.given("training"):
        raise Unbounded("statistics of its own")
    return normalised(call, call.value("input").numel(), call.given("eps"))


@rule("_fused_rms_norm")
def rms_norm(call):
    found = normalised(call, math.prod(call.given("normalized_shape")), call.given("eps") or 1.2e-7)
    return found[0], found[2]


# ---- Losses -------------------------------------------------------------------------------------------------------------
def reduced(call, low, high):
    """Of elements in that interval: the mean, or up to their sum."""
    count = max(1, call.tensors()[0].numel())
    kind = call.given("reduction")
    if kind == 1 and count and call.tensors()[0].numel() == 0:
        raise Unbounded("the mean of nothing")
    return near((min(low, low * count), max(high, high * count))) if kind == 2 else near((low, high))


@rule("mse_loss smooth_l1_loss huber_loss soft_margin_loss l1_loss")
def distance_loss(call):
    difference = largest(minus(call.of("self"), call.of("target")))
    if call.name == "soft_margin_loss":
        size = largest(call.of("self")) * largest(call.of("target")) + 1
        if size > 64:
            raise Unbounded("an exponential that may be infinite")
    elif call.name == "huber_loss":
        size = difference * (difference + (call.given("delta") or 1.0))
    else:
        size = difference**2 + difference
    return reduced(call, 0.0, size)


@rule("binary_cross_entropy")
def cross_entropy(call):
    if min(call.of("self")[0], call.of("target")[0]) < 0 or max(call.of("self")[1], call.of("target")[1]) > 1:
        raise Unbounded("it takes shares only")
    size = 100 * (largest(call.of("target")) + largest(minus((1.0, 1.0), call.of("target"))))
    size *= largest(call.of("weight", 1.0))
    return reduced(call, -size, size)


@rule("binary_cross_entropy_with_logits")
def cross_entropy_of_logits(call):
    one, target = largest(call.of("self")), largest(call.of("target"))
    size = (one * (1 + target) + 1) * (1 + largest(call.of("pos_weight", 1.0)) * (1 + target))
    size *= largest(call.of("weight", 1.0))
    return reduced(call, -size, size)


@rule("nll_loss_forward nll_loss2d_forward")
def nll_loss(call):
    """Labels are recorded ones, so that the recorded call says that some count."""
    weights = call.of("weight", 1.0)
    total = float(max(call.results()[1].max().item() if call.results()[1].numel() else 0.0, 0.0))
    if total <= 0 and call.given("reduction") == 1 or call.given("weight") is not None and weights[0] != weights[1]:
        if call.is_moving(call.given("weight")) or total <= 0:
            raise Unbounded("weights that may be 0")
    size = largest(call.of("self")) * max(1.0, largest(weights))
    count = max(1, call.results()[1].numel(), call.value("target").numel())
    whole = symmetric(size * count if call.given("reduction") == 2 else size * max(1.0, 1.0 / max(total, 1e-3)) * count)
    return whole, (0.0, largest(weights) * count)


@rule("multi_margin_loss multilabel_margin_loss_forward")
def margin_loss(call):
    size = (largest(call.of("margin", 1.0)) + 2 * largest(call.of("self"))) ** max(1, call.given("p") or 1)
    size *= max(1, call.tensors()[0].shape[-1] if call.tensors()[0].dim() else 1) * max(1.0, largest(call.of("weight", 1.0)))
    return reduced(call, -size, size), (0.0, 1.0)


# ---- Transforms and samples ---------------------------------------------------------------------------------------------
@rule("_fft_r2c _fft_c2c _fft_c2r stft")
def fourier(call):
    """A sum over the elements along some dimensions, each turned; factors of normalisation are at most 1."""
    size = 2 * largest(call.of("self")) * max(1, call.tensors()[0].numel())
    for result in call.results():
        size *= 2 if not result.is_complex() else 1
    return symmetric(size)


@rule("grid_sampler_2d grid_sampler_3d")
def sampled(call):
    """Linear interpolation at recorded places; cubic overshoots by less than a half in each dimension."""
    if call.is_moving(call.value("grid")):
        raise Unbounded("places that move")
    return symmetric(largest(call.of("input")) * (4 if call.given("interpolation_mode") == 2 else 1))


@rule("upsample_bicubic2d _upsample_bicubic2d_aa _upsample_lanczos2d_aa")
def cubic(call):
    return symmetric(4 * largest(call.of("self")))


@rule("renorm")
def renormed(call):
    return symmetric(largest(call.of("self")))


@rule("native_dropout_backward")
def dropped(call):
    return symmetric(largest(call.of("grad_output")) * max(1.0, abs(call.given("scale") or 1.0)))


@rule("_softmax_backward_data _log_softmax_backward_data")
def softmax_backward(call):
    size = largest(call.of("grad_output")) * max(1.0, largest(call.of("output")))
    if call.name == "_log_softmax_backward_data":
        raise Unbounded("exponentials of what may be large")
    return symmetric(2 * size * max(1.0, largest(call.of("output"))) * max(1, max(call.tensors()[0].shape, default=1)))


@rule("bucketize searchsorted")
def found(call):
    boundaries = call.given("boundaries" if call.name == "bucketize" else "sorted_sequence")
    if call.is_moving(boundaries):
        raise Unbounded("boundaries that move")
    return 0.0, float(boundaries.numel())


@rule("special_chebyshev_polynomial_t special_chebyshev_polynomial_u special_chebyshev_polynomial_v "
      "special_chebyshev_polynomial_w special_legendre_polynomial_p special_hermite_polynomial_h "
      "special_hermite_polynomial_he special_laguerre_polynomial_l special_shifted_chebyshev_polynomial_t "
      "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
      "special_shifted_chebyshev_polynomial_w")
def polynomial(call):
    """Of a recorded degree: coefficients of all of them add up to less than (4 (1 + n)) to the n."""
    degree = call.of("n")
    if call.is_moving(call.given("n")) or not -1e3 < degree[0] or degree[1] > 12:
        raise Unbounded("a degree that moves")
    top = max(0.0, degree[1])
    size = max(1.0, largest(call.of("x")))
    return symmetric((4 * (1 + top) * size) ** top + 1)


@rule("polygamma digamma")
def poles(call):
    one = call.of("self")
    if one[0] < 1 / 16:
        raise Unbounded("near a pole")
    if call.name == "digamma":
        return around((-1 / one[0] - 1, math.log(one[1] + 1) + 1), 1 / one[0])
    order = int(call.given("n"))
    return symmetric(2 * math.factorial(order) * (1 / one[0]) ** (order + 1) + 2 * math.factorial(order) + 10)

