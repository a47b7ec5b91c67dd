#include "answers/site_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include "codec/codec.h"
#include "mutate/engine/mutation.h"

namespace jp::answers {
namespace {

constexpr std::array kExactness = {mutate::Exactness::kBitwise, mutate::Exactness::kRounding,
                                   mutate::Exactness::kVariation, mutate::Exactness::kBroken};

Status set(SiteFilter& filter, std::string_view key, const std::string& value) {
  if (key == "line") {
    int line = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), line);
    if (error != std::errc() || end != value.data() + value.size() || line < 1)
      return Error{fmt::format("'{}' is no line: it must be a number from 1", value)};
    filter.line = line;
    return Done{};
  }
  if (key == "exactness") {
    if (std::none_of(kExactness.begin(), kExactness.end(),
                     [&](mutate::Exactness one) { return mutate::exactness_name(one) == value; }))
      return Error{fmt::format("there is no exactness '{}': it is bitwise, rounding, variation or broken", value)};
    filter.exactness = value;
    return Done{};
  }
  std::set<std::string_view> sections;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all()) sections.insert(mutation->section());
  if (!sections.contains(value)) return Error{fmt::format("there is no section '{}': they are A to E", value)};
  filter.section = value;
  return Done{};
}

}  // namespace

bool SiteFilter::fits(const codec::Json& row) const {
  if (line && row["line"].get<int>() != *line) return false;
  if (!exactness.empty() && row["exactness"].get<std::string>() != exactness) return false;
  if (!section.empty()) {
    const mutate::Mutation* mutation = mutate::Mutations::instance().find(row["mutation"].get<std::string>());
    if (mutation == nullptr || mutation->section() != section) return false;
  }
  return text.empty() || row["apply"].get<std::string>().find(text) != std::string::npos ||
         row["example"].get<std::string>().find(text) != std::string::npos;
}

std::string SiteFilter::written() const {
  std::string words;
  const auto add = [&](const std::string& word) { words += (words.empty() ? "" : " ") + word; };
  if (!section.empty()) add("section=" + section);
  if (!exactness.empty()) add("exactness=" + exactness);
  if (line) add(fmt::format("line={}", *line));
  if (!text.empty()) add(text);
  return words;
}

Result<SiteFilter> read_filter(const std::vector<std::string>& words) {
  SiteFilter filter;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals != std::string::npos && (key == "line" || key == "section" || key == "exactness")) {
      if (Status status = set(filter, key, word.substr(equals + 1)); !status.ok()) return status.error();
    } else {
      filter.text += (filter.text.empty() ? "" : " ") + word;
    }
  }
  return filter;
}

}  // namespace jp::answers
