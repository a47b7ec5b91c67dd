#include "seedgen/bases/over_dims.h"

#include <fmt/format.h>

#include <algorithm>

namespace jp::seedgen {
namespace {

constexpr std::string_view kWhole[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kSome[] = {"torch.#($0, $1)", "$0.#($1)"};

OverDims over(const Shape& shape, Ints dims, bool keep) {
  OverDims reduction{.shape = shape, .dims = dims};
  std::sort(reduction.dims.begin(), reduction.dims.end());
  for (int i = reduction.dims.size() - 1; i >= 0; --i) {
    auto dim = static_cast<int>(reduction.dims[i]);
    reduction.count *= shape[dim];
    reduction.shape[dim] = 1;
    if (!keep) reduction.shape.erase(dim);
  }
  return reduction;
}

Ints all_of(const Shape& shape) {
  Ints dims;
  for (int i = 0; i < shape.size(); ++i) dims.push_back(i);
  return dims;
}

std::vector<int> dims_above(const Shape& shape, std::int64_t size) {
  std::vector<int> dims;
  for (int i = 0; i < shape.size(); ++i)
    if (shape[i] > size) dims.push_back(i);
  return dims;
}

// One of these dimensions, written from the front or from the back as `like` is.
Dim draw_among(Draft& draft, const std::vector<int>& dims, Dim like, int rank) {
  const int at = draft.choices().pick(dims);
  return {at, like.written < 0 ? at - rank : at};
}

}  // namespace

ShapeWant draw_with_long_dim(Draft& draft) {
  if (draft.flip()) return ShapeWant::any(1, kMaxRank, 2);
  Shape pattern = Ints::filled(static_cast<int>(draft.between(1, kMaxRank)), -1);
  pattern[draft.dim(pattern.size()).at] = draft.between(2, 4);
  return ShapeWant::pattern(pattern);
}

Dim draw_one_long_dim(Draft& draft, const Shape& shape) {
  const Dim any = draft.dim(shape.size());
  return draw_among(draft, dims_above(shape, 1), any, shape.size());
}

Dim draw_long_dim(Draft& draft, const Shape& shape) {
  Dim dim = draft.dim(shape.size());
  if (shape[dim.at] > 1 || draft.choices().chance(1, 16)) return dim;
  const std::vector<int> longer = dims_above(shape, 1);
  return longer.empty() ? dim : draw_among(draft, longer, dim, shape.size());
}

ShapeWant draw_beside_empty(Draft& draft) {
  auto rank = static_cast<int>(draft.flip() ? 2 : draft.between(2, kMaxRank));
  Shape pattern = Ints::filled(rank, -1);
  const int kept = draft.dim(rank).at;
  for (int i = 0; i < rank; ++i)
    if (i != kept && draft.choices().chance(1, 4)) pattern[i] = 0;
  pattern[(kept + 1) % rank] = 0;
  return ShapeWant::pattern(pattern, 1);
}

std::vector<int> not_empty(const Shape& shape) { return dims_above(shape, 0); }

Dim draw_filled_dim(Draft& draft, const Shape& shape) {
  const Dim any = draft.dim(shape.size());
  return draw_among(draft, not_empty(shape), any, shape.size());
}

std::string dims_text(const std::vector<Dim>& dims) {
  if (dims.size() == 1) return fmt::format("{}", dims[0].written);
  std::string text;
  for (const Dim& dim : dims) text += fmt::format("{}{}", text.empty() ? "" : ", ", dim.written);
  return fmt::format("({})", text);
}

OverDims draw_over_dims(Draft& draft, const Shape& shape, const OverWant& want) {
  int rank = shape.size();
  bool none = want.takes_none && want.among.empty() && draft.choices().chance(1, 16);
  if (none) {
    OverDims reduction = over(shape, all_of(shape), true);
    reduction.text = "dim=None, keepdim=True";
    return reduction;
  }
  if (rank == 0) {
    // A scalar has a dimension 0 to reduce, if one must be named.
    OverDims reduction;
    if (want.needs_dim) reduction.text = draft.flip() ? "dim=0" : "-1";
    return reduction;
  }
  if (!want.needs_dim && want.among.empty() && draft.choices().chance(1, 5)) return over(shape, all_of(shape), false);
  const int possible = want.among.empty() ? rank : static_cast<int>(want.among.size());
  std::vector<Dim> drawn = want.one_dim || draft.flip() ? std::vector{draft.dim(possible)} : draft.dims(possible, 1);
  if (!want.among.empty())
    for (Dim& dim : drawn) {
      const bool negative = dim.written < 0;
      dim.at = want.among[static_cast<std::size_t>(dim.at)];
      dim.written = negative ? dim.at - rank : dim.at;
    }
  bool keep = want.keeps && draft.choices().chance(1, 3);
  Ints dims;
  for (const Dim& dim : drawn) dims.push_back(dim.at);
  OverDims reduction = over(shape, dims, keep);
  bool named = draft.flip();
  reduction.text = (named ? "dim=" : "") + dims_text(drawn);
  if (keep) reduction.text += named || want.named_keep || draft.flip() ? ", keepdim=True" : ", True";
  return reduction;
}

Forms over_forms(const OverDims& reduction) { return reduction.text.empty() ? Forms(kWhole) : Forms(kSome); }

}  // namespace jp::seedgen
