// Calls that may write: into one of their operands (`x.index_fill_(...)`, `x[1:] = y`) or with `out=`; and what may be
// written into memory of another dtype.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// Whether a form may be printed with an additional argument `out=`: a function of torch's own, or one of the two of
/// torch.nn.functional that take it.
bool takes_out(std::string_view form);

/// Records a call that also has an `out=` form in torch: one in eight writes its result into a value of exactly the
/// result's dtype and shape, if no operand requires gradients and some form can express it.
void record_or_out(Draft& draft, Call call, Value result, Traits traits);

/// The same for calls that join tensors: a single element is never written with `out=`, because torch 2.13.0 leaves a
/// strided `out=` unwritten when it is joined along another dimension than the first.
void record_joined(Draft& draft, Call call, Value result, Traits traits);

/// The same for calls with several results: `out=` takes a tuple of as many values that share no memory.
void record_or_outs(Draft& draft, Call call, std::vector<Value> results, Traits traits);

/// The same for sums of products: for complex operands with the conj bit set, eager may return a result with the bit
/// set.
void record_product(Draft& draft, Call call, Value result, Traits traits);

/// Records a call that either writes `x` or returns a new value: `result`, whose interval `x` has afterwards, too.
void record_either(Draft& draft, bool writes, Call call, const Value& x, Value result, Traits traits);

/// The elements of a value when stored in memory of another dtype; nothing if they leave its range, or if the cast is
/// discontinuous and the value is not exact.
std::optional<Interval> stored(const Value& value, Dtype target);

/// A small number that the dtype holds exactly.
double draw_small_number(Draft& draft, Dtype dtype);

/// Something to write into `target`: a number or a tensor.
struct Source {
  Argument argument;
  Interval interval;
  /// Casts to a smaller float round.
  Exactness exactness = Exactness::kSame;
};

struct SourceWant {
  ShapeWant shape;
  /// Dtypes other than the target's are cast.
  bool casts = false;
  bool numbers = true;
};

/// Draws a source for `target`, which is written if `writes`: then nothing that shares its memory.
Source draw_source(Draft& draft, const Value& target, bool writes, const SourceWant& want);

}  // namespace jp::seedgen
