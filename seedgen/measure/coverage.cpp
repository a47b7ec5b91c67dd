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

Feature broken_feature(int op, const Breach& breach) {
  const int type = static_cast<int>(breach.value.dtype) * kShapeClasses + shape_class(breach.value.shape);
  return feature(Kind::kBroken, op, breach_number(breach), type);
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
