#include "answers/metrics.h"

#include <fmt/format.h>

#include <array>

#include "codec/codec.h"

namespace jp::answers {
namespace {

struct Row {
  const char* name;
  double seedgen::Metrics::*member;
  const char* says;
};

constexpr std::array<Row, 11> kRows = {{
    {"NOO", &seedgen::Metrics::noo, "operator calls in a graph"},
    {"NOT", &seedgen::Metrics::types, "different operators in a graph"},
    {"NOP", &seedgen::Metrics::nop, "different edges in a graph"},
    {"NTR", &seedgen::Metrics::ntr, "different pairs of adjacent edges in a graph"},
    {"NSA", &seedgen::Metrics::nsa, "different input shapes and attributes in a graph"},
    {"OTC", &seedgen::Metrics::otc, "fraction of the operators that occurred"},
    {"IDC", &seedgen::Metrics::idc, "fraction of an operator's in-degrees that occurred"},
    {"ODC", &seedgen::Metrics::odc, "different out-degrees of an operator"},
    {"SEC", &seedgen::Metrics::sec, "fraction of the edges from an operator that occurred"},
    {"DEC", &seedgen::Metrics::dec, "fraction of the pairs of edges through an operator that occurred"},
    {"SAC", &seedgen::Metrics::sac, "different input shapes and attributes of an operator"},
}};

}  // namespace

seedgen::Metrics measure_seeds(std::uint64_t first, std::uint64_t count, const seedgen::GenerateOptions& options,
                               const GraphMaker& make) {
  seedgen::MetricsCounter counter(seedgen::members_named(options.only), options.bounds);
  for (std::uint64_t i = 0; i < count; ++i) counter.add(make(first + i));
  return counter.result();
}

std::string render(const seedgen::Metrics& metrics) {
  std::string text = fmt::format("{} graphs\n", metrics.graphs);
  for (const Row& row : kRows) text += fmt::format("  {}  {:>10.4f}  {}\n", row.name, metrics.*row.member, row.says);
  return text;
}

codec::Json json_of(const seedgen::Metrics& metrics) {
  codec::Json json = {{"graphs", metrics.graphs}};
  for (const Row& row : kRows) json[row.name] = metrics.*row.member;
  return json;
}

}  // namespace jp::answers
