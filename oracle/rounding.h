// Is a difference rounding? The question is put to a third run: the same eager program on the same inputs in float64.
//
// Distances to the float64 run are counted in tolerances (absolute + relative * |value|), so that elements of any size
// speak on one scale. Eager's own distance, over the whole tensor, says how much rounding the program makes; the
// compiled run may be twice as far off, and one tolerance more. The largest distance counts and not each element's own,
// because eager is exact here and there by luck. An element near zero that is what large ones left when they cancelled
// has a small tolerance and a large error: so a compiled element is excused as well when it is no farther off, in
// absolute terms, than twice eager's farthest element of the tensor. Elements where eager is beyond `sensitive_limit`
// don't count: one of them would excuse every error in the tensor.
#pragma once

#include <cstddef>
#include <optional>

#include "oracle/elements.h"
#include "oracle/tolerance.h"

namespace jp::oracle {

/// What the float64 run can say about one place.
enum class Witness {
  kAbsent,     // there is no float64 run, or it ended before this place: differences stand as they are
  kDisagrees,  // it is there, and is of another form than eager's here: nothing can be said of the place
  kPresent,
};

/// The parts (numbers) of two tensors compared, by what became of each. Each differing part is counted once in
/// `close`, `rounding`, `eager_wrong`, `unstable` or `wrong`.
struct Counts {
  std::size_t differing = 0;   // not the same bits, apart from the next two
  std::size_t zero_signs = 0;  // 0.0 against -0.0
  std::size_t nan_payloads = 0;
  std::size_t close = 0;        // within tolerance
  std::size_t rounding = 0;     // explained by the float64 run
  std::size_t eager_wrong = 0;  // compiled agrees with the float64 run, eager doesn't
  std::size_t unstable = 0;     // eager itself moves with precision: not compared
  std::size_t wrong = 0;
  std::size_t wrong_masks = 0;  // of the wrong ones: NaN or Inf on one side only
  /// The part that differs most among the wrong ones (masks before numbers); 0 without one.
  std::size_t worst = 0;
  /// Largest differences over the wrong finite parts; over all when none is wrong.
  double max_absolute = 0;
  double max_relative = 0;
  /// Largest distances over finite parts to the float64 run, where there is one.
  double eager_to_float64 = 0;
  double compiled_to_float64 = 0;
};

/// Floating and complex elements of one dtype and shape. `float64`: the same tensor of the float64 run when `witness`
/// is kPresent; one that doesn't fit (another count, not floating) is taken as kDisagrees.
Counts compare_inexact(const Elements& eager, const Elements& compiled, Witness witness,
                       const std::optional<Elements>& float64);

/// Integers, bools and types without rules: exact. Where the float64 run disagrees with eager about an element too, it
/// hangs on the precision and isn't compared.
Counts compare_exact(const Elements& eager, const Elements& compiled, Witness witness,
                     const std::optional<Elements>& float64);

/// One Python float, by the same rules: the type of the numbers behind it is not recorded, so float64's tolerance holds
/// where the float64 run gives the same number as eager, and float32's where it doesn't.
Counts compare_number(double eager, double compiled, Witness witness, double float64);

}  // namespace jp::oracle
