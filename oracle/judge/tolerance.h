// How far two floating results may differ without further evidence: torch.testing's defaults.
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

}  // namespace jp::oracle
