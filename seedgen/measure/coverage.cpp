#include "seedgen/measure/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "seedgen/bases/members.h"
#include "seedgen/types/types.h"

namespace jp::seedgen {
namespace {

// Kind, then up to three words of 16 bits.
enum class Kind : std::uint8_t { kDtype, kShape, kEdge, kPath, kBroken };

constexpr std::array<std::string_view, 5> kKinds = {"dtype", "shape", "edge", "path", "broken"};
constexpr std::array<std::string_view, 5> kSizes = {"0", "1", "2+", "8+", "64+"};

Feature feature(Kind kind, int a, int b, int c = 0) {
  return static_cast<Feature>(kind) << 48 | static_cast<Feature>(a) << 32 | static_cast<Feature>(b) << 16 |
         static_cast<Feature>(c);
}

Kind kind_of(Feature feature) { return static_cast<Kind>(feature >> 48); }
int word_of(Feature feature, int at) { return static_cast<int>(feature >> (32 - 16 * at) & 0xffff); }

int shape_class(const Shape& shape) {
  const std::int64_t elements = element_count(shape);
  const int size = elements == 0 ? 0 : elements == 1 ? 1 : elements < 8 ? 2 : elements < 64 ? 3 : 4;
  return shape.size() * static_cast<int>(kSizes.size()) + size;
}

std::string shape_name(int number) {
  const int sizes = static_cast<int>(kSizes.size());
  return fmt::format("{}d {}", number / sizes, kSizes[static_cast<std::size_t>(number % sizes)]);
}

constexpr int kShapeClasses = (kMaxRank + 1) * static_cast<int>(kSizes.size());

// In the third word both dtype and shape class.
std::string broken_name(Feature feature) {
  const int type = word_of(feature, 2);
  return fmt::format("broken {} {} {} {}", all_members()[static_cast<std::size_t>(word_of(feature, 0))].id,
                     breach_name(word_of(feature, 1)), dtype_name(static_cast<Dtype>(type / kShapeClasses)),
                     shape_name(type % kShapeClasses));
}

std::optional<int> shape_named(const std::string& name) {
  for (int i = 0; i < kShapeClasses; ++i)
    if (shape_name(i) == name) return i;
  return std::nullopt;
}

std::optional<Feature> broken_named(const std::vector<std::string_view>& words) {
  const int op = member_number(words[1]);
  const int breach = breach_named(words[2]);
  const std::optional<Dtype> dtype = parse_dtype(words[3]);
  const std::optional<int> shape = shape_named(fmt::format("{} {}", words[4], words[5]));
  if (op < 0 || breach < 0 || !dtype || !shape) return std::nullopt;
  return feature(Kind::kBroken, op, breach, static_cast<int>(*dtype) * kShapeClasses + *shape);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

void sort_and_thin(std::vector<Feature>& features) {
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
}

}  // namespace

std::string feature_name(Feature feature) {
  const Kind kind = kind_of(feature);
  if (kind == Kind::kBroken) return broken_name(feature);
  auto op = [&](int at) { return all_members()[static_cast<std::size_t>(word_of(feature, at))].id; };
  std::string text = fmt::format("{} {}", kKinds[static_cast<std::size_t>(kind)], op(0));
  if (kind == Kind::kDtype) return fmt::format("{} {}", text, dtype_name(static_cast<Dtype>(word_of(feature, 1))));
  if (kind == Kind::kShape) return fmt::format("{} {}", text, shape_name(word_of(feature, 1)));
  text += fmt::format(" {}", op(1));
  return kind == Kind::kEdge ? text : fmt::format("{} {}", text, op(2));
}

std::optional<Feature> feature_named(std::string_view name) {
  const std::vector<std::string_view> words = words_of(name);
  if (words.size() == 6 && words[0] == "broken") return broken_named(words);
  if (words.size() < 3 || member_number(words[1]) < 0) return std::nullopt;
  const int op = member_number(words[1]);
  if (words[0] == "dtype" && words.size() == 3) {
    const std::optional<Dtype> dtype = parse_dtype(words[2]);
    return dtype ? std::optional(feature(Kind::kDtype, op, static_cast<int>(*dtype))) : std::nullopt;
  }
  if (words[0] == "shape" && words.size() == 4) {
    const std::optional<int> shape = shape_named(fmt::format("{} {}", words[2], words[3]));
    return shape ? std::optional(feature(Kind::kShape, op, *shape)) : std::nullopt;
  }
  const int second = member_number(words[2]);
  if (words[0] == "edge" && words.size() == 3 && second >= 0) return feature(Kind::kEdge, op, second);
  if (words[0] != "path" || words.size() != 4 || second < 0 || member_number(words[3]) < 0) return std::nullopt;
  return feature(Kind::kPath, op, second, member_number(words[3]));
}

Feature broken_feature(int op, const Breach& breach) {
  const int type = static_cast<int>(breach.value.dtype) * kShapeClasses + shape_class(breach.value.shape);
  return feature(Kind::kBroken, op, breach_number(breach), type);
}

std::vector<Feature> Coverage::sorted() const {
  std::vector<Feature> all(features_.begin(), features_.end());
  std::sort(all.begin(), all.end());
  return all;
}

const std::vector<Feature>& FeatureFinder::next(const Graph& graph) {
  const auto at = static_cast<int>(numbers_.size());
  const Call& call = graph.calls[static_cast<std::size_t>(at)];
  producers_.resize(graph.values.size(), -1);
  found_.clear();
  const int number = member_number(call.op);
  numbers_.push_back(number);
  sources_.emplace_back();
  for (int output : call.outputs) producers_[static_cast<std::size_t>(output)] = at;
  if (number < 0) return found_;
  for (int output : call.outputs) {
    const GraphValue& value = graph.values[static_cast<std::size_t>(output)];
    found_.push_back(feature(Kind::kDtype, number, static_cast<int>(value.dtype)));
    found_.push_back(feature(Kind::kShape, number, shape_class(value.shape)));
  }
  for (int operand : operands(call)) {
    const int source = producers_[static_cast<std::size_t>(operand)];
    if (source < 0 || numbers_[static_cast<std::size_t>(source)] < 0) continue;
    const int before = numbers_[static_cast<std::size_t>(source)];
    sources_.back().push_back(before);
    found_.push_back(feature(Kind::kEdge, before, number));
    for (int first : sources_[static_cast<std::size_t>(source)])
      found_.push_back(feature(Kind::kPath, first, before, number));
  }
  sort_and_thin(found_);
  return found_;
}

void FeatureFinder::put_back() {
  const auto last = static_cast<int>(numbers_.size()) - 1;
  while (!producers_.empty() && producers_.back() == last) producers_.pop_back();
  // Arguments that the call added are removed as well: the next call fills the table up again.
  std::replace(producers_.begin(), producers_.end(), last, -1);
  numbers_.pop_back();
  sources_.pop_back();
}

std::vector<Feature> coverage_of(const Graph& graph) {
  FeatureFinder finder;
  std::vector<Feature> all;
  for (std::size_t i = 0; i < graph.calls.size(); ++i) {
    const std::vector<Feature>& found = finder.next(graph);
    all.insert(all.end(), found.begin(), found.end());
  }
  sort_and_thin(all);
  return all;
}

}  // namespace jp::seedgen
