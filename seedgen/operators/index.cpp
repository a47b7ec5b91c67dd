// Indexing by tensors: every index is in range, live integers included.
#include <algorithm>

#include "seedgen/bases/indices.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::index_operators {
namespace {

constexpr std::string_view kNames[] = {"index_select", "gather", "take_along_dim", "take"};
constexpr std::string_view kDimIndex[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)"};
constexpr std::string_view kAlong[] = {"torch.take_along_dim($0, $2, dim=$1)", "$0.take_along_dim($2, dim=$1)"};
constexpr std::string_view kTake[] = {"torch.take($0, $1)", "$0.take($1)"};

constexpr std::int64_t kMaxSource = 512;

class Index final : public Operator {
 public:
  std::string_view name() const override { return "index"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_index_select(draft);
      case 1:
      case 2:
        return draw_gather(draft, member);
      default:
        return draw_take(draft);
    }
  }

 private:
  static Value draw_source(Draft& draft, const ShapeWant& shape, DtypeSet dtypes = kEveryDtype) {
    return draft.input({.dtypes = dtypes, .shape = shape});
  }

  static Shape draw_vector(Draft& draft) {
    const bool bounded = draft.room_to_grow(0) < 8 && kPolicy.kept_small.drawn(draft.choices());
    return {draw_size(draft.choices(), 0, bounded ? draft.room_to_grow(0) : 8)};
  }

  static void draw_index_select(Draft& draft) {
    Value x = draw_source(draft, ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource));
    Dim dim = draft.dim(x.shape.size());
    Shape length = draw_vector(draft);
    Value index = draft.input(want_index(ShapeWant::exactly(length), x.shape[dim.at], false, kAnyIndex));
    Shape shape = x.shape;
    shape[dim.at] = length[0];
    record_or_out(draft,
                  {.op = "index_select", .forms = kDimIndex, .arguments = {Ref{x.id}, dim.written, Ref{index.id}}},
                  fresh_unknown(x.dtype, shape, x.interval), {});
  }

  // An index of the source's rank; smaller in the other dimensions for gather, which need not cover them.
  static Shape draw_index_shape(Draft& draft, const Shape& source, int dim, bool smaller) {
    Shape shape = source;
    std::int64_t elements = 1;
    for (int i = 0; i < shape.size(); ++i) {
      std::int64_t most = std::max<std::int64_t>(1, 64 / elements);
      if (i == dim)
        shape[i] = draft.between(1, std::min<std::int64_t>(most, 5));
      else if (smaller)
        shape[i] = draft.between(1, std::min(most, shape[i]));
      elements *= shape[i];
    }
    return shape;
  }

  static void draw_gather(Draft& draft, std::size_t member) {
    bool gathers = member == 1;
    Value x = draw_source(draft, ShapeWant::any(1, kMaxRank, 1).upto(64));
    Dim dim = draft.dim(x.shape.size());
    Shape shape = draw_index_shape(draft, x.shape, dim.at, gathers);
    Value index =
        draft.input(want_index(ShapeWant::exactly(shape), x.shape[dim.at], false, gathers ? kAnyIndex : kLongIndex));
    record_or_out(draft,
                  {.op = kNames[member],
                   .forms = gathers ? Forms(kDimIndex) : Forms(kAlong),
                   .arguments = {Ref{x.id}, dim.written, Ref{index.id}}},
                  fresh_unknown(x.dtype, shape, x.interval), {});
  }

  static void draw_take(Draft& draft) {
    Value x = draw_source(draft, ShapeWant::any(0, kMaxRank, 1).upto(kMaxSource));
    Value index = draft.input(want_small_index(draft, element_count(x.shape), 3));
    record_or_out(draft, {.op = "take", .forms = kTake, .arguments = {Ref{x.id}, Ref{index.id}}},
                  fresh_unknown(x.dtype, index.shape, x.interval), {});
  }

  // An index of up to `most_rank` small dimensions, possibly counting from the back.
  static Want want_small_index(Draft& draft, std::int64_t size, int most_rank) {
    Shape shape;
    for (std::int64_t i = draft.between(1, most_rank); i > 0; --i) shape.push_back(draft.between(1, 4));
    return want_index(ShapeWant::exactly(shape), size, true);
  }
};

const Register<Operator, Index> registered;

}  // namespace
}  // namespace jp::seedgen::index_operators
