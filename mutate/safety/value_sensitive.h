// Which values a variation must leave alone, as far as the text shows it. Eager itself leaves undefined what becomes of
// an index out of range, of one that is written twice, and of a floating value (NaN, infinity) that is cast to an
// integer; compilers may do something else there, and are right.
//
// The text is read statement by statement: a name is fragile when it stands in a statement with an operator of that
// kind, or in one that binds a fragile name. What this can't see: dtypes that promote without a word of it, and code of
// other files.
#pragma once

#include <cstddef>

#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

struct ValueSensitive {
  /// They become indices, sizes, classes, shifts.
  NameSet index;
  /// They are cast to integers, or show a NaN's sign and the like.
  NameSet cast;
  /// They are written in place, under that name.
  NameSet written;
};

ValueSensitive find_value_sensitive(const Parsed& parsed);

/// The entry's argument of that kind at that position is: an integral one as an index, any other as what is cast.
bool is_value_sensitive(const Parsed& parsed, const ValueSensitive& value_sensitive, const InputKind& kind,
                        std::size_t at);

}  // namespace jp::mutate
