// g++ as it is, for as long as something must not depend on the faster one (pyrunner/compiler).
#pragma once

#include "pyrunner/runner.h"

namespace jp::campaign {

/// While it lives, kernels are compiled by g++ as it is.
class PlainCompiler {
 public:
  explicit PlainCompiler(pyrunner::Runner& runner) : runner_(runner) { runner_.use_plain_compiler(true); }
  ~PlainCompiler() { runner_.use_plain_compiler(false); }
  PlainCompiler(const PlainCompiler&) = delete;
  PlainCompiler& operator=(const PlainCompiler&) = delete;

 private:
  pyrunner::Runner& runner_;
};

}  // namespace jp::campaign
