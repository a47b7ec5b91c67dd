"""What is known of the results of an ATen operator whose operands lie in given intervals: the rules of bounds.py.

A rule has one or several operators. It gets the Call and gives the interval of its results, of each result one, or raises
Unbounded. Every rule holds for all finite operands in the intervals, whatever their shapes: eager takes them, and its
results are finite. JUMPS are the operators whose results may jump where an operand moves a little; those whose results are
integers or booleans need not be named.
"""

import math

from .intervals import (Unbounded, around, falling, hull, largest, magnitude, minus, near, over, plus, power, repeated, rising,
                        symmetric, times)

RULES = {}
JUMPS = set()


def rule(names, jumps=False):
    def keep(function):
        RULES.update((name, function) for name in names.split())
        if jumps:
            JUMPS.update(names.split())
        return function

    return keep


def size_of(tensor, dims):
    """The number of elements along some dimensions; of all without any."""
    if dims is None or dims == []:
        return tensor.numel()
    return math.prod(tensor.shape[dim] for dim in ([dims] if isinstance(dims, int) else dims)) if tensor.dim() else 1


# ---- Elements are moved, some are constants -----------------------------------------------------------------------------
@rule("""view reshape _unsafe_view expand permute transpose t unsqueeze squeeze clone detach alias slice select narrow copy
as_strided unbind split split_with_sizes unfold diagonal index_select gather index take flip nan_to_num roll repeat tile
contiguous lift_fresh _reshape_alias movedim swapaxes cat stack hstack vstack select_scatter slice_scatter diagonal_scatter
as_strided_scatter index_copy scatter maximum minimum fmax fmin amax amin view_as_real
upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d _upsample_nearest_exact2d
_upsample_nearest_exact3d reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d
replication_pad3d channel_shuffle pixel_shuffle pixel_unshuffle expand_copy view_copy unbind_copy narrow_copy
split_copy permute_copy slice_copy select_copy squeeze_copy unsqueeze_copy transpose_copy diagonal_copy alias_copy
repeat_interleave take_along_dim native_channel_shuffle _conj _conj_physical view_as_complex complex rot90""")
def moved(call):
    if call.given("reduce") or call.given("accumulate"):
        raise Unbounded("moves that add up")
    found = hull(*call.operands(), *call.numbers("value"))
    return hull(found, (-found[1], -found[0])) if "conj" in call.name else found


@rule("tril triu im2col constant_pad_nd diag_embed trace_backward embedding masked_fill fill index_fill avg_pool1d "
      "avg_pool2d avg_pool3d _adaptive_avg_pool2d _adaptive_avg_pool3d mean select_backward slice_backward "
      "upsample_linear1d upsample_bilinear2d upsample_trilinear3d _upsample_bilinear2d_aa relu dropout linalg_diagonal "
      "block_diag diag max_unpool2d max_unpool3d")
def moved_or_zero(call):
    """Also means and linear interpolation, which stay between their operands."""
    if call.given("divisor_override"):
        raise Unbounded("a divisor of its own")
    found = hull((0.0, 0.0), *call.operands(), *call.numbers("value"))
    if call.name == "relu":
        return 0.0, found[1]
    return near(found)


@rule("sort topk kthvalue median nanmedian mode cummax cummin max min aminmax max_pool2d_with_indices "
      "max_pool3d_with_indices adaptive_max_pool2d adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d")
def chosen(call):
    """Elements; and where they were, at -1 if nowhere."""
    found = hull(*call.operands())
    if call.name == "aminmax":
        return found, found
    count = max(one.numel() for one in call.tensors())
    return found, (-1.0, float(count))


@rule("where")
def where(call):
    return hull(*(call.of(name) for name in ("self", "other")))


JUMPS.add("mode")


@rule("argmax argmin argsort count_nonzero")
def place(call):
    return 0.0, float(max(one.numel() for one in call.tensors()))


@rule("""eq ne lt le gt ge logical_and logical_or logical_xor logical_not isnan isinf isfinite isposinf isneginf signbit any
all isclose isin""")
def truth(call):
    return 0.0, 1.0


@rule("_to_copy to")
def converted(call):
    found = hull(*call.operands())
    wide = call.results()[0].dtype
    if not wide.is_floating_point and not wide.is_complex:
        if str(wide) == "torch.bool":
            return 0.0, 1.0
        return float(math.floor(found[0])), float(math.ceil(found[1]))
    return near(found)


# ---- Arithmetic ---------------------------------------------------------------------------------------------------------
@rule("add sub rsub subtract")
def added(call):
    one, other = call.of("self"), call.of("other")
    if call.name == "rsub":
        return minus(other, times(one, call.of("alpha", 1.0)))
    other = times(other, call.of("alpha", 1.0))
    return plus(one, other) if call.name == "add" else minus(one, other)


