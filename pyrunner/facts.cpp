#include "pyrunner/facts.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace jp::pyrunner {
namespace {

using codec::Json;

constexpr const char* kMalformed = "malformed facts";

// Packed numbers: driver and worker run on one machine, and so agree on the order of bytes.
template <typename T>
std::vector<T> numbers(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

Result<NameFacts> read_entry(const Json& json) {
  Result<NameFacts> entry = codec::read<NameFacts>(json);
  auto packed = json.find("values");
  if (!entry.ok() || packed == json.end()) return entry;
  std::vector<double> values = numbers<double>(*packed);
  std::vector<std::int64_t> positions;
  if (auto found = json.find("positions"); found != json.end()) {
    positions = found->get<std::vector<std::int64_t>>();
    if (positions.size() != values.size()) return Error{kMalformed};
  }
  std::vector<Elements::value_type> elements;
  elements.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t position = positions.empty() ? static_cast<std::int64_t>(i) : positions[i];
    // One NaN for all, whatever bits it has.
    double value = std::isnan(values[i]) ? std::numeric_limits<double>::quiet_NaN() : values[i];
    elements.emplace_back(position, value);
  }
  entry.value().elements = Elements(std::move(elements));
  return entry;
}

Result<std::vector<NameFacts>> read_table(const Json& json) {
  std::vector<NameFacts> table;
  for (const Json& item : json) {
    Result<NameFacts> entry = read_entry(item);
    if (!entry.ok()) return entry.error();
    table.push_back(std::move(entry.value()));
  }
  return table;
}

Result<Names> read_point(const Json& json, const std::vector<std::string>& names, const std::vector<NameFacts>& table) {
  std::vector<std::int32_t> packed = numbers<std::int32_t>(json);
  Names point;
  for (std::size_t i = 0; i + 3 <= packed.size(); i += 3) {
    auto name = static_cast<std::size_t>(packed[i]);
    auto entry = static_cast<std::size_t>(packed[i + 1]);
    if (name >= names.size() || entry >= table.size()) return Error{kMalformed};
    NameFacts& known = point.emplace_hint(point.end(), names[name], table[entry])->second;
    if (packed[i + 2] >= 0) known.storage = packed[i + 2];
  }
  return point;
}

// {statement: number of a point}. A point stands behind a statement, before one, or both: read where it stands.
Result<std::map<std::string, Names>> place(const Json& json, const Json& points, const std::vector<std::string>& names,
                                           const std::vector<NameFacts>& table) {
  std::map<std::string, Names> placed;
  for (const auto& [statement, number] : json.items()) {
    Result<Names> point = read_point(points.at(number.get<std::size_t>()), names, table);
    if (!point.ok()) return point.error();
    placed.emplace_hint(placed.end(), statement, std::move(point.value()));
  }
  return placed;
}

Result<Facts> read_all(const Json& json) {
  auto names = json.at("names").get<std::vector<std::string>>();
  Result<std::vector<NameFacts>> table = read_table(json.at("table"));
  if (!table.ok()) return table.error();
  const Json& points = json.at("points");
  Result<std::map<std::string, Names>> before = place(json.at("before"), points, names, table.value());
  if (!before.ok()) return before.error();
  Result<std::map<std::string, Names>> after = place(json.at("after"), points, names, table.value());
  if (!after.ok()) return after.error();
  return Facts{std::move(before.value()), std::move(after.value()),
               json.at("visits").get<std::map<std::string, std::int64_t>>(), json.at("calls").get<std::int64_t>()};
}

}  // namespace

Result<Facts> read_facts(const Json& packed) {
  try {
    const auto& bytes = packed.get_binary();
    Result<Json> json = codec::unpack({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!json.ok()) return json.error();
    return read_all(json.value());
  } catch (const Json::exception& error) {
    return Error{std::string(kMalformed) + ": " + error.what()};
  }
}

}  // namespace jp::pyrunner
