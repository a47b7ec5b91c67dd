// Findings of the short form, with the outcomes that it needs.
#pragma once

#include <string>

#include "tests/report/build.h"

namespace jp::report::test {

inline const std::string kShort =
    "import torch\n\n\ndef make_inputs():\n    return (torch.tensor([-1.0, 0.5], requires_grad=True),)\n\n\n"
    "def program(x):\n    return torch.relu(x)\n";

/// One call that returns one tensor, in eager and compiled.
inline Finding short_finding(const std::string& source, const std::string& backend, Mismatch mismatch,
                             const std::string& where) {
  Finding finding = finding_of(source, backend, mismatch, where);
  Finished finished;
  TensorRecord record;
  record.identity = record.storage = 1;
  record.dtype = "float32";
  record.layout = "strided";
  record.shape = {1};
  record.strides = {1};
  record.bytes = std::string("\0\0\x80\x3f", 4);
  finished.observation.tensors = {record};
  finished.observation.calls.resize(1);
  CallRecord& call = finished.observation.calls[0];
  call.output = {.kind = Value::Kind::kTensor, .type = "torch.Tensor", .index = 0};
  call.inputs = {.kind = Value::Kind::kSequence, .type = "tuple", .items = {call.output}};
  for (const char* role : {"eager", "compiled"}) finding.outcomes.push_back({role, finished, 1});
  return finding;
}

}  // namespace jp::report::test
