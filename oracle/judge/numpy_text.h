// How numpy writes its scalars, and arrays without dimensions.
#pragma once

#include <string>
#include <string_view>

namespace jp::oracle {

/// Whether eager's text has scalars of numpy's, "np.float64(0.25)", and the compiled one has none: arrays may stand for
/// them.
bool has_arrays_for_scalars(std::string_view eager, std::string_view compiled);

/// The text with one form for scalars and for arrays of one number without dimensions: "np.float64(0.25)" and
/// "array(0.25)". Numbers in it are rounded to what numpy writes of an array's.
std::string with_scalars_as_arrays(std::string_view text);

}  // namespace jp::oracle
