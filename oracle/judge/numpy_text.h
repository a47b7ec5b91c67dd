// How numpy writes its scalars, and arrays without dimensions.
#pragma once

#include <string>
#include <string_view>

namespace jp::oracle {

/// Whether the text has one of numpy's scalars: "np.float64(0.25)".
bool writes_scalars(std::string_view text);

/// The text with one form for scalars and for arrays of one number without dimensions: "np.float64(0.25)" and
/// "array(0.25)". Numbers in it are rounded to what numpy writes of an array's.
std::string with_scalars_as_arrays(std::string_view text);

}  // namespace jp::oracle
