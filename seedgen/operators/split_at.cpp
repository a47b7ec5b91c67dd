// One tensor as several views, split at given positions or into given sizes; and the splits that name their dimension.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"

namespace jp::seedgen::split_at_operators {
namespace {

constexpr std::string_view kNames[] = {"split_with_sizes", "tensor_split_at", "hsplit", "vsplit", "dsplit"};
constexpr std::string_view kSizes[] = {"torch.split($0, $1, $2)", "$0.split($1, dim=$2)",
                                       "torch.split_with_sizes($0, $1, $2)", "$0.split_with_sizes($1, dim=$2)"};
constexpr std::string_view kAt[] = {"torch.tensor_split($0, $1, $2)", "$0.tensor_split(indices=$1, dim=$2)",
                                    "torch.tensor_split($0, torch.tensor($1), $2)"};
constexpr std::string_view kNamed[] = {"torch.#($0, $1)", "$0.#($1)"};

class SplitAt final : public Operator {
 public:
  std::string_view name() const override { return "split_at"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    int least = member == 4 ? 3 : member == 3 ? 2 : 1;
    const bool chooses = member < 2;
    Value x = draft.input(
        {.dtypes = kEveryDtype, .shape = chooses ? draw_with_long_dim(draft) : ShapeWant::any(least, kMaxRank, 2)});
    Dim dim = chooses ? draw_one_long_dim(draft, x.shape) : draft.dim(x.shape.size());
    if (member == 2) dim.at = x.shape.size() == 1 ? 0 : 1;
    if (member == 3) dim.at = 0;
    if (member == 4) dim.at = 2;
    std::int64_t size = x.shape[dim.at];
    Ints places = draw_places(draft, size);
    Ints sizes = sizes_between(places, size);
    Call call{.op = kNames[member],
              .forms = member == 0   ? Forms(kSizes)
                       : member == 1 ? Forms(kAt)
                                     : Forms(kNamed),
              .arguments = {Ref{x.id}}};
    if (member >= 2 && size % 2 == 0 && draft.flip()) {
      sizes = {size / 2, size / 2};
      call.add(std::int64_t{2});
    } else {
      call.add(member == 0 ? sizes : places);
    }
    if (member < 2) call.add(dim.written);
    draft.record(std::move(call), parts_of(x, dim.at, sizes), {.saves = Saves::kNothing, .several_views = true});
  }

 private:
  // One to three places, in ascending order; a part may be empty.
  static Ints draw_places(Draft& draft, std::int64_t size) {
    Ints places;
    for (std::int64_t i = draft.between(1, 3); i > 0; --i) places.push_back(draft.between(0, size));
    std::sort(places.begin(), places.end());
    return places;
  }

  static Ints sizes_between(const Ints& places, std::int64_t size) {
    Ints sizes;
    std::int64_t last = 0;
    for (std::int64_t place : places) {
      sizes.push_back(place - last);
      last = place;
    }
    sizes.push_back(size - last);
    return sizes;
  }

  static std::vector<Value> parts_of(const Value& x, int dim, const Ints& sizes) {
    std::vector<Value> parts;
    for (std::int64_t size : sizes) {
      Value part = view_of(x, x.shape, x.strides);
      part.shape[dim] = size;
      parts.push_back(part);
    }
    return parts;
  }
};

const Register<Operator, SplitAt> registered;

}  // namespace
}  // namespace jp::seedgen::split_at_operators
