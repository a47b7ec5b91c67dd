#include "seedgen/constraints/only_ours.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/check.h"

namespace jp::seedgen {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

struct Row {
  std::vector<std::string_view> accepts;
  std::string_view reason;
};

// "add size 1"
std::string key_of(std::string_view op, std::string_view constraint, std::string_view place) {
  return fmt::format("{} {} {}", op, constraint, place);
}

std::map<std::string, Row, std::less<>> read_rows() {
  std::map<std::string, Row, std::less<>> rows;
  bool header = true;
  for (std::string_view line : detail::only_ours_lines()) {
    if (line.starts_with('#')) continue;
    if (std::exchange(header, false)) continue;
    const std::vector<std::string_view> cells = split(line, '\t');
    JP_CHECK(cells.size() == 5, "a row of only_ours.tsv has {} cells: {}", cells.size(), line);
    const bool added = rows.emplace(key_of(cells[0], cells[1], cells[2]), Row{split(cells[3], ' '), cells[4]}).second;
    JP_CHECK(added, "only_ours.tsv has two rows for {} {} {}", cells[0], cells[1], cells[2]);
  }
  return rows;
}

const Row* row_of(std::string_view op, const Breach& breach) {
  static const std::map<std::string, Row, std::less<>> rows = read_rows();
  const std::string_view constraint = constraint_name(breach.constraint);
  const std::string place = place_of(breach);
  for (const std::string& key : {key_of(op, constraint, place), key_of("*", constraint, place),
                                 key_of(op, constraint, "*"), key_of("*", constraint, "*")})
    if (auto row = rows.find(key); row != rows.end()) return &row->second;
  return nullptr;
}

bool none_below(const Shape& sizes, const Shape& than) {
  if (sizes.size() != than.size()) return false;
  for (int i = 0; i < sizes.size(); ++i)
    if (sizes[i] < than[i]) return false;
  return true;
}

// Whether only the size in the dimension differs that "0" or "-1" counts as Python does.
bool changed_at(const Shape& sizes, const Shape& from, std::string_view written) {
  int at = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), at);
  JP_CHECK(read.ec == std::errc() && read.ptr == written.data() + written.size(), "no dimension: {}", written);
  if (sizes.size() != from.size()) return false;
  if (at < 0) at += sizes.size();
  for (int i = 0; i < sizes.size(); ++i)
    if ((sizes[i] != from[i]) != (i == at)) return false;
  return at >= 0 && at < sizes.size();
}

// Bool, integer, float, complex: torch casts a result upwards.
int category(Dtype dtype) {
  if (dtype == Dtype::kBool) return 0;
  return is_integral(dtype) ? 1 : is_floating(dtype) ? 2 : 3;
}

// Beside the sizes of the call's first input.
bool is_number_so(std::string_view word, const Breach& breach) {
  const Shape& sizes = breach.taken.shape;
  const double largest = sizes.empty() ? 0 : static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
  if (word == "zero") return breach.now == 0;
  if (word == "minus1") return breach.now == -1;
  if (word == "within") return breach.now >= 0 && breach.now <= largest;
  if (word == "beyond") return breach.now > largest;
  if (word == "before") return breach.now < -largest;
  return word == "more" ? breach.now > breach.was : breach.now < breach.was;
}

bool is_so(std::string_view word, const Breach& breach) {
  const Shape& shape = breach.value.shape;
  const Shape& taken = breach.taken.shape;
  if (word == "all") return true;
  if (word == "none") return false;
  if (word == "near" || word == "far") return breach.far == (word == "far");
  if (word == "broadcast") return broadcast(shape, taken).has_value();
  if (word == "higher") return shape.size() > taken.size();
  if (word == "lower") return shape.size() < taken.size();
  if (word == "larger") return none_below(shape, taken);
  if (word == "smaller") return none_below(taken, shape);
  if (word == "wider") return category(breach.value.dtype) > category(breach.taken.dtype);
  if (word == "narrower") return category(breach.value.dtype) < category(breach.taken.dtype);
  if (word == "alike") return category(breach.value.dtype) == category(breach.taken.dtype);
  constexpr std::string_view kOfNumbers[] = {"zero", "minus1", "within", "beyond", "before", "more", "less"};
  if (std::find(std::begin(kOfNumbers), std::end(kOfNumbers), word) != std::end(kOfNumbers))
    return is_number_so(word, breach);
  if (word.starts_with("at")) return changed_at(shape, taken, word.substr(2));
  const std::optional<Dtype> dtype = parse_dtype(word);
  JP_CHECK(dtype.has_value(), "only_ours.tsv has the word {}", word);
  return breach.value.dtype == *dtype;
}

}  // namespace

std::string place_of(const Breach& breach) {
  return breach.parameter.empty() ? std::to_string(breach.place) : std::string(breach.parameter);
}

std::string_view only_ours(std::string_view op, const Breach& breach) {
  const Row* row = row_of(op, breach);
  if (row == nullptr) return "";
  const bool accepted =
      std::any_of(row->accepts.begin(), row->accepts.end(), [&](std::string_view word) { return is_so(word, breach); });
  return accepted ? row->reason : "";
}

bool partly_ours(std::string_view op, const Breach& breach) {
  const Row* row = row_of(op, breach);
  return row != nullptr && row->accepts != std::vector<std::string_view>{"none"};
}

}  // namespace jp::seedgen
