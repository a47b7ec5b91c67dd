// Literal chances here were chosen, not measured.
#include "seedgen/bases/loss.h"

namespace jp::seedgen {

Reduction draw_reduction(Draft& draft) { return static_cast<Reduction>(draft.choices().below(3)); }

std::optional<Interval> reduced(Reduction reduction, Dtype dtype, Interval image, std::int64_t n) {
  auto terms = static_cast<double>(n);
  Interval each = rounded(image, dtype, 32);
  // Sums of half precision are sometimes accumulated in half precision.
  Interval sum = rounded(sum_of(each, terms), dtype, terms + 32);
  bool needs_sum = reduction == Reduction::kSum || (reduction == Reduction::kMean && dtype_size(dtype) == 2);
  if (!inside(each, range_of(dtype)) || (needs_sum && !inside(sum, range_of(dtype)))) return std::nullopt;
  if (reduction == Reduction::kSum) return sum;
  return reduction == Reduction::kMean ? rounded(each, dtype, terms) : each;
}

void record_loss(Draft& draft, CallWriter& writer, Reduction reduction, Dtype dtype, Interval image, const Shape& shape,
                 std::int64_t n, bool legacy) {
  constexpr std::string_view kNames[] = {"mean", "sum", "none"};
  bool usual = reduction == Reduction::kMean;
  if (legacy && draft.choices().chance(1, 12)) {
    // How reductions were given before.
    if (reduction == Reduction::kNone)
      writer.keyword("reduce", false);
    else
      writer.keyword("size_average", usual);
  } else if (!usual || draft.flip()) {
    writer.keyword("reduction", quoted(kNames[static_cast<std::size_t>(reduction)]));
  }
  std::optional<Interval> result = reduced(reduction, dtype, image, n);
  JP_CHECK(result.has_value(), "a loss of {} to {} that {} can't hold", image.low, image.high, dtype_name(dtype));
  draft.record(writer.finish(), fresh_unknown(dtype, reduction == Reduction::kNone ? shape : Shape{}, *result),
               {.exactness = Exactness::kLoose});
}

}  // namespace jp::seedgen
