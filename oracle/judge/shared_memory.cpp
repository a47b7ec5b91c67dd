#include "oracle/judge/shared_memory.h"

#include <algorithm>
#include <cstdint>

namespace jp::oracle {
namespace {

constexpr std::int64_t kNone = -1;

// Of each tensor in a tree the storage; kNone for one without elements, and for layouts without a storage.
void add_storages(const Observation& run, const Value& value, std::vector<std::int64_t>& storages) {
  if (value.kind == Value::Kind::kTensor) {
    const auto at = static_cast<std::size_t>(value.index);
    const TensorRecord* record = value.index >= 0 && at < run.tensors.size() ? &run.tensors[at] : nullptr;
    const bool has_memory = record && record->layout == "strided" && !record->bytes.empty();
    storages.push_back(has_memory ? record->storage : kNone);
  }
  for (const Value& item : value.items) add_storages(run, item, storages);
}

std::vector<bool> are_held(const Observation& run, const CallRecord& call) {
  std::vector<std::int64_t> outputs;
  std::vector<std::int64_t> held;
  add_storages(run, call.output, outputs);
  add_storages(run, call.inputs, held);
  add_storages(run, call.state, held);
  std::vector<bool> shares;
  for (const std::int64_t storage : outputs)
    shares.push_back(storage != kNone && std::find(held.begin(), held.end(), storage) != held.end());
  return shares;
}

}  // namespace

bool output_is_held(const Observation& run, const CallRecord& call, std::size_t tensor) {
  const std::vector<bool> held = are_held(run, call);
  return tensor >= held.size() || held[tensor];
}

std::vector<std::size_t> outputs_that_became_held(const Observation& eager, const CallRecord& eager_call,
                                                  const Observation& compiled, const CallRecord& compiled_call) {
  const std::vector<bool> before = are_held(eager, eager_call);
  const std::vector<bool> now = are_held(compiled, compiled_call);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < now.size() && before.size() == now.size(); ++i)
    if (now[i] && !before[i]) numbers.push_back(i);
  return numbers;
}

}  // namespace jp::oracle
