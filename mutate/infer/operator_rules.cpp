#include "mutate/infer/operator_rules.h"

#include <algorithm>

#include "mutate/engine/notes.h"

namespace jp::mutate {
namespace {

struct Row {
  std::string_view dtypes;
  char type;
  char shape;
  int operands;
  std::string_view names;
};

// What eager takes was tried for each with every dtype; where one kind of a letter is refused, the letter is left out.
// Integers are left out where a value of 0 or less would be refused.
constexpr Row kRows[] = {
    {"bihfc", 'f', 'e', 1,
     "acos asin atan cos cosh exp expm1 log log10 log1p log2 reciprocal rsqrt sigmoid sin sinh sqrt tan tanh exp2 sinc "
     "acosh asinh atanh expit"},
    {"bihf", 'f', 'e', 1, "erf erfc lgamma deg2rad digamma erfinv rad2deg i0 i0e i1 i1e ndtr entr psi logit"},
    {"bif", 'f', 'e', 1,
     "erfcx log_ndtr bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1"},
    {"ihf", 'p', 'e', 1, "ceil floor trunc relu relu6"},
    {"hf", 'p', 'e', 1,
     "frac hardswish hardsigmoid mish logsigmoid gelu leaky_relu elu celu selu softplus softshrink hardshrink round "
     "hardtanh"},
    {"hfc", 'p', 'e', 1, "silu rand_like randn_like"},
    {"ihfc", 'p', 'e', 1, "neg positive negative"},
    {"ihf", 'p', 'e', 1, "abs threshold"},
    {"bihf", 'p', 'e', 1, "sign nan_to_num"},
    {"bihfc", 'p', 'e', 1,
     "sgn clone contiguous detach conj zeros_like ones_like resolve_conj resolve_neg full_like conj_physical"},
    {"ihfc", 'f', 'e', 1, "softsign tanhshrink"},
    {"ihfc", 'p', 'e', 1, "square"},
    {"bihfc", 'b', 'e', 1, "logical_not isnan isinf isfinite isreal"},
    {"bihf", 'b', 'e', 1, "signbit isposinf isneginf"},
    {"bi", 'p', 'e', 1, "bitwise_not"},
    {"bihfc", 'p', 'e', 2, "add mul multiply"},
    {"ihfc", 'p', 'e', 2, "sub subtract rsub"},
    {"hfc", 'p', 'e', 2, "pow"},
    {"bihfc", 'f', 'e', 2, "div true_divide divide"},
    {"bihf", 'p', 'e', 2, "maximum minimum fmax fmin"},
    {"bihf", 'f', 'e', 2, "atan2 xlogy xlog1py"},
    {"hf", 'p', 'e', 2, "hypot logaddexp logaddexp2 fmod remainder floor_divide"},
    {"hf", '=', 'e', 2, "nextafter"},
    {"hf", 'f', 'e', 2, "copysign"},
    {"bihfc", 'b', 'e', 2, "eq ne logical_and logical_or logical_xor not_equal"},
    {"bihf", 'b', 'e', 2, "lt le gt ge greater less"},
    {"bi", 'p', 'e', 2, "bitwise_and bitwise_or bitwise_xor"},
    {"i", 'p', 'e', 2, "bitwise_left_shift bitwise_right_shift gcd lcm"},
    {"hf", '=', 'e', 2, "lerp"},
    {"hf", 'p', 'e', 3, "addcmul"},
    {"hf", '=', 'e', 3, "addcdiv"},
    {"bihfc", 'W', 'e', 3, "where"},
    {"ihf", 'p', 'e', 1, "clamp clip clamp_min clamp_max"},
    {"bihfc", 'F', 'e', 2, "masked_fill"},
    {"bihfc", 'w', 'r', 1, "sum"},
    {"hf", 'p', 'r', 1, "mean nansum nanmean"},
    {"ihf", 'p', 'R', 1, "amax amin"},
    {"ihf", 'l', 'R', 1, "argmax argmin"},
    {"bihfc", 'B', 'r', 1, "all any"},
    {"bihfc", 'l', 'r', 1, "count_nonzero"},
    {"hf", 'p', 'r', 1, "std var logsumexp"},
    {"hf", 'p', 'x', 1, "norm vector_norm normalize trace"},
    {"ihf", 'p', 'd', 1, "max min"},
    {"hf", 'p', 'd', 1, "median nanmedian"},
    {"hf", 'p', 'x', 1, "mode kthvalue topk aminmax var_mean std_mean"},
    {"hf", 'p', '2', 1, "cummax cummin"},
    {"bihf", 'p', '2', 1, "sort"},
    {"bihf", 'l', 'a', 1, "argsort"},
    {"hf", 'p', 'a', 1, "softmax log_softmax softmin"},
    {"bihfc", 'w', 'a', 1, "cumsum cumprod"},
    {"hf", 'p', 'a', 1, "logcumsumexp"},
    {"hf", '=', 'm', 2, "matmul mm bmm mv"},
    {"hf", '=', 'x', 2, "dot inner tensordot"},
    {"hf", '=', 'l', 3, "linear"},
    {"hf", '=', 'x', 3, "addmm addmv baddbmm addbmm bilinear"},
    {"f", '=', 'x', 3, "cdist pairwise_distance cosine_similarity kl_div"},
    {"f", '=', 'L', 2, "mse_loss l1_loss smooth_l1_loss huber_loss"},
    {"hf", 'p', 'v', 1,
     "t flatten ravel squeeze unsqueeze transpose swapaxes swapdims permute reshape narrow select flip fliplr flipud "
     "roll "
     "expand repeat tril triu view_as expand_as movedim moveaxis diag diagonal rot90 tile broadcast_to unflatten "
     "as_strided "
     "view unfold take index_select gather take_along_dim pad diag_embed diff adjoint"},
    {"bic", 'p', 'v', 1,
     "t flatten ravel squeeze unsqueeze transpose swapaxes swapdims permute reshape narrow select flip fliplr flipud "
     "roll "
     "expand repeat movedim moveaxis tile view index_select gather"},
    {"bihfc", 'p', 'c', -1, "cat concat concatenate"},
    {"bihfc", 'p', 's', -1, "stack"},
    {"bihfc", 'p', 'x', -1, "hstack vstack dstack column_stack"},
    {"bihfc", 'p', 'n', 1, "chunk split unbind tensor_split"},
    {"f", '=', 'C', 3, "conv1d conv2d conv3d"},
    {"f", '=', 'x', 3, "conv_transpose1d conv_transpose2d conv_transpose3d"},
    {"f", 'p', 'P', 1, "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d"},
    {"f", 'p', 'A', 1,
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
     "adaptive_max_pool3d"},
    {"f", '=', 'N', 1, "layer_norm"},
    {"hf", 'p', 'x', 1, "glu pixel_shuffle pixel_unshuffle interpolate"},
};

std::map<std::string_view, Rule> read_rows() {
  std::map<std::string_view, Rule> made;
  for (const Row& row : kRows)
    for (std::string_view name : split(row.names, ' ')) {
      auto [at, fresh] = made.try_emplace(name, Rule{row.dtypes, row.type, row.shape, row.operands});
      // A second row of the same name takes further dtypes.
      if (!fresh) at->second.dtypes = "bihfc";
    }
  return made;
}

const std::map<std::string_view, Rule>& all_rules() {
  static const std::map<std::string_view, Rule> all = read_rows();
  return all;
}

char letter_of(Dtype dtype) {
  if (dtype == Dtype::kBool) return 'b';
  if (is_integral(dtype)) return 'i';
  if (is_complex(dtype)) return 'c';
  return dtype_size(dtype) == 2 ? 'h' : 'f';
}

int category(Dtype dtype) {
  if (dtype == Dtype::kBool) return 0;
  return is_integral(dtype) ? 1 : is_complex(dtype) ? 3 : 2;
}

Dtype wider(Dtype one, Dtype other) {
  if (one == other) return one;
  if (category(one) > category(other)) std::swap(one, other);
  if (is_complex(other)) return one == Dtype::kFloat64 || one == Dtype::kComplex128 ? Dtype::kComplex128 : other;
  if (category(one) < category(other)) return other;
  if (is_floating(one))
    return dtype_size(one) == dtype_size(other) ? Dtype::kFloat32 : dtype_size(one) > dtype_size(other) ? one : other;
  bool sign = one == Dtype::kUInt8 || other == Dtype::kUInt8;
  if (sign && dtype_size(one) == dtype_size(other)) return Dtype::kInt16;
  return dtype_size(one) > dtype_size(other) ? one : other;
}

/// Tensors of one dimension or more, those of none, and numbers: the first rule where they are not of a lower kind.
int weight(const AbstractValue& look) {
  if (!look.is_tensor()) return 0;
  return look.shape && look.shape->empty() ? 1 : 2;
}

std::optional<Dtype> result_type(const CallArguments& call, Dtype type) {
  switch (call.rule->type) {
    case 'f':
      return is_integral(type) ? Dtype::kFloat32 : type;
    case 'b':
      return Dtype::kBool;
    case 'B':
      return type == Dtype::kUInt8 ? type : Dtype::kBool;
    case 'l':
      return Dtype::kInt64;
    case 'w':
      return is_integral(type) ? Dtype::kInt64 : type;
    default:
      return type;
  }
}

bool alike(const std::vector<AbstractValue>& operands) {
  for (const AbstractValue& one : operands)
    if (one.is_tensor() && (!one.dtype || one.dtype != operands.front().dtype)) return false;
  return true;
}

}  // namespace

bool AbstractValue::changed() const {
  return retyped || resized || regrad || leaf ||
         std::any_of(items.begin(), items.end(), [](const AbstractValue& item) { return item.changed(); });
}

AbstractValue AbstractValue::tensor(std::optional<Dtype> dtype, std::optional<Shape> shape) {
  AbstractValue made;
  made.kind = Kind::kTensor;
  made.dtype = dtype;
  made.shape = std::move(shape);
  return made;
}

const Rule* find_rule(std::string_view name) {
  auto found = all_rules().find(name);
  return found == all_rules().end() ? nullptr : &found->second;
}

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, rule] : all_rules()) names.push_back(name);
  return names;
}

