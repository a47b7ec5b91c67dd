// Tensors joined: cat promotes dtypes and adds sizes, stack makes a dimension.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::join_operators {
namespace {

constexpr std::string_view kNames[] = {"cat", "concat", "stack"};
constexpr std::string_view kForms[] = {"torch.#($0, $1)", "torch.#($0, dim=$1)", "torch.#([$*0], $1)"};

constexpr std::int64_t kMaxPart = 1024;

// Both intervals after promotion, which rounds if it changes a dtype.
Interval joined(Interval a, Dtype of_a, Interval b, Dtype of_b) {
  Dtype common = promote(of_a, of_b);
  return hull_of_parts(of_a, of_a == common ? a : rounded(a, common), of_b, of_b == common ? b : rounded(b, common));
}

Dim shortest(const Shape& shape, bool from_the_back) {
  const auto at = static_cast<int>(std::min_element(shape.begin(), shape.end()) - shape.begin());
  return {at, from_the_back ? at - shape.size() : at};
}

class Join final : public Operator {
 public:
  std::string_view name() const override { return "join"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool stacks = member == 2;
    Value first = draft.input(
        {.dtypes = kEveryDtype,
         .shape = stacks ? ShapeWant::any(0, kMaxRank - 1).upto(kMaxPart) : ShapeWant::any(1).upto(kMaxPart),
         .paired = true});
    Dim dim = draft.dim(first.shape.size() + (stacks ? 1 : 0));
    // Half of the time: larger results are valid, too.
    const bool bounded = draft.room_to_grow(0) < kMaxPart && draft.flip();
    if (bounded && !stacks && draft.room_to_grow(first.shape[dim.at]) < 2) dim = shortest(first.shape, dim.written < 0);
    Shape part = first.shape;
    if (!stacks) part[dim.at] = -1;
    std::vector<Ref> parts = {{first.id}};
    Shape shape = first.shape;
    if (stacks) shape.insert(dim.at, 1);
    Dtype dtype = first.dtype;
    Interval image = first.interval;
    // Each part leaves room for those that follow.
    for (std::int64_t i = draft.between(1, 3); i > 0; --i) {
      const std::int64_t room = bounded ? draft.room_to_grow(shape[dim.at] + i - 1) : kMaxPart;
      const std::int64_t most = std::max<std::int64_t>(1, room);
      Want want{.dtypes = kEveryDtype,
                .shape = ShapeWant::pattern(part, 0, most).upto(stacks ? kMaxElements : kMaxPart),
                .likely = dtype};
      // Promotion must not lose an element: an integer beyond a small float's range.
      want.fits = [&](const Value& value) {
        Dtype common = promote(dtype, value.dtype);
        return inside(joined(image, dtype, value.interval, value.dtype), range_of(common));
      };
      Value next = draft.input(want);
      parts.push_back({next.id});
      shape[dim.at] += stacks ? 1 : next.shape[dim.at];
      image = joined(image, dtype, next.interval, next.dtype);
      dtype = promote(dtype, next.dtype);
    }
    record_joined(draft, {.op = kNames[member], .forms = kForms, .arguments = {parts, dim.written}},
                  fresh_unknown(dtype, shape, image), {.exactness = Exactness::kRounded, .saves = Saves::kNothing});
  }
};

const Register<Operator, Join> registered;

}  // namespace
}  // namespace jp::seedgen::join_operators
