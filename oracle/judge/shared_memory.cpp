#include "oracle/judge/shared_memory.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "oracle/judge/elements.h"
#include "oracle/judge/overlap.h"

namespace jp::oracle {
namespace {

constexpr std::int64_t kNone = -1;

// The bytes of a storage from a tensor's first element to its last.
struct Memory {
  std::int64_t storage = kNone;  // kNone for a tensor without elements, and for layouts without a storage
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool overlaps(const Memory& other) const {
    return storage != kNone && storage == other.storage && begin < other.end && other.begin < end;
  }
};

Memory memory_of(const TensorRecord& record) {
  const std::optional<Elements> elements = Elements::of(record);
  if (record.layout != "strided" || !elements || elements->bytes().empty()) return {};
  const auto size = static_cast<std::int64_t>(elements->bytes().size() / elements->count());
  return {record.storage, record.offset * size, (record.offset + extent(record)) * size};
}

// Of each tensor in a tree.
void add_memory(const Observation& run, const Value& value, std::vector<Memory>& memory) {
  if (value.kind == Value::Kind::kTensor) {
    const auto at = static_cast<std::size_t>(value.index);
    memory.push_back(value.index >= 0 && at < run.tensors.size() ? memory_of(run.tensors[at]) : Memory{});
  }
  for (const Value& item : value.items) add_memory(run, item, memory);
}

std::vector<bool> are_held(const Observation& run, const CallRecord& call) {
  std::vector<Memory> outputs;
  std::vector<Memory> held;
  add_memory(run, call.output, outputs);
  add_memory(run, call.inputs, held);
  add_memory(run, call.state, held);
  std::vector<bool> shares;
  for (const Memory& output : outputs)
    shares.push_back(
        std::any_of(held.begin(), held.end(), [&](const Memory& other) { return output.overlaps(other); }));
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
