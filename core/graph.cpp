#include "core/graph.h"

#include <algorithm>
#include <utility>

namespace jp {

Ints Ints::filled(int count, std::int64_t item) {
  Ints ints;
  for (int i = 0; i < count; ++i) ints.push_back(item);
  return ints;
}

void Ints::insert(int at, std::int64_t item) {
  push_back(item);
  std::rotate(begin() + at, end() - 1, end());
}

void Ints::erase(int at) {
  std::move(begin() + at + 1, end(), begin() + at);
  --size_;
}

bool Ints::operator==(const Ints& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

void Call::add(Argument argument) { arguments.push_back(std::move(argument)); }

std::vector<int> operands(const Call& call) {
  std::vector<int> read;
  for_each_operand(call, [&](int value) { read.push_back(value); });
  return read;
}

std::vector<int> Graph::sinks() const {
  std::vector<bool> read(values.size());
  for (const Call& call : calls)
    for_each_operand(call, [&](int value) { read[static_cast<std::size_t>(value)] = true; });
  std::vector<int> unread;
  for (const GraphValue& value : values)
    if (!value.input && !read[static_cast<std::size_t>(value.id)]) unread.push_back(value.id);
  return unread;
}

}  // namespace jp
