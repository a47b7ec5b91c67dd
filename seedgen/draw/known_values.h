// The queries of a draft over all its live values whenever an operand is drawn, stored as sets: which have a dtype,
// which a shape, which depend on the arguments, which are unread. Dtype and shape of a value never change.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/dtype.h"
#include "seedgen/types/types.h"
#include "seedgen/types/value_set.h"

namespace jp::seedgen {

/// How a value depends on the program's arguments.
enum class InputSensitivity : std::uint8_t {
  kConstant,  ///< the same whatever they hold
  kStepwise,  ///< mostly the same: results of discontinuous operators, and what depends on those alone
  kDependent,
};

class KnownValues {
 public:
  /// Adds the next value of the graph; it is unread.
  void add(const Value& value, InputSensitivity sensitivity);
  void set_sensitivity(int id, InputSensitivity sensitivity);
  void mark_read(int id);

  InputSensitivity sensitivity(int id) const;
  const ValueSet& constant() const { return constant_; }
  const ValueSet& dependent() const { return dependent_; }
  const ValueSet& unread() const { return unread_; }
  /// Values that are results of calls.
  const ValueSet& results() const { return results_; }
  /// Unread results that didn't depend on inputs when they were added.
  const ValueSet& unread_constants() const { return unread_constants_; }

  /// Sets `found` to the values of these dtypes.
  void find(DtypeSet dtypes, ValueSet& found) const;
  /// Keeps those whose shape passes; each shape is tested once.
  template <typename Test>
  void keep_shapes(ValueSet& among, Test&& test);
  /// Keeps those that could be combined with some unread constant: of its kind of dtype, with a shape that broadcasts
  /// with its own.
  void keep_mates(ValueSet& among);

 private:
  static constexpr std::size_t kDtypes = static_cast<std::size_t>(Dtype::kComplex128) + 1;

  const Shape& shape_of(int id) const { return shapes_[place_of_[static_cast<std::size_t>(id)]]; }

  std::array<ValueSet, kDtypes> of_dtype_;
  std::vector<Shape> shapes_;          // each once
  std::vector<std::size_t> place_of_;  // index into them of each value's shape
  ValueSet constant_;
  ValueSet dependent_;
  ValueSet unread_;
  ValueSet results_;
  ValueSet unread_constants_;
  // Kept between queries to reuse memory; what is known of each shape, -1 for nothing.
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
