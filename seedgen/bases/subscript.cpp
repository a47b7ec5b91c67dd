#include "seedgen/bases/subscript.h"

#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/indices.h"

namespace jp::seedgen {
namespace {

constexpr std::int64_t kMaxSource = 512;
constexpr std::size_t kMostTensors = 3;
// Literals of more elements than this in one subscript make the line too long.
constexpr std::int64_t kMostLiterals = 8;

// "1:", ":-2", "::3".
struct Slice {
  std::string text;
  std::int64_t size;
  std::int64_t step;
};

class Builder {
 public:
  Builder(Draft& draft, const Value& x, Items items, int first, bool writes)
      : draft_(draft), x_(x), items_(items), first_(first), writes_(writes) {}

  Subscript build() {
    int rank = x_.shape.size();
    bool advanced = items_ != Items::kBasic;
    bool indices = items_ == Items::kIndices;
    nones_ = kMaxRank - rank;
    auto covered = static_cast<int>(draft_.between(std::min(rank, 1), rank));
    // Leading items, then the ellipsis' dimensions, then the others.
    bool ellipsis = indices ? false : rank == 0 ? draft_.flip() : draft_.choices().chance(1, covered < rank ? 3 : 8);
    int leading = ellipsis ? static_cast<int>(draft_.between(0, covered)) : covered;
    int must = advanced ? static_cast<int>(draft_.between(0, covered - 1)) : -1;
    auto dim_of = [&](int item) { return item < leading ? item : rank - covered + item; };
    if (advanced) draw_common(x_.shape[dim_of(must)]);
    if (indices) nones_ = 0;
    for (int item = 0; item <= covered; ++item) {
      if (item == leading && ellipsis) {
        put("...");
        for (int dim = leading; dim < rank - covered + leading; ++dim) keep(x_.shape[dim], stride_of(dim));
      }
      maybe_none();
      if (item < covered) draw_item(dim_of(item), indices || item == must);
    }
    // A subscript that stops early keeps the rest.
    if (!ellipsis)
      for (int dim = covered; dim < rank; ++dim) keep(x_.shape[dim], stride_of(dim));
    if (made_.text.empty()) put_none();
    finish();
    return std::move(made_);
  }

 private:
  std::int64_t stride_of(int dim) const { return x_.strides_known ? x_.strides[dim] : 0; }

  void put(std::string_view item) {
    if (!made_.text.empty()) made_.text += ", ";
    made_.text += item;
  }

  // One more dimension of the result.
  void keep(std::int64_t size, std::int64_t stride) {
    made_.shape.push_back(size);
    made_.strides.push_back(stride);
    if (advanced_at_ >= 0) closed_ = true;
  }

  void put_none() {
    put("None");
    keep(1, 0);
    --nones_;
  }

  void maybe_none() {
    if (nones_ > 0 && draft_.choices().chance(1, 12)) put_none();
  }

  // The shape that the index tensors broadcast to at most; of a mask, the number of True.
  void draw_common(std::int64_t size) {
    if (items_ == Items::kMask) {
      draw_mask(size);
      common_ = {count_};
      return;
    }
    int most = nones_ > 0 ? 2 : 1;
    for (std::int64_t i = draft_.between(1, most); i > 0; --i)
      common_.push_back(draft_.choices().chance(1, 24) ? 0 : draft_.between(1, 4));
    nones_ -= common_.size() - 1;
  }

  void draw_item(int dim, bool must) {
    if (must && items_ == Items::kMask) return put_advanced(mask_, {count_}, true);
    std::int64_t size = x_.shape[dim];
    std::uint64_t kind = must ? 8 : draft_.choices().below(items_ == Items::kBasic ? 8 : 12);
    if (kind == 0 && size > 0) return put(fmt::format("{}", draft_.between(-size, size - 1)));
    if (kind == 1 && size > 0 && made_.tensors.size() < kMostTensors && draft_.choices().chance(1, 6))
      return put(draw_live({}, size));
    if (kind <= 3) {
      put(":");
      return keep(size, stride_of(dim));
    }
    if (kind >= 8 && size > 0) return draw_tensor(size);
    Slice slice = draw_slice(size);
    put(slice.text);
    keep(slice.size, stride_of(dim) * slice.step);
  }

  // Either end may be left out, counted from the back, or lie outside.
  Slice draw_slice(std::int64_t size) {
    std::int64_t start = draft_.between(0, std::min<std::int64_t>(2, size));
    std::int64_t stop = draft_.flip() ? size : draft_.between(start, size);
    if (start == stop && start > 0 && draft_.flip()) --start;
    std::int64_t step = draft_.choices().chance(1, 3) ? draft_.between(2, 3) : 1;
    std::string text;
    if (start > 0 || draft_.choices().chance(1, 8)) text = bound(start, size);
    text += ":";
    if (stop < size || draft_.choices().chance(1, 8)) text += bound(stop, size);
    if (step > 1) text += fmt::format(":{}", step);
    return {text, (stop - start + step - 1) / step, step};
  }

