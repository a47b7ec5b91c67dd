#include "mutate/calls/operator_families.h"

namespace jp::mutate {

const std::vector<OperatorNames>& symbol_families() {
  using Names = OperatorNames;
  static const std::vector<Names> all = {{"+", "-", "*"},    {"/", "*"},         {"//", "%"},
                                         {"&", "|", "^"},    {"==", "!="},       {"<", "<=", ">", ">="},
                                         {"+=", "-=", "*="}, {"&=", "|=", "^="}, {"//=", "%="}};
  return all;
}

const std::vector<Family>& function_families() {
  static const std::vector<Family> all = {
      {1, {"abs", "neg", "sign", "square", "relu"}},
      {1, {"sin",   "cos",  "tan",   "tanh",  "sigmoid", "exp",   "expm1",      "exp2",   "sqrt",
           "rsqrt", "log",  "log1p", "log2",  "log10",   "erf",   "erfc",       "asin",   "acos",
           "atan",  "sinh", "cosh",  "asinh", "acosh",   "atanh", "reciprocal", "lgamma", "digamma"}},
      {1, {"floor", "ceil", "trunc", "round"}},
      {1, {"isnan", "isinf", "isfinite", "isposinf", "isneginf"}},
      {1, {"logical_not", "bitwise_not"}},
      {2, {"add", "sub", "mul"}},
      {2, {"maximum", "minimum", "fmax", "fmin"}},
      {2, {"div", "true_divide"}},
      {2, {"fmod", "remainder", "floor_divide"}},
      {2, {"atan2", "hypot", "copysign", "nextafter"}},
      {2, {"logaddexp", "logaddexp2"}},
      {2, {"bitwise_and", "bitwise_or", "bitwise_xor"}},
      {2, {"logical_and", "logical_or", "logical_xor"}},
      {2, {"eq", "ne", "lt", "le", "gt", "ge"}},
      {2, {"gcd", "lcm"}},
      {3, {"addcmul", "addcdiv"}},
      {3, {"sum", "nansum", "amax", "amin"}},
      {2, {"mean", "nanmean"}},
      {3, {"argmax", "argmin"}},
      {3, {"all", "any"}},
      {3, {"max", "min"}},
      {1, {"median", "nanmedian"}},
      {2, {"std", "var"}},
      {2, {"cumsum", "cumprod"}},
      {2, {"cummax", "cummin"}},
      {2, {"tril", "triu"}},
      {2, {"softmax", "log_softmax"}},
      {1, {"zeros_like", "ones_like"}},
      {9, {"zeros", "ones"}},
      {9, {"rand", "randn"}},
      {1, {"flipud", "fliplr"}},
      {2, {"mm", "matmul"}},
  };
  return all;
}

const std::vector<TorchNamespace>& torch_namespaces() {
  static const std::vector<TorchNamespace> all = {
      {"nn.functional",
       {{1,
         {"relu", "gelu", "silu", "elu", "selu", "celu", "softplus", "softsign", "hardtanh", "hardswish", "hardsigmoid",
          "logsigmoid", "mish", "relu6", "leaky_relu", "tanhshrink", "softshrink", "hardshrink"}},
        {2, {"softmax", "log_softmax", "softmin"}},
        {2, {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"}},
        {2, {"adaptive_avg_pool1d", "adaptive_max_pool1d"}},
        {2, {"adaptive_avg_pool2d", "adaptive_max_pool2d"}},
        {2, {"adaptive_avg_pool3d", "adaptive_max_pool3d"}}}},
      {"special",
       {{1,
         {"i0", "i0e", "i1", "i1e", "erfcx", "ndtr", "log_ndtr", "bessel_j0", "bessel_j1", "modified_bessel_i0",
          "modified_bessel_i1", "entr", "expit", "sinc", "psi"}},
        {2, {"xlogy", "xlog1py"}}}},
  };
  return all;
}

const std::vector<OperatorNames>& foreach_families() {
  using Names = OperatorNames;
  static const std::vector<Names> all = {{"abs", "neg", "sign"},
                                         {"sin", "cos", "tan", "tanh", "sigmoid", "exp", "expm1", "sqrt", "log",
                                          "log1p", "erf", "erfc", "atan", "sinh", "cosh", "reciprocal"},
                                         {"floor", "ceil", "trunc", "round"},
                                         {"add", "sub", "mul"},
                                         {"maximum", "minimum"}};
  return all;
}

}  // namespace jp::mutate
