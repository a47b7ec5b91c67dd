// Which values a variation must not change, as far as syntax shows it. Eager itself leaves undefined what an index out
// of range gives, which of several writes to one index stays, and what a NaN or infinity becomes when it is cast to an
// integer; a compiler may do something else there without a bug.
//
// A name is value-sensitive if it occurs in a statement with an operator of that kind, or in one that binds a
// value-sensitive name. The analysis doesn't see implicit type promotion, nor code of other files.
#pragma once

#include <cstddef>

#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

struct ValueSensitive {
  /// Names whose values become indices, sizes, class numbers or shifts.
  NameSet index;
  /// Names whose values are cast to integers, or used by operators that show the sign of a NaN and the like.
  NameSet cast;
  /// Names through which a tensor is written in place.
  NameSet written;
};

/// Analyses the whole file, without make_inputs.
ValueSensitive find_value_sensitive(const Parsed& parsed);

/// Whether the entry's argument at position `at` is value-sensitive: one of an integral dtype as an index, any other as
/// a cast value. True if the entry has no such parameter.
bool is_value_sensitive(const Parsed& parsed, const ValueSensitive& value_sensitive, const InputKind& kind,
                        std::size_t at);

}  // namespace jp::mutate
