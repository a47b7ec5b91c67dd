// Builders of recorded outcomes: values, tensors, calls and runs as a worker would send them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/outcome.h"
#include "core/plan.h"
#include "oracle/judge/oracle.h"

namespace jp::oracle::test {

/// An observation under construction: one call, to which values are added.
struct Recorded {
  Observation observation;
  Counters counters{.known = true, .frames_seen = 1, .frames_compiled = 1, .graphs = 1};

  Recorded() { observation.calls.emplace_back(); }

  CallRecord& call(std::size_t i = 0) {
    while (observation.calls.size() <= i) observation.calls.emplace_back();
    return observation.calls[i];
  }

  /// A value for a tensor record; identity and storage are its number unless set before.
  Value add(TensorRecord record) {
    const auto index = static_cast<std::int64_t>(observation.tensors.size());
    if (record.identity == 0) record.identity = 100 + index;
    if (record.storage == 0) record.storage = 100 + index;
    observation.tensors.push_back(std::move(record));
    Value value;
    value.kind = Value::Kind::kTensor;
    value.type = "torch.Tensor";
    value.index = index;
    return value;
  }

  Outcome outcome(std::string role) const { return {std::move(role), Finished{observation, counters}, 0.1}; }
};

inline std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
  return strides;
}

/// A tensor of elements as they are in memory; shape [n] unless given.
template <typename T>
TensorRecord tensor_of(const std::string& dtype, const std::vector<T>& elements,
                       std::vector<std::int64_t> shape = {-1}) {
  TensorRecord record;
  record.dtype = dtype;
  record.layout = "strided";
  record.device = "cpu";
  if (shape == std::vector<std::int64_t>{-1}) shape = {static_cast<std::int64_t>(elements.size())};
  record.shape = shape;
  record.strides = dense_strides(shape);
  record.version = 0;
  record.bytes.resize(elements.size() * sizeof(T));
  if (!elements.empty()) std::memcpy(record.bytes.data(), elements.data(), record.bytes.size());
  return record;
}

inline TensorRecord floats(const std::vector<float>& elements, std::vector<std::int64_t> shape = {-1}) {
  return tensor_of("float32", elements, std::move(shape));
}
inline TensorRecord doubles(const std::vector<double>& elements, std::vector<std::int64_t> shape = {-1}) {
  return tensor_of("float64", elements, std::move(shape));
}
inline TensorRecord longs(const std::vector<std::int64_t>& elements, std::vector<std::int64_t> shape = {-1}) {
  return tensor_of("int64", elements, std::move(shape));
}

inline Value leaf(Value::Kind kind, std::string type, std::string text) {
  Value value;
  value.kind = kind;
  value.type = std::move(type);
  value.text = std::move(text);
  return value;
}
inline Value integer(long long number) { return leaf(Value::Kind::kInt, "int", std::to_string(number)); }
inline Value boolean(bool set) { return leaf(Value::Kind::kBool, "bool", set ? "True" : "False"); }
inline Value text(std::string words) { return leaf(Value::Kind::kText, "str", std::move(words)); }
inline Value opaque(std::string type, std::string words) {
  return leaf(Value::Kind::kOpaque, std::move(type), std::move(words));
}
inline Value number(double x) {
  char hex[64];
  std::snprintf(hex, sizeof hex, "%a", x);
  return leaf(Value::Kind::kFloat, "float", std::isnan(x) ? "nan" : hex);
}
inline Value sequence(std::string type, std::vector<Value> items) {
  Value value = leaf(Value::Kind::kSequence, std::move(type), "");
  value.items = std::move(items);
  return value;
}
inline Value labelled(Value::Kind kind, std::string type, const std::vector<std::pair<std::string, Value>>& items) {
  Value value = leaf(kind, std::move(type), "");
  for (const auto& [label, item] : items) {
    value.labels.push_back(label);
    value.items.push_back(item);
  }
  return value;
}
inline Value mapping(const std::vector<std::pair<std::string, Value>>& items) {
  return labelled(Value::Kind::kMapping, "dict", items);
}

/// A run of one call that returns one tensor.
inline Recorded returning(TensorRecord record) {
  Recorded run;
  run.call().output = run.add(std::move(record));
  return run;
}
/// A run of one call that returns a value without tensors.
inline Recorded returning(Value value) {
  Recorded run;
  run.call().output = std::move(value);
  return run;
}

inline ExceptionRecord exception(std::string type, std::string message = "no") {
  ExceptionRecord record;
  record.type = std::move(type);
  record.bases = {"builtins.Exception", "builtins.BaseException", "builtins.object"};
  record.message = std::move(message);
  return record;
}

inline Plan test_plan(bool full = false) {
  const Oracle* oracle = find_oracle("eager_vs_compiled");
  PlanOptions options;
  options.backend = "aot_eager";
  options.full = full;
  return oracle->plan(Program::make("x = 1\n", {}).value(), options);
}

inline Judgement judge_outcomes(const std::vector<Outcome>& outcomes) {
  return find_oracle("eager_vs_compiled")->judge(test_plan(), outcomes);
}

/// Outcomes of the control runs that an oracle asks for, by role; an entry "monte_carlo" is used for all Monte Carlo
/// runs that have none of their own.
using Answers = std::map<std::string, Recorded>;

/// The verdict of an oracle on these outcomes. Control runs are answered by `answers`; a plain run without an answer
/// shows what eager showed, and one in another precision, on other values or compiled can't be made.
inline Verdict verdict_of_oracle(const std::string& oracle, const Plan& plan, std::vector<Outcome> outcomes,
                                 const Answers& answers = {}) {
  const auto find = [&](const std::string& role) -> const Outcome* {
    for (const Outcome& outcome : outcomes)
      if (outcome.role == role) return &outcome;
    return nullptr;
  };
  for (int round = 0; round < 8; ++round) {
    Judgement judgement = find_oracle(oracle)->judge(plan, outcomes);
    if (judgement.wanted.empty()) return judgement.verdict;
    for (const RunRequest& run : judgement.wanted) {
      const bool noise = run.precision == "monte_carlo";
      std::string plain = run.source.empty() ? find_oracle(oracle)->sides().eager : "eager_seed";
      for (const RunRequest& planned : plan.runs)  // of two devices' plain runs that of the run's own device
        if (planned.role == plain && planned.device != run.device) plain = "eager";
      auto found = answers.find(run.role);
      if (found == answers.end() && noise) found = answers.find("monte_carlo");
      if (found != answers.end())
        outcomes.push_back(found->second.outcome(run.role));
      else if (!run.compiled && run.values_seed == 0 && (noise || run.precision == "native") && find(plain))
        outcomes.push_back({run.role, find(plain)->ending, 0});
      else
        outcomes.push_back({run.role, Raised{"inputs", "no such run", exception("builtins.TypeError")}, 0});
    }
  }
  ADD_FAILURE() << "never decided";
  return {};
}

/// The verdict on two runs; without a float64 run, there is none.
inline Verdict verdict_on(const Recorded& eager, const Recorded& compiled, const Recorded* float64 = nullptr,
                          Answers answers = {}) {
  if (float64) answers["float64"] = *float64;
  return verdict_of_oracle("eager_vs_compiled", test_plan(), {eager.outcome("eager"), compiled.outcome("compiled")},
                           answers);
}

}  // namespace jp::oracle::test
