// Walks the values of two observations in parallel, together with those of the control runs, and records every
// difference and what settled it. values.cpp handles the structure and Python's own values, tensors.cpp the tensors.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/observation.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/control_runs.h"
#include "oracle/judge/links.h"
#include "oracle/judge/rounding.h"
#include "oracle/judge/text.h"

namespace jp::oracle {

/// Where a value stands; decides what a difference in it is called.
enum class Region { kOutput, kGradient, kState };

class Walk {
 public:
  /// All must outlive the walk.
  Walk(const Observation& eager, const Observation& compiled, const ControlRuns& controls, Comparison& result)
      : eager_(eager), compiled_(compiled), controls_(controls), result_(result) {}

  /// Compares two values that have the name `where` ("output") in the record of call `call`.
  void compare(Region region, int call, const std::string& where, const Value& eager, const Value& compiled,
               const ControlValues& thirds);

 private:
  struct Pair {
    const Value& eager;
    const Value& compiled;
    const ControlValues& thirds;
    std::string where;
  };
  /// What the control runs say of a property that is the same or not (a type, a length, an integer).
  struct Excuse {
    RuleName rule;
    ElementVerdict judged;
  };

  /// Whether a control run's value is the same as in the reference.
  using Same = std::function<bool(const Value&, const ControlRun&)>;

  void values(const Pair& pair);
  std::string type_class(const Value& eager, const Value& compiled) const;
  void children(const Pair& pair);
  void exact(const Pair& given);
  std::vector<std::string> texts_of(const Pair& pair, ControlKind kind) const;
  /// The control values less the runs with other choices, if these don't excuse what the compiled run holds.
  ControlValues without_excluded_choice(const Pair& pair);
  void opaque(const Pair& pair);
  void numbers(const Pair& pair);
  void texts(const Pair& pair);
  /// `arrays`: numpy's scalars are written as arrays (numpy_text.h).
  std::vector<std::string> texts_with_other_choices(const Pair& pair, bool arrays) const;
  /// A difference of form: real unless eager's own form depends on its roundings.
  void form(const Pair& pair, const std::string& what, RuleName rule, std::string eager, std::string compiled,
            Mismatch mismatch, const Same& same);
  std::optional<Excuse> excuse(const ControlValues& thirds, const Same& same) const;
  /// For a control run that has another form: whether that makes the place unstable.
  std::optional<Excuse> other_form(ControlKind kind) const;
  static std::optional<Excuse> excused(TextJudgement judgement, RuleName rule);
  void apply(const Excuse& excuse, const std::string& where);

  /// Records an output that neither side could read.
  void unreadable(const std::string& where, const std::string& type, const std::string& reason);

  void tensors(const Pair& pair);
  bool tensor_form(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled);
  void tensor_flags(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled);
  void tensor_elements(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled);
  /// What holds for every place, before any control run is looked at there.
  Evidence no_evidence_yet() const;
  Evidence evidence(const Pair& pair, const TensorRecord& eager, const Elements& elements) const;
  /// Adds one control run to the evidence; `elements` is empty if it has another form.
  static void compare_with_controls(Evidence& evidence, const ControlRun& run, const std::optional<Elements>& elements,
                                    std::optional<Elements>& other_eager);

  void differ(Mismatch mismatch, const std::string& where, const std::string& what, RuleName rule, std::string eager,
              std::string compiled, bool open, std::map<std::string, double> numbers = {},
              const std::string& sentence = "", bool borderline = false);
  void weak(Mismatch mismatch, const std::string& where, std::string eager, std::string compiled);
  /// Records the counts of one place; true if something in it is wrong.
  bool settle(const Counts& counts, const Evidence& evidence, const std::string& where);
  /// "; from float64 eager is … away, compiled …; Monte Carlo runs move it by …"
  std::string measured(const Counts& counts, const Evidence& evidence) const;
  Mismatch in_region(Mismatch generic) const;
  /// The largest finite number among eager's tensors; 0 where small numbers are not judged.
  double largest_shown() const;

  const Observation& eager_;
  const Observation& compiled_;
  const ControlRuns& controls_;
  Comparison& result_;
  Links links_;
  Region region_ = Region::kOutput;
  int call_ = 0;
  mutable std::optional<double> largest_shown_;
};

}  // namespace jp::oracle
