// Calls that may write: into one of their operands (`x.index_fill_(...)`, `x[1:] = y`) or through `out=`; and what may
// be written into memory of another dtype.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "seedgen/draw/draft.h"

namespace jp::seedgen {

/// Whether a form may be printed with one more argument `out=`: a function of torch's own.
bool takes_out(std::string_view form);

/// Records a call of which torch has an `out=` form too: one in eight writes its result into a value of exactly the
/// result's dtype and shape, if no operand requires gradients and some form can say so.
void record_or_out(Draft& draft, Call call, Value result, Traits traits);

/// The same for calls that put tensors together: a single element never goes through `out=`, because torch 2.13.0
/// leaves an `out=` with steps unwritten where it is joined along another dimension than the first.
void record_joined(Draft& draft, Call call, Value result, Traits traits);

/// The same for calls of several results: `out=` takes a tuple of as many values, none of which shares memory.
void record_or_outs(Draft& draft, Call call, std::vector<Value> results, Traits traits);

/// The same for sums of products: of complex operands that are conjugates yet to be taken eager may give another one.
void record_product(Draft& draft, Call call, Value result, Traits traits);

/// Records a call that either writes `x` or gives a new value: `result`, whose interval is also that of `x` then.
void record_either(Draft& draft, bool writes, Call call, const Value& x, Value result, Traits traits);

/// What the elements of a value are in memory of another dtype; nothing where they leave it, or where a cast jumps on a
/// value that is not exact.
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
  /// Other dtypes than the target's are cast.
  bool casts = false;
  bool numbers = true;
};

/// Draws a source for `target`, which is written if `writes`: then nothing that shares its memory.
Source draw_source(Draft& draft, const Value& target, bool writes, const SourceWant& want);

}  // namespace jp::seedgen
