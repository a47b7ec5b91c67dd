"""Which operators round, and which return elements of their inputs, integers, or nothing new at all.

Where torch has a mechanism, it decides: views and operators that change only metadata (schema and tags), copies of
views, random draws (a tag, which attention and recurrent networks also have because of their dropout), and results
without floating-point elements. The table below decides the rest, by the bare name of the operator:
"aten::relu_.default" is "relu", "aten::_foreach_neg" is "neg". An operator for which neither decides rounds.
"""

import functools

import torch

from ..compat import eager

_SAME_ELEMENTS = """
    alias as_strided as_strided_scatter block_diag broadcast_tensors broadcast_to cat channel_shuffle chunk
    _chunk_cat clone complex concat constant_pad_nd contiguous detach diag diag_embed diagonal diagonal_backward
    diagonal_scatter embedding expand fft_fftshift fft_ifftshift flip gather hstack im2col imag index index_copy
    index_fill index_select lift lift_fresh lift_fresh_copy masked_fill masked_scatter masked_scatter_backward
    masked_select meshgrid msort narrow native_channel_shuffle _pack_padded_sequence _pad_packed_sequence
    pad_sequence pixel_shuffle pixel_unshuffle real reflection_pad1d reflection_pad2d reflection_pad3d repeat
    repeat_interleave replication_pad1d replication_pad2d replication_pad3d reshape _reshape_copy resize resize_as
    roll rot90 select_backward select_scatter set slice_backward slice_scatter sort stack take to_dense tril triu
    unsafe_chunk _unsafe_index _unsafe_masked_index unsafe_split unsafe_split_with_sizes _unsafe_view vstack where
"""
_SELECTIONS = """
    adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d amax amin aminmax clamp clamp_max clamp_min clip
    cummax cummin fmax fmin fractional_max_pool2d fractional_max_pool3d hardshrink hardtanh hardtanh_backward
    kthvalue max max_pool1d max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices max_unpool2d
    max_unpool3d maximum median min minimum mode nan_to_num nanmedian relu relu6 threshold threshold_backward topk
    _unique _unique2 unique_consecutive unique_dim upsample_nearest1d upsample_nearest2d upsample_nearest3d
    _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d
"""
_EXACT_ARITHMETIC = """
    ceil _conj conj _conj_physical conj_physical copysign fix floor floor_divide fmod frac frexp heaviside histc neg
    _neg_view negative nextafter positive resolve_conj resolve_neg sign trunc
"""
# Of those that don't round; an absolute value has no sign to choose.
_COMPUTE_SIGNS = frozenset(f"{_SELECTIONS} ceil div divide fix floor floor_divide fmod frac round sign trunc".split())
_CHOOSE_ZEROS = frozenset(f"{_SELECTIONS} ceil fix floor fmod mean nansum remainder round sum trunc".split())
_ADD_UP = frozenset("addbmm addmm addmv baddbmm bmm convolution cumsum dot mean mm mv nansum sum vdot".split())
_ONLY_ADD_UP = _ADD_UP - frozenset("addbmm addmm addmv baddbmm convolution mean".split())
# Add up terms at indices, multiply, and add up and divide by how many there are: of whole numbers many are exact.
ADD_AT_INDICES = frozenset(
    "bincount index_add index_put _index_put_impl put scatter_add scatter_reduce _unsafe_index_put".split())
MULTIPLY = frozenset("cumprod prod".split())
_AVERAGE = frozenset("avg_pool2d avg_pool3d mean".split())
_EQUALITIES = frozenset(("eq", "ne", "equal"))
_DIFFERENCES = frozenset(("add", "sub", "subtract", "rsub"))
_LOSSES = frozenset("""
    binary_cross_entropy binary_cross_entropy_with_logits huber_loss mse_loss multi_margin_loss
    multilabel_margin_loss_forward nll_loss2d_forward nll_loss_forward smooth_l1_loss soft_margin_loss
""".split())
_MADE = """
    empty empty_like empty_permuted empty_strided eye fill full full_like new_empty new_empty_strided new_full
    new_ones new_zeros ones ones_like scalar_tensor zero zeros zeros_like
"""
_EXACT = frozenset(f"{_SAME_ELEMENTS} {_SELECTIONS} {_EXACT_ARITHMETIC} {_MADE}".split())


def _narrows(function, arguments, keywords):
    """For conversions and copies: the type of a result holds fewer digits than the type of its source."""
    if bare_name(function) == "_to_copy":
        return _holds_fewer_digits(keywords.get("dtype"), arguments[0])
    targets, sources = arguments[:2]
    if isinstance(targets, torch.Tensor):
        targets, sources = [targets], [sources]
    return any(_holds_fewer_digits(target.dtype, source) for target, source in zip(targets, sources))


def _holds_fewer_digits(target, source):
    if not isinstance(source, torch.Tensor) or target is None:
        return False
    if not has_fractions(source.dtype) or not has_fractions(target):
        return False
    return torch.finfo(target).eps > torch.finfo(source.dtype).eps


def has_fractions(dtype):
    return dtype.is_floating_point or dtype.is_complex


def _accumulates(function, arguments, keywords):
    return bool(keywords.get("accumulate", arguments[3] if len(arguments) > 3 else False))


def _has(keyword):
    return lambda function, arguments, keywords: keywords.get(keyword) is not None


def _steps_by_fractions(function, arguments, keywords):
    return any(isinstance(item, float) and not item.is_integer() for item in arguments)


def _is_complex(function, arguments, keywords):
    first = arguments[0]
    return any(item.is_complex() for item in (first if isinstance(first, (list, tuple)) else [first]))