const AbstractValue* CallArguments::parameter(std::size_t place, std::string_view keyword) const {
  if (place < others.size()) return &others[place];
  auto found = keywords.find(keyword);
  return found == keywords.end() ? nullptr : &found->second;
}

std::optional<Dtype> promoted(const std::vector<AbstractValue>& operands) {
  std::optional<Dtype> by_weight[3];
  for (const AbstractValue& one : operands) {
    if (!one.dtype || (one.is_tensor() && !one.shape)) return std::nullopt;
    auto& at = by_weight[weight(one)];
    at = at ? wider(*at, *one.dtype) : *one.dtype;
  }
  std::optional<Dtype> type = by_weight[2];
  for (int lower : {1, 0}) {
    auto next = by_weight[lower];
    if (!next) continue;
    if (!type) {
      type = next;
    } else if (category(*next) > category(*type)) {
      // A number of a higher kind asks for the default of its kind, whatever its own width.
      Dtype plain = lower == 0 && is_floating(*next) ? Dtype::kFloat32 : *next;
      if (lower == 0 && is_complex(*next)) plain = Dtype::kComplex64;
      // Half numbers with an imaginary part: no type of ours.
      if (is_complex(*next) && *type == Dtype::kFloat16) return std::nullopt;
      if (is_complex(*next) && is_floating(*type))
        plain = *type == Dtype::kFloat64 ? Dtype::kComplex128 : Dtype::kComplex64;
      type = is_floating(plain) || is_complex(plain) ? plain : wider(*type, plain);
    }
  }
  return type;
}

std::optional<Dtype> type_of(const CallArguments& call) {
  if (!call.rule) return std::nullopt;
  std::vector<AbstractValue> operands = call.operands;
  // Masks stay masks.
  const std::size_t mask = call.rule->type == 'W' ? 0 : call.rule->type == 'F' ? 1 : operands.size();
  if (mask < operands.size()) {
    if (operands[mask].retyped) return std::nullopt;
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(mask));
  }
  if (call.rule->operands < 0 && !operands.empty()) operands = operands.front().items;
  if (call.rule->type == '=' && !alike(operands)) return std::nullopt;
  // `-` takes no bools on either side, whatever the other one is.
  const bool minus = call.name == "sub" || call.name == "subtract" || call.name == "rsub";
  for (const AbstractValue& one : operands)
    if (minus && one.dtype == Dtype::kBool) return std::nullopt;
  auto type = promoted(operands);
  if (!type || call.rule->dtypes.find(letter_of(*type)) == std::string_view::npos) return std::nullopt;
  return result_type(call, *type);
}

bool castable(Dtype from, Dtype to) { return category(from) <= category(to); }

}  // namespace jp::mutate
