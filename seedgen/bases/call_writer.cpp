#include "seedgen/bases/call_writer.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

namespace jp::seedgen {

Forms static_forms(const std::string& first, const std::string& second) {
  struct Entry {
    std::array<std::string, 2> texts;
    std::array<std::string_view, 2> views;
  };
  static std::mutex mutex;
  static std::unordered_map<std::string, Entry> entries;
  thread_local std::string key;
  key.assign(first).push_back('\n');
  key.append(second);
  std::lock_guard lock(mutex);
  auto [at, added] = entries.try_emplace(key);
  Entry& entry = at->second;
  if (added) {
    entry.texts = {first, second};
    entry.views = {entry.texts[0], entry.texts[1]};
  }
  return Forms(entry.views).first(first == second ? 1 : 2);
}

CallWriter::CallWriter(std::string_view op, std::string_view callee) {
  call_.op = op;
  keywords_.append(callee).append("(");
  positions_ = keywords_;
}

void CallWriter::append(std::string& text, std::string_view name, bool by_name, std::string_view after) const {
  if (!call_.arguments.empty()) text.append(", ");
  if (by_name) text.append(name).append("=");
  text.push_back('$');
  text.push_back(static_cast<char>('0' + call_.arguments.size()));
  text.append(after);
}

CallWriter& CallWriter::put(std::string_view name, Argument argument, std::string_view after) {
  JP_CHECK(call_.arguments.size() < 10, "{} has more than ten arguments", call_.op);
  tensors_only_ = tensors_only_ && !gap_ && std::holds_alternative<Ref>(argument);
  append(keywords_, name, !tensors_only_, after);
  append(positions_, name, gap_, after);
  call_.add(std::move(argument));
  return *this;
}

CallWriter& CallWriter::give_text(std::string_view name, const Value& value, std::string text) {
  JP_CHECK(call_.arguments.empty(), "{} has arguments before {}", call_.op, name);
  call_.add(Ref{value.id});
  keywords_.append("$1");
  positions_.append("$1");
  call_.add(std::move(text));
  return *this;
}

CallWriter& CallWriter::skip() {
  gap_ = true;
  return *this;
}

CallWriter& CallWriter::give_if(bool given, std::string_view name, Argument argument) {
  return given ? give(name, std::move(argument)) : skip();
}

CallWriter& CallWriter::keyword(std::string_view name, Argument argument) {
  gap_ = true;
  return give(name, std::move(argument));
}

Call CallWriter::finish(std::string_view after) {
  keywords_.append(")").append(after);
  positions_.append(")").append(after);
  call_.forms = static_forms(keywords_, positions_);
  return std::move(call_);
}

Argument int_or_tuple(const Ints& items, bool draws_one) {
  bool same = std::all_of(items.begin(), items.end(), [&](std::int64_t item) { return item == items[0]; });
  if (same && draws_one) return items[0];
  return items;
}

Argument quoted(std::string_view text) { return std::string("\"").append(text).append("\""); }

}  // namespace jp::seedgen
