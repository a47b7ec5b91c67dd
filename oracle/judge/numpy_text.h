// How numpy writes its scalars, and arrays without dimensions.
#pragma once

#include <string>
#include <string_view>

namespace jp::oracle {

/// The text with one form for scalars and for arrays of one number without dimensions: "np.float64(0.25)" and
/// "array(0.25)". In it a number has seven digits, since numpy writes eight decimals of an array's.
std::string with_scalars_as_arrays(std::string_view text);

}  // namespace jp::oracle
