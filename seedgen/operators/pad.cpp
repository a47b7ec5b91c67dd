// Padding of the last dimensions: with a number (negative widths cut off), mirrored, or by the edge.
#include <algorithm>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"pad", "pad_reflect", "pad_replicate"};
constexpr std::string_view kConstant[] = {"torch.nn.functional.pad($0, $1, value=$2)",
                                          "torch.nn.functional.pad($0, $1, \"constant\", $2)"};
constexpr std::string_view kReflect[] = {"torch.nn.functional.pad($0, $1, mode=\"reflect\")"};
constexpr std::string_view kReplicate[] = {"torch.nn.functional.pad($0, $1, mode=\"replicate\")"};

// Three dimensions of size 1 become 5 each.
constexpr std::int64_t kMaxSource = kMaxElements / 125;

class Pad final : public Operator {
 public:
  std::string_view name() const override { return "pad"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    member == 0 ? draw_constant(draft) : draw_mirror(draft, member);
  }

 private:
  static void draw_constant(Draft& draft) {
    Value x = draft.input({.shape = ShapeWant::any(1, kMaxRank, 1).upto(kMaxSource)});
    int rank = x.shape.size();
    Shape shape = x.shape;
    Ints widths;
    for (std::int64_t i = draft.between(1, std::min(rank, 3)); i > 0; --i) {
      std::int64_t& size = shape[rank - 1 - widths.size() / 2];
      std::int64_t before = draft.between(size > 3 ? -1 : 0, 2);
      std::int64_t after = draft.between(size > 3 ? -1 : 0, 2);
      widths.push_back(before);
      widths.push_back(after);
      size += before + after;
    }
    double value = static_cast<double>(draft.between(0, 1)) * (is_floating(x.dtype) ? 0.5 : 1);
    Call call{.op = "pad", .forms = kConstant, .arguments = {Ref{x.id}, widths}};
    call.add(python_number(x.dtype, value));
    draft.record(std::move(call), fresh_unknown(x.dtype, shape, hull(x.interval, {value, value})), {});
  }

  // The last dimension of a matrix or a batch of them, or the last two of a batch of planes.
  static void draw_mirror(Draft& draft, std::size_t member) {
    Value x = draft.input({.dtypes = kFloats, .shape = ShapeWant::any(2, 4, 1).upto(kMaxSource)});
    int rank = x.shape.size();
    int dims = rank == 4 ? 2 : 1;
    Shape shape = x.shape;
    Ints widths;
    for (int i = 0; i < dims; ++i) {
      std::int64_t& size = shape[rank - 1 - i];
      std::int64_t most = member == 1 ? std::min<std::int64_t>(2, size - 1) : 2;
      std::int64_t before = draft.between(0, most);
      std::int64_t after = draft.between(0, most);
      widths.push_back(before);
      widths.push_back(after);
      size += before + after;
    }
    draft.record({.op = kNames[member],
                  .forms = member == 1 ? Forms(kReflect) : Forms(kReplicate),
                  .arguments = {Ref{x.id}, widths}},
                 fresh_unknown(x.dtype, shape, x.interval), {});
  }
};

const Register<Operator, Pad> registered;

}  // namespace
}  // namespace jp::seedgen
