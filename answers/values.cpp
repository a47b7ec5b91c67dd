#include "answers/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codec/codec.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/elements.h"
#include "oracle/judge/text.h"

namespace jp::answers {
namespace {

using codec::Json;

/// Shown of a tensor, and of the outputs, at most. Chosen, not measured.
constexpr std::size_t kMostElements = 64;
constexpr std::size_t kMostOutputs = 64;

/// One value of both runs.
struct Pair {
  int call = 0;
  std::string where;
  const Value* reference = nullptr;
  const Value* observed = nullptr;
};

class Sides {
 public:
  Sides(const Observation& reference, const Observation& observed) : reference_(reference), observed_(observed) {}

  /// Every leaf that both runs have, by the names that verdicts use.
  std::vector<Pair> leaves() {
    const std::size_t calls = std::min(reference_.calls.size(), observed_.calls.size());
    for (std::size_t i = 0; i < calls; ++i) {
      const CallRecord& one = reference_.calls[i];
      const CallRecord& other = observed_.calls[i];
      call_ = static_cast<int>(i);
      walk("output", one.output, other.output);
      walk("gradients", one.gradients, other.gradients);
      walk("inputs", one.inputs, other.inputs);
      walk("state", one.state, other.state);
    }
    walk("observed", reference_.observed, observed_.observed);
    return std::move(leaves_);
  }

  Json json_of(const Pair& pair) const {
    Json row = {{"call", pair.call}, {"where", pair.where}, {"type", pair.reference->type}};
    const TensorRecord* one = tensor(reference_, *pair.reference);
    const TensorRecord* other = tensor(observed_, *pair.observed);
    row["reference"] = text_of(*pair.reference, one);
    row["observed"] = text_of(*pair.observed, other);
    if (one && other) add_elements(row, *one, *other);
    return row;
  }

 private:
  static std::string child_name(const Value& parent, std::size_t i) {
    const bool labelled = i < parent.labels.size();
    if (parent.kind == Value::Kind::kObject && labelled) return "." + parent.labels[i];
    return labelled ? fmt::format("[{}]", parent.labels[i]) : fmt::format("[{}]", i);
  }

  void walk(const std::string& where, const Value& one, const Value& other) {
    if (one.kind == Value::Kind::kNone && other.kind == Value::Kind::kNone) return;
    if (one.items.empty() || one.items.size() != other.items.size())
      return leaves_.push_back({call_, where, &one, &other});
    for (std::size_t i = 0; i < one.items.size(); ++i) walk(where + child_name(one, i), one.items[i], other.items[i]);
  }

  static const TensorRecord* tensor(const Observation& run, const Value& value) {
    const bool is = value.kind == Value::Kind::kTensor && value.index >= 0 &&
                    static_cast<std::size_t>(value.index) < run.tensors.size();
    return is ? &run.tensors[static_cast<std::size_t>(value.index)] : nullptr;
  }

  static std::string text_of(const Value& value, const TensorRecord* record) {
    if (record) return fmt::format("{} [{}]", record->dtype, fmt::join(record->shape, ", "));
    return oracle::shorten(value.text.empty() ? value.type : value.text);
  }

  static bool differs(const oracle::Elements& one, const oracle::Elements& other, std::size_t i) {
    for (std::size_t part = i * one.parts(); part < (i + 1) * one.parts(); ++part)
      if (one.raw(part) != other.raw(part)) return true;
    return false;
  }

  static void add_elements(Json& row, const TensorRecord& one, const TensorRecord& other) {
    row["dtype"] = one.dtype;
    row["shape"] = one.shape;
    const auto left = oracle::Elements::of(one);
    const auto right = oracle::Elements::of(other);
    if (!left || !right || one.dtype != other.dtype || left->count() != right->count()) return;
    std::vector<std::size_t> shown;
    std::size_t differing = 0;
    for (std::size_t i = 0; i < left->count(); ++i) {
      if (!differs(*left, *right, i)) continue;
      if (++differing <= kMostElements) shown.push_back(i);
    }
    for (std::size_t i = 0; i < left->count() && shown.size() < kMostElements; ++i)
      if (!differs(*left, *right, i)) shown.push_back(i);
    std::sort(shown.begin(), shown.end());
    row["count"] = left->count();
    row["differing"] = differing;
    Json& elements = row["elements"] = Json::array();
    for (std::size_t i : shown)
      elements.push_back({{"index", i},
                          {"at", oracle::position(one, i)},
                          {"reference", left->show(i)},
                          {"observed", right->show(i)},
                          {"differs", differs(*left, *right, i)}});
  }

  const Observation& reference_;
  const Observation& observed_;
  int call_ = 0;
  std::vector<Pair> leaves_;
};

const Observation* observation_of(const campaign::JudgedProgram& judged, const std::string& role) {
  const Outcome* outcome = oracle::outcome_of(judged.outcomes, role);
  const Finished* finished = outcome ? std::get_if<Finished>(&outcome->ending) : nullptr;
  return finished ? &finished->observation : nullptr;
}

using Places = std::map<std::pair<int, std::string>, Json>;

void add_differences(Json& rows, const std::vector<Difference>& differences, bool weak, const Places& places) {
  for (const Difference& difference : differences) {
    auto place = places.find({difference.call, difference.where});
    Json row = place == places.end() ? Json::object() : place->second;
    row.update(codec::to_json(difference));
    row["weak"] = weak;
    rows.push_back(std::move(row));
  }
}

bool is_result(const std::string& where) { return where.starts_with("output") || where.starts_with("gradients"); }

}  // namespace

codec::Json values_json(const campaign::JudgedProgram& judged) {
  const oracle::Sides usual = oracle::sides_of(judged.plan);
  const Verdict& verdict = judged.verdict;
  const Observation* one = observation_of(judged, verdict.reference.empty() ? usual.reference : verdict.reference);
  const Observation* other = observation_of(judged, verdict.under_test.empty() ? usual.observed : verdict.under_test);
  Json json = {{"outputs", Json::array()}, {"differences", Json::array()}};
  Places places;
  if (one && other) {
    Sides sides(*one, *other);
    for (const Pair& pair : sides.leaves()) {
      Json row = sides.json_of(pair);
      if (is_result(pair.where) && json["outputs"].size() < kMostOutputs) json["outputs"].push_back(row);
      places.emplace(std::pair(pair.call, pair.where), std::move(row));
    }
  }
  add_differences(json["differences"], verdict.differences, false, places);
  add_differences(json["differences"], verdict.weak, true, places);
  return json;
}

}  // namespace jp::answers
