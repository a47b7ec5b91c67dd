#include "oracle/judge/tolerance.h"

#include <cmath>

namespace jp::oracle {

Tolerance default_tolerance(Dtype dtype) {
  // torch/testing/_comparison.py, _DTYPE_PRECISIONS.
  switch (dtype) {
    case Dtype::kFloat16:
      return {1e-3, 1e-5};
    case Dtype::kBFloat16:
      return {1.6e-2, 1e-5};
    case Dtype::kFloat32:
    case Dtype::kComplex64:
      return {1.3e-6, 1e-5};
    case Dtype::kFloat64:
    case Dtype::kComplex128:
      return {1e-7, 1e-7};
    default:
      return {};
  }
}

double allowance(Tolerance tolerance, double reference) {
  return tolerance.absolute + tolerance.relative * std::abs(reference);
}

bool is_close(Tolerance tolerance, double reference, double observed) {
  return std::abs(observed - reference) <= allowance(tolerance, reference);
}

double sensitive_limit(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
      return 50;
    case Dtype::kBFloat16:
      return 10;
    default:
      return 1000;
  }
}

}  // namespace jp::oracle
