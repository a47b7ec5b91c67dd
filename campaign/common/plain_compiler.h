// The compiler and g++ as they are, for as long as something must not depend on what makes them faster
// (pyrunner/compiler, pyrunner/runtime/compat/savings.py).
#pragma once

#include "pyrunner/runner.h"

namespace jp::campaign {

/// While it lives, programs and kernels are compiled with nothing left out.
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
