// How far two floating results may lie apart before anybody has to explain it: torch.testing's defaults.
#pragma once

#include "core/dtype.h"

namespace jp::oracle {

/// |observed - reference| may reach absolute + relative * |reference|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// The defaults of torch.testing.assert_close by element type; complex types as their parts; zero for integers and
/// bools, which are compared exactly.
Tolerance default_tolerance(Dtype dtype);

/// The allowance around one reference value.
double allowance(Tolerance tolerance, double reference);

/// Whether two finite numbers agree within the tolerance.
bool is_close(Tolerance tolerance, double reference, double observed);

/// How many tolerances eager itself may lie away from the float64 run and still be called rounded. Farther off, the
/// element sits on a jump (floor, comparison, branch) or on cancellation, and says nothing about a compiler.
/// About 0.13 % for float32, 5 % for float16, 16 % for bfloat16.
double sensitive_limit(Dtype dtype);

}  // namespace jp::oracle
