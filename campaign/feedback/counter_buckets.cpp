#include "campaign/feedback/counter_buckets.h"

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <string_view>
#include <variant>

#include "core/utf8.h"

namespace jp::campaign {
namespace {

// Reasons are long, and end in text that differs from program to program.
constexpr std::size_t kReasonLength = 60;

std::string bucket_of(std::int64_t count) {
  if (count < 4) return fmt::format("{}", count);
  std::int64_t low = 4;
  while (low * 2 <= count) low *= 2;
  return fmt::format("{}+", low);
}

// The first line of a reason, without numbers.
std::string plain(std::string_view reason) {
  std::string text;
  for (char letter : reason.substr(0, reason.find('\n')))
    if (letter < '0' || letter > '9') text += letter;
  return std::string(whole_characters(text, kReasonLength));
}

void add_buckets(const Counters& counters, std::set<std::string>& buckets) {
  auto count = [&](std::string_view name, std::int64_t number) {
    if (number > 0) buckets.insert(fmt::format("{} {}", name, bucket_of(number)));
  };
  count("frames", counters.frames_compiled);
  count("graphs", counters.graphs);
  count("recompile_limit", counters.recompile_limit_hits);
  for (const auto& [name, number] : counters.others) count(name, number);
  for (const auto& [reason, number] : counters.graph_breaks)
    if (number > 0) buckets.insert("graph_break: " + plain(reason));
}

}  // namespace

std::vector<std::string> counter_buckets(const std::vector<Outcome>& outcomes) {
  std::set<std::string> buckets;
  for (const Outcome& outcome : outcomes)
    if (const auto* finished = std::get_if<Finished>(&outcome.ending); finished && finished->counters.known)
      add_buckets(finished->counters, buckets);
  return {buckets.begin(), buckets.end()};
}

}  // namespace jp::campaign
