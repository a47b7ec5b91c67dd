// What a draft asks of all its live values whenever an operand is drawn, kept in sets: which have a dtype, which a
// shape, which move with the arguments, which nobody has read. Dtype and shape of a value never change.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/dtype.h"
#include "seedgen/types/types.h"
#include "seedgen/types/value_set.h"

namespace jp::seedgen {

/// How a value takes to other arguments.
enum class InputSensitivity : std::uint8_t {
  kConstant,  ///< the same whatever they hold
  kStepwise,  ///< mostly the same: what a jump gives, and what comes of that alone
  kDependent,
};

class KnownValues {
 public:
  /// The next value of the graph; nobody has read it.
  void add(const Value& value, InputSensitivity sensitivity);
  void set_sensitivity(int id, InputSensitivity sensitivity);
  void mark_read(int id);

  InputSensitivity sensitivity(int id) const;
  const ValueSet& constant() const { return constant_; }
  const ValueSet& dependent() const { return dependent_; }
  const ValueSet& unread() const { return unread_; }
  /// Values that calls gave.
  const ValueSet& results() const { return results_; }
  /// Unread results that didn't move when they came.
  const ValueSet& unread_constants() const { return unread_constants_; }

  /// Gives `found` the values of these dtypes.
  void find(DtypeSet dtypes, ValueSet& found) const;
  /// Keeps those whose shape passes; each shape is tested once.
  template <typename Test>
  void keep_shapes(ValueSet& among, Test&& test);
  /// Keeps those beside which some waste could be read: of its kind of dtype, with a shape that takes its own.
  void keep_mates(ValueSet& among);

 private:
  static constexpr std::size_t kDtypes = static_cast<std::size_t>(Dtype::kComplex128) + 1;

  const Shape& shape_of(int id) const { return shapes_[place_of_[static_cast<std::size_t>(id)]]; }

  std::array<ValueSet, kDtypes> of_dtype_;
  std::vector<Shape> shapes_;          // each once
  std::vector<std::size_t> place_of_;  // of each value's shape in them
  ValueSet constant_;
  ValueSet dependent_;
  ValueSet unread_;
  ValueSet results_;
  ValueSet unread_constants_;
  // Kept between questions for their memory; of each shape what is known, -1 for nothing.
  std::vector<int> answers_;
  ValueSet mates_;
  ValueSet waiting_;
  ValueSet kind_;
};

template <typename Test>
void KnownValues::keep_shapes(ValueSet& among, Test&& test) {
  answers_.assign(shapes_.size(), -1);
  among.keep([&](int id) {
    const std::size_t shape = place_of_[static_cast<std::size_t>(id)];
    if (answers_[shape] < 0) answers_[shape] = test(shapes_[shape]) ? 1 : 0;
    return answers_[shape] == 1;
  });
}

}  // namespace jp::seedgen
