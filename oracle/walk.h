// Walks the values of two observations side by side, with the float64 run's as a witness, and notes every difference.
// values.cpp holds the structure and Python's own values, tensors.cpp the tensors.
#pragma once

#include <string>

#include "core/observation.h"
#include "oracle/comparison.h"
#include "oracle/links.h"
#include "oracle/rounding.h"

namespace jp::oracle {

/// Where a value stands; decides what a difference in it is called.
enum class Region { kOutput, kGradient, kState };

/// The same place in the float64 run. `value` is set exactly when present.
struct Third {
  Witness witness = Witness::kAbsent;
  const Value* value = nullptr;
};

class Walk {
 public:
  /// `float64` may be nullptr. All must outlive the walk.
  Walk(const Observation& eager, const Observation& compiled, const Observation* float64, Comparison& result)
      : eager_(eager), compiled_(compiled), float64_(float64), result_(result) {}

  /// Two values that stand under the name `where` ("output") in the record of call `call`.
  void compare(Region region, int call, const std::string& where, const Value& eager, const Value& compiled,
               Third third);
  /// Two texts likewise; `third` is read when `witness` is kPresent.
  void compare_texts(Region region, int call, const std::string& where, const std::string& eager,
                     const std::string& compiled, Witness witness, const std::string& third);

 private:
  struct Pair {
    const Value& eager;
    const Value& compiled;
    Third third;
    std::string where;
  };

  void values(const Pair& pair);
  void children(const Pair& pair);
  void exact(const Pair& pair);
  void numbers(const Pair& pair);
  void shape_of(const Pair& pair, const std::string& what, bool third_agrees, std::string eager, std::string compiled);

  void tensors(const Pair& pair);
  bool tensor_form(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled,
                   const TensorRecord* third);
  void tensor_flags(const std::string& where, const TensorRecord& eager, const TensorRecord& compiled);
  void tensor_elements(const Pair& pair, const TensorRecord& eager, const TensorRecord& compiled,
                       const TensorRecord* third);

  void differ(Mismatch mismatch, const std::string& where, const std::string& what, const std::string& rule,
              std::string eager, std::string compiled, bool precision, std::map<std::string, double> numbers = {},
              const std::string& sentence = "");
  void weak(Mismatch mismatch, const std::string& where, std::string eager, std::string compiled);
  /// Enters the counts of one place into the agreement; true when something in it is wrong.
  bool settle(const Counts& counts, const std::string& where);
  Mismatch in_region(Mismatch generic) const;

  const Observation& eager_;
  const Observation& compiled_;
  const Observation* float64_;
  Comparison& result_;
  Links links_;
  Region region_ = Region::kOutput;
  int call_ = 0;
};

}  // namespace jp::oracle