@rule("mul multiply")
def multiplied(call):
    one, other = call.of("self"), call.of("other")
    if call.is_complex():
        return symmetric(2 * largest(one) * largest(other))
    return times(one, other)


@rule("div true_divide reciprocal")
def divided(call):
    if call.is_complex():
        raise Unbounded("complex division")
    if call.name == "reciprocal":
        return over((1.0, 1.0), call.of("self"))
    if call.given("rounding_mode"):
        found = over(call.of("self"), call.of("other"))
        return math.floor(found[0]) - 1.0, math.ceil(found[1]) + 1.0
    return over(call.of("self"), call.of("other"))


@rule("floor_divide", jumps=True)
def divided_down(call):
    found = over(call.of("self"), call.of("other"))
    return math.floor(found[0]) - 1.0, math.ceil(found[1]) + 1.0


@rule("remainder fmod", jumps=True)
def rest(call):
    over((1.0, 1.0), call.of("other"))
    return symmetric(largest(call.of("other")))


@rule("neg negative")
def negated(call):
    found = call.of("self")
    return -found[1], -found[0]


@rule("abs")
def absolute(call):
    if call.is_complex():
        return 0.0, 2 * largest(call.of("self"))
    return magnitude(call.of("self"))


@rule("square pow")
def raised(call):
    if call.is_complex():
        raise Unbounded("complex powers")
    exponent = (2.0, 2.0) if call.name == "square" else call.of("exponent")
    if exponent[0] == exponent[1]:
        return power(call.of("self"), exponent[0])
    base = call.of("self")
    if base[0] < 1 / 64:
        raise Unbounded("powers of what may be 0")
    return hull(*(power(base, end) for end in (*exponent, 0.0)))


@rule("addcmul")
def added_product(call):
    product = times(times(call.of("tensor1"), call.of("tensor2")), call.of("value", 1.0))
    return plus(call.of("self"), product)


@rule("addcdiv")
def added_quotient(call):
    return plus(call.of("self"), times(over(call.of("tensor1"), call.of("tensor2")), call.of("value", 1.0)))


@rule("lerp")
def between(call):
    start, end = call.of("self"), call.of("end")
    return plus(start, times(minus(end, start), call.of("weight")))


@rule("clamp clamp_min clamp_max hardtanh relu6")
def clamped(call):
    low, high = call.of("self")
    least = call.bound("min", "min_val")
    most = call.bound("max", "max_val")
    if least:
        low, high = max(low, least[0]), max(high, least[1])
    if most:
        low, high = min(low, most[0]), min(high, most[1])
    return low, high


@rule("copysign", jumps=True)
def signed(call):
    return symmetric(largest(call.of("self")))


@rule("hypot")
def length(call):
    return 0.0, near((0.0, largest(call.of("self")) + largest(call.of("other"))))[1]


@rule("nextafter", jumps=True)
def neighbour(call):
    return around(call.of("self"), largest(call.of("self")) + 1e-30)


@rule("floor ceil round trunc fix frac sign sgn heaviside", jumps=True)
def stepped(call):
    if call.name == "heaviside":
        return hull((0.0, 1.0), call.of("values"))
    if call.name in ("sign", "sgn", "frac"):
        return -1.0, 1.0
    low, high = call.of("self")
    if (call.given("decimals") or 0) < 0:
        raise Unbounded("tens and hundreds")
    return min(low, math.floor(low)), max(high, math.ceil(high))


# ---- Functions of one element -------------------------------------------------------------------------------------------
def sigmoid(value):
    return 1 / (1 + math.exp(-value)) if value > -700 else 0.0


def softplus(value):
    return max(value, 0.0) + math.log1p(math.exp(-abs(value)))


RISING = {
    "exp": math.exp, "exp2": lambda value: 2.0**value, "expm1": math.expm1, "sinh": math.sinh, "asinh": math.asinh,
    "atan": math.atan, "tanh": math.tanh, "erf": math.erf, "sigmoid": sigmoid, "deg2rad": math.radians,
    "rad2deg": math.degrees, "special_ndtr": lambda value: math.erfc(-value / math.sqrt(2)) / 2, "arcsinh": math.asinh,
    "softsign": lambda value: value / (1 + abs(value)), "logit": lambda value: math.log(value / (1 - value)),
    "log": math.log, "log2": math.log2, "log10": math.log10, "log1p": math.log1p, "sqrt": math.sqrt,
    "asin": math.asin, "atanh": math.atanh, "acosh": math.acosh}
