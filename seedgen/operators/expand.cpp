// Repetition: expand shares memory, repeat and tile copy. Literal chances here were chosen, not measured.
#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::expand_operators {
namespace {

constexpr std::string_view kNames[] = {"expand", "broadcast_to", "repeat", "tile", "repeat_interleave"};
constexpr std::string_view kExpand[] = {"$0.expand($*1)", "$0.expand($1)"};
constexpr std::string_view kBroadcast[] = {"torch.broadcast_to($0, $1)", "$0.broadcast_to($1)"};
constexpr std::string_view kRepeat[] = {"$0.repeat($*1)", "$0.repeat($1)"};
constexpr std::string_view kTile[] = {"torch.tile($0, $1)", "$0.tile($1)"};
constexpr std::string_view kFlatInterleave[] = {"torch.repeat_interleave($0, $1)", "$0.repeat_interleave($1)"};
constexpr std::string_view kCounts[] = {"torch.repeat_interleave($0, torch.tensor($1), dim=$2)",
                                        "$0.repeat_interleave(torch.tensor($1), $2, output_size=$3)"};
constexpr std::string_view kInterleave[] = {"torch.repeat_interleave($0, $1, dim=$2)", "$0.repeat_interleave($1, $2)"};

constexpr std::int64_t kMaxSource = 512;

class Expand final : public Operator {
 public:
  std::string_view name() const override { return "expand"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    if (member <= 1) return draw_expand(draft, member);
    if (member == 4) return draw_interleave(draft);
    draw_repeat(draft, member);
  }

 private:
  // Sizes of 1 grow while the result stays small; a dimension may be added in front.
  static void draw_expand(Draft& draft, std::size_t member) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any().upto(kMaxSource)});
    Shape shape = x.shape;
    std::int64_t elements = extent(shape);
    bool grown = false;
    auto grow = [&](std::int64_t& size) {
      std::int64_t most = kMaxElements / std::max<std::int64_t>(elements, 1);
      size = draw_size(draft.choices(), 1, std::min<std::int64_t>(most, 8));
      elements *= size;
      grown = grown || size > 1;
    };
    for (std::int64_t& size : shape)
      if (size == 1 && draft.choices().chance(2, 3)) grow(size);
    if (shape.empty() || (shape.size() < kMaxRank && kPolicy.one_dimension_more.drawn(draft.choices()))) {
      std::int64_t size = 1;
      grow(size);
      shape.insert(0, size);
    }
    Ints written = shape;
    if (member == 0 && !x.shape.empty() && draft.choices().chance(1, 4)) written[written.size() - 1] = -1;
    if (written.back() == -1 && x.shape.back() != shape.back()) written = shape;
    Value result = view_of(x, shape);
    result.overlaps_itself = x.overlaps_itself || grown;
    draft.record({.op = kNames[member],
                  .forms = member == 0 ? Forms(kExpand) : Forms(kBroadcast),
                  .arguments = {Ref{x.id}, written}},
                 result, {.saves = Saves::kNothing});
  }

  static void draw_repeat(Draft& draft, std::size_t member) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any().upto(kMaxSource)});
    int rank = x.shape.size();
    Shape shape = x.shape;
    if (rank == 0 || (rank < kMaxRank && draft.choices().chance(1, 4))) shape.insert(0, 1);
    Ints times;
    std::int64_t left = 12;
    for (std::int64_t& size : shape) {
      times.push_back(draft.between(1, std::min<std::int64_t>(left, 3)));
      left /= times.back();
      size *= times.back();
    }
    draft.record(
        {.op = kNames[member], .forms = member == 2 ? Forms(kRepeat) : Forms(kTile), .arguments = {Ref{x.id}, times}},
        fresh_unknown(x.dtype, shape, x.interval), {.saves = Saves::kNothing});
  }

  // All elements equally often, sometimes flattened, or each as often as a literal list says.
  static void draw_interleave(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1).upto(kMaxSource)});
    Dim dim = draft.dim(x.shape.size());
    Call call{.op = "repeat_interleave", .forms = kInterleave, .arguments = {Ref{x.id}}};
    std::int64_t size = x.shape[dim.at];
    std::int64_t times = draft.between(1, 3);
    Value result = fresh_unknown(x.dtype, x.shape, x.interval);
    Shape& shape = result.shape;
    shape[dim.at] *= times;
    if (draft.choices().chance(1, 4)) {
      call.forms = kFlatInterleave;
      call.add(times);
      shape = {element_count(x.shape) * times};
    } else if (size > 0 && size <= Ints::kCapacity && draft.choices().chance(1, 3)) {
      Ints counts;
      shape[dim.at] = 0;
      for (std::int64_t i = 0; i < size; ++i) {
        counts.push_back(draft.between(0, 3));
        shape[dim.at] += counts.back();
      }
      call.forms = kCounts;
      result.lazy = x.lazy;
      call.add(counts);
      call.add(dim.written);
      call.add(shape[dim.at]);
    } else {
      call.add(times);
      call.add(dim.written);
    }
    draft.record(std::move(call), result, {});
  }
};

const Register<Operator, Expand> registered;

}  // namespace
}  // namespace jp::seedgen::expand_operators