def _adds(function, arguments, keywords):
    return keywords.get("reduce", arguments[4] if len(arguments) > 4 else "sum") not in ("amax", "amin")


# Operators that round only for some arguments: name -> whether they round for these.
_DEPENDS = {
    "_to_copy": _narrows,
    "copy": _narrows,
    "abs": _is_complex,
    "sgn": _is_complex,
    "index_put": _accumulates,
    "put": _accumulates,
    "_unsafe_index_put": _accumulates,
    "_index_put_impl": _accumulates,
    "scatter_reduce": _adds,
    "index_reduce": _adds,
    "scatter": lambda function, arguments, keywords: "reduce" in eager.overload_name(function),
    "round": lambda function, arguments, keywords: "decimals" in eager.overload_name(function),
    "div": lambda *call: not _has("rounding_mode")(*call),
    "divide": lambda *call: not _has("rounding_mode")(*call),
    "arange": _steps_by_fractions,
}


_COMPUTE_THOUGH_RANDOM = ("attention", "rnn", "lstm", "gru")
# Operators that write their running statistics, though the schemas of some don't say so in some or all versions of torch.
# They do so in training alone; where they have no argument of that name, they always train.
STATISTICS = ("running_mean", "running_var")
_WRITE_STATISTICS = frozenset("""
    native_batch_norm _native_batch_norm_legit _batch_norm_with_update cudnn_batch_norm miopen_batch_norm
""".split())
# Operators that change what a tensor is, and don't read the elements of any operand.
_READ_NOTHING = frozenset("resize resize_as set".split())


@functools.lru_cache(maxsize=None)
def bare_name(function):
    """The bare name of an overload: "relu" for aten::relu_.default and aten::_foreach_relu_.default. The whole name of an
    operator that isn't torch's: it may be called as one of these is."""
    whole = eager.schema_of(function).name
    if not whole.startswith("aten::"):
        return whole
    name = whole.removeprefix("aten::").removeprefix("_foreach_")
    return name[:-1] if name.endswith("_") and not name.endswith("__") else name


@functools.lru_cache(maxsize=None)
def written_names(function):
    """The names of the arguments that the operator writes to, or may write to."""
    written = [argument.name for argument in eager.schema_of(function).arguments if argument.is_write]
    if not writes_statistics(function):
        return written
    return written + [name for name in STATISTICS if name not in written]


def writes_statistics(function):
    """Whether the operator is a batch norm that writes a running mean and variance."""
    return bare_name(function) in _WRITE_STATISTICS


def reads_elements(function):
    """Whether the operator reads elements of its operands."""
    return bare_name(function) not in _READ_NOTHING


@functools.lru_cache(maxsize=None)
def _always_exact(function):
    tags = function.tags
    if function.is_view or torch.Tag.inplace_view in tags:
        return True
    if torch.Tag.nondeterministic_seeded in tags:
        return not any(part in bare_name(function) for part in _COMPUTE_THOUGH_RANDOM)
    if torch.Tag.view_copy in tags or eager.schema_of(function).name.endswith("_copy") and bare_name(function) not in _DEPENDS:
        return True
    return bare_name(function) in _EXACT and bare_name(function) not in _DEPENDS


def rounds(function, arguments, keywords):
    """Whether a call of this operator (an OpOverload) may round."""
    if _always_exact(function):
        return False
    depends = _DEPENDS.get(bare_name(function))
    return depends is None or depends(function, arguments, keywords)


def computes_signs(function, arguments, keywords):
    """Whether a call of this operator computes the signs of its elements, where others move elements, convert them, make
    them or set their sign."""
    if bare_name(function) in ("_to_copy", "copy"):
        return False
    return bare_name(function) in _COMPUTE_SIGNS or rounds(function, arguments, keywords)


def adds_up(function):
    """Whether the elements of its results are sums, or means, of elements or of products of elements."""
    return bare_name(function) in _ADD_UP


def is_loss(function):
    """Whether its first result is a mean or a sum of something of its first operand's elements, unless told otherwise."""
    return bare_name(function) in _LOSSES


def is_equality(function):
    """Whether it says of its operands that they are equal, or not."""
    return bare_name(function) in _EQUALITIES


def is_difference(function):
    """Whether it gives the sum or the difference of two operands."""
    return bare_name(function) in _DIFFERENCES


def chooses_zeros(function):
    """Whether the operator chooses one of its operands' zeros, or adds them up, so that it takes a negative one to make the
    sign of a zero depend on how that is done."""
    return bare_name(function) in _CHOOSE_ZEROS


def only_adds_up(function):
    """Whether its results are those sums themselves. Others multiply or divide them, which may round where adding doesn't."""
    return bare_name(function) in _ONLY_ADD_UP


def may_be_whole(function):
    """Whether its results are sums at indices, products or means, which whole.py knows if no order of computing rounds."""
    name = bare_name(function)
    return name in ADD_AT_INDICES or name in MULTIPLY or name in _AVERAGE


# Operators that every compiler rounds once. once_rounded.py says of some of them when.
ONCE_ROUNDED = {
    "add": torch.add,
    "sub": torch.sub,
    "subtract": torch.sub,
    "rsub": torch.rsub,
    "mul": torch.mul,
    "multiply": torch.mul,
    "div": torch.div,
    "divide": torch.div,
    "reciprocal": torch.reciprocal,
    "sqrt": torch.sqrt,
    "pow": torch.pow,
}
# Methods of tensors that draw into them.
FILL_AT_RANDOM = "bernoulli_ cauchy_ exponential_ geometric_ log_normal_ normal_ random_ uniform_".split()