AWAY = {"log": 0.0, "log2": 0.0, "log10": 0.0, "log1p": -1.0, "logit": 0.0, "acosh": 1.0, "rsqrt": 0.0, "lgamma": 0.0}
BELOW = {"asin": 1.0, "acos": 1.0, "atanh": 1.0, "logit": 1.0}  # where the function, or its slope, ends


def rises(call):
    one = call.of("self")
    if call.given("eps"):
        raise Unbounded("a logit that clamps")
    if one[0] < AWAY.get(call.name, -math.inf) + 1 / 64 or one[1] > BELOW.get(call.name, math.inf) - 1 / 64:
        raise Unbounded("near the end of what the function takes")
    if call.name in ("asin", "acos", "atanh") and one[0] < -1 + 1 / 64:
        raise Unbounded("near the end of what the function takes")
    if call.name in ("acos", "erfc"):
        return falling(math.acos if call.name == "acos" else math.erfc, one)
    if call.name == "rsqrt":
        return falling(lambda value: 1 / math.sqrt(value), one)
    return rising(RISING[call.name], one)


rule(" ".join([*RISING, "acos", "erfc", "rsqrt"]))(rises)
@rule("sin cos sinc special_bessel_j0 special_bessel_j1 special_spherical_bessel_j0")
def wave(call):
    return near((-1.0, 1.0))


@rule("cosh")
def even(call):
    return rising(math.cosh, magnitude(call.of("self")))


@rule("i0e i1e special_i0e special_i1e")
def damped(call):
    return near((-1.0, 1.0))


@rule("i0 i1 special_i0 special_i1 special_modified_bessel_i0 special_modified_bessel_i1")
def bessel(call):
    return symmetric(rising(math.exp, magnitude(call.of("self")))[1])


@rule("gelu silu mish hardswish leaky_relu elu celu selu hardshrink softshrink threshold hardsigmoid _prelu_kernel rrelu "
      "tanhshrink log_sigmoid_forward softplus")
def activated(call):
    low, high = call.of("self")
    if call.name == "hardsigmoid":
        return 0.0, 1.0
    if call.name == "log_sigmoid_forward":
        return near((-softplus(-low), 0.0)), (0.0, 1.0)
    if call.name == "softplus":
        beta = call.of("beta", 1.0)[0]
        if beta < 1 / 64:
            raise Unbounded("not the function that it is for beta above 0")
        return 0.0, near((0.0, max(high, 0.0) + 1 / beta))[1]
    slopes = [largest(one) for one in (call.bound("negative_slope", "alpha", "weight"), call.bound("scale", "input_scale"),
                                       call.bound("value", "threshold", "lambd")) if one]
    if call.name in ("elu", "celu", "selu", "leaky_relu", "threshold", "_prelu_kernel", "rrelu"):
        factor = math.prod(max(one, 1.0) for one in slopes) * 2
        return symmetric(factor * max(largest((low, high)), 1.0))
    if call.name in ("gelu", "silu", "mish", "hardswish"):
        low = max(low, -0.5)
    return near((min(low, 0.0), max(high, 0.0)))


JUMPS |= {"hardshrink", "threshold"}


@rule("_softmax _safe_softmax softmax")
def shares(call):
    return 0.0, 1.0


@rule("_log_softmax log_softmax")
def logarithms(call):
    one = call.of("self")
    spread = one[1] - one[0] + math.log(max(1, max(call.tensors()[0].shape, default=1)))
    return near((-spread - 1.0, 1e-3))


@rule("glu")
def gated(call):
    return symmetric(largest(call.of("self")))


@rule("logaddexp logaddexp2")
def log_of_two(call):
    one, other = call.of("self"), call.of("other")
    return plus((max(one[0], other[0]), max(one[1], other[1])), (0.0, 1.0))


@rule("logsumexp logcumsumexp")
def log_of_sum(call):
    one, tensor = call.of("self"), call.tensors()[0]
    if tensor.numel() == 0:
        raise Unbounded("the logarithm of an empty sum")
    return plus(one, (0.0, math.log(tensor.numel())))


@rule("xlogy special_xlog1py special_entr")
def entropy(call):
    shift = 1.0 if call.name == "special_xlog1py" else 0.0
    other = call.of("self") if call.name == "special_entr" else call.of("other")
    if other[0] + shift < 1 / 64:
        raise Unbounded("the logarithm of what may be 0")
    logarithm = rising(lambda value: math.log(value + shift), other)
    return symmetric(largest(call.of("self")) * largest(logarithm))


@rule("lgamma")
def gamma(call):
    one = call.of("self")
    if one[0] < 1 / 64:
        raise Unbounded("near a pole")
    return around((-0.2, max(math.lgamma(one[0]), math.lgamma(one[1]))), 1.0)


@rule("ldexp")
def scaled(call):
    return times(call.of("self"), rising(lambda value: 2.0**value, call.of("other")))
