// Constant tensors of any size in little text. Some are drawn from a seed by integer arithmetic:
//
//     (((torch.arange(96) * 2311 + 77) % 8191 * 645 % 509 - 254) / 64).reshape((4, 24))
//
// No step of it rounds, so that it has the same bits in eager and under any compiler. torch's own generators don't:
// Inductor draws other numbers from the same seed, and Dynamo leaves the graph at a torch.Generator. Others are
// arguments of the program, drawn again by its make_inputs when the file is loaded, outside of what is compiled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A text of whole numbers from 0 to `most` (at most 508), of dtype int64, one for each element of the shape, whose
/// elements are at most 2^16.
std::string seeded_integers(const std::string& torch, const std::vector<std::int64_t>& shape, std::int64_t most,
                            Choices& choices);

/// The largest magnitude in seeded_tensor().
double most_seeded(Dtype dtype);
/// A text of a tensor of that dtype: multiples of 1/64 of at most 254/64 in magnitude, or integers of at most 50, from
/// 0 where the dtype has no sign. Bools and complex dtypes have none.
std::string seeded_tensor(const std::string& torch, const std::vector<std::int64_t>& shape, Dtype dtype,
                          Choices& choices);

/// The positions of the entry's arguments that make_inputs gives again whenever it is called, with the same bits, by
/// the names of the parameters: it returns one tuple, draws random numbers only with a generator that it makes itself,
/// and calls and reads nothing that could change. They are values of arguments to which nothing has been written.
std::map<std::string, std::size_t, std::less<>> redrawn_arguments(const Parsed& parsed);
/// The text that stands for an argument drawn again, until put_redrawn() has made it.
std::string redrawn_text(const Parsed& parsed, std::size_t argument);
/// Replaces such texts in `text` by calls of functions that stand behind make_inputs. Each has the argument as a
/// default: it is drawn when the file is loaded, and a global of its own would be compared as a program's state is.
/// Nothing if make_inputs is no function of the module any more.
std::optional<std::string> put_redrawn(const Parsed& parsed, Rewrite& rewrite, std::string text);

}  // namespace jp::mutate
