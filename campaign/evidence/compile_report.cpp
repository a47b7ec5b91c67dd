#include "campaign/evidence/compile_report.h"

#include "codec/codec.h"

namespace jp::campaign {

Result<codec::Json> compile_report(pyrunner::Runner& runner, const Program& program, const std::string& backend,
                                   const std::string& device) {
  return runner.explain(program, {.role = "explained", .compiled = true, .backend = backend, .device = device});
}

}  // namespace jp::campaign