  std::string bound(std::int64_t at, std::int64_t size) {
    std::int64_t written = at;
    if (at < size && draft_.flip()) written = at - size;
    if (at == size && draft_.flip()) written = size + 2;
    if (at == 0 && size > 0 && written < 0 && draft_.flip()) written = -size - 1;
    return fmt::format("{}", written);
  }

  std::string draw_live(const Shape& shape, std::int64_t size) {
    Want want = want_index(ShapeWant::exactly(shape), size, true, kAnyIndex);
    if (writes_) draft_.beside(want, x_);
    Value index = draft_.input(want);
    made_.tensors.push_back({index.id});
    return fmt::format("${}", first_ + static_cast<int>(made_.tensors.size()) - 1);
  }

  // A literal of different positions where it is to be, else of any, or a live tensor.
  void draw_tensor(std::int64_t size) {
    Shape shape = ShapeWant::into(common_).draw(draft_.choices());
    if (shape.empty()) shape = {1};
    std::int64_t count = numel(shape);
    bool fits = count > 0 && count <= size && literals_ + count <= kMostLiterals;
    if (made_.tensors.size() < kMostTensors && (!fits || draft_.flip()))
      return put_advanced(draw_live(shape, size), shape, false);
    if (!fits)
      return put_advanced(fmt::format("torch.zeros(({},), dtype=torch.int64)", sizes_text(shape)), shape, false);
    literals_ += count;
    bool several = !draft_.choices().chance(1, 4);
    std::vector<std::int64_t> positions = draw_distinct(draft_, size, several ? count : 1);
    bool distinct = static_cast<std::int64_t>(positions.size()) == count;
    positions.resize(static_cast<std::size_t>(count), positions[0]);
    std::string text = list_text(draft_, positions, size, true);
    if (shape.size() > 1 || items_ == Items::kIndices || draft_.flip()) text = fmt::format("torch.tensor({})", text);
    if (shape.size() > 1) text += fmt::format(".view({})", sizes_text(shape));
    put_advanced(text, shape, distinct);
  }

  void put_advanced(std::string_view text, const Shape& shape, bool distinct) {
    put(text);
    if (advanced_at_ < 0) advanced_at_ = made_.shape.size();
    if (closed_) adjacent_ = false;
    broadcast_ = *broadcast(broadcast_, shape);
    if (!distinct) return;
    for (int i = 1; i <= shape.size(); ++i)
      if (shape[shape.size() - i] > 1) separated_[kMaxRank - i] = true;
  }

  // A mask of one dimension, written out or computed, and how many are True.
  void draw_mask(std::int64_t size) {
    std::uint64_t kind = draft_.choices().below(3);
    if (kind == 0 && size > 0 && size <= kMostLiterals) {
      for (std::int64_t i = 0; i < size; ++i) {
        bool set = draft_.flip();
        count_ += set ? 1 : 0;
        mask_ += fmt::format("{}{}", i == 0 ? "[" : ", ", set ? "True" : "False");
      }
      mask_ += "]";
      if (draft_.flip()) mask_ = fmt::format("torch.tensor({})", mask_);
      return;
    }
    if (kind == 1) {
      std::int64_t step = draft_.between(2, 4);
      std::int64_t rest = draft_.between(0, step - 1);
      count_ = size > rest ? (size - rest + step - 1) / step : 0;
      mask_ = fmt::format("torch.arange({}) % {} == {}", size, step, rest);
      return;
    }
    std::int64_t edge = draft_.between(0, std::min<std::int64_t>(size, 6));
    bool below = draft_.flip();
    count_ = below ? edge : size - edge;
    mask_ = fmt::format("torch.arange({}) {} {}", size, below ? "<" : ">=", edge);
  }

  void finish() {
    if (advanced_at_ < 0) return;
    made_.strides = {};
    int at = adjacent_ ? advanced_at_ : 0;
    for (int i = 0; i < broadcast_.size(); ++i) made_.shape.insert(at + i, broadcast_[i]);
    for (int i = 1; i <= broadcast_.size(); ++i)
      made_.distinct = made_.distinct && (broadcast_[broadcast_.size() - i] <= 1 || separated_[kMaxRank - i]);
  }

  Draft& draft_;
  const Value& x_;
  Items items_;
  int first_;
  bool writes_;
  Subscript made_;
  int nones_ = 0;
  std::int64_t literals_ = 0;
  std::string mask_;
  std::int64_t count_ = 0;
  Shape common_;
  Shape broadcast_;
  bool separated_[kMaxRank] = {};  // by different positions of one index along it; from the last dimension
  int advanced_at_ = -1;
  bool closed_ = false;  // a dimension stands behind an index tensor
  bool adjacent_ = true;
};

}  // namespace

ShapeWant subscript_shape(Items items) {
  switch (items) {
    case Items::kBasic:
      return ShapeWant::any(0);
    case Items::kTensors:
    case Items::kIndices:
      return ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource);
    case Items::kMask:
      break;
  }
  return ShapeWant::any(1).upto(kMaxSource);
}

Subscript draw_subscript(Draft& draft, const Value& x, Items items, int first, bool writes) {
  return Builder(draft, x, items, first, writes).build();
}

}  // namespace jp::seedgen
