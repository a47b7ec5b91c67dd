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
  for (const Argument& argument : call.arguments) {
    if (const auto* one = std::get_if<Ref>(&argument)) read.push_back(one->value);
    if (const auto* several = std::get_if<std::vector<Ref>>(&argument))
      for (Ref ref : *several) read.push_back(ref.value);
  }
  return read;
}

std::vector<int> Graph::sinks() const {
  std::vector<bool> read(values.size());
  for (const Call& call : calls)
    for (int value : operands(call)) read[static_cast<std::size_t>(value)] = true;
  std::vector<int> unread;
  for (const GraphValue& value : values)
    if (!value.input && !read[static_cast<std::size_t>(value.id)]) unread.push_back(value.id);
  return unread;
}

}  // namespace jp
