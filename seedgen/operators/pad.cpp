// Padding of the last dimensions with a number; negative widths cut off.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::pad_operators {
namespace {

constexpr std::string_view kConstant[] = {"torch.nn.functional.pad($0, $1, value=$2)",
                                          "torch.nn.functional.pad($0, $1, \"constant\", $2)"};
constexpr std::string_view kZeros[] = {"torch.nn.functional.pad($0, $1)",
                                       "torch.nn.functional.pad($0, $1, mode=\"constant\")"};

class Pad final : public Operator {
 public:
  std::string_view name() const override { return "pad"; }
  std::vector<std::string_view> members() const override { return {"pad"}; }

  void draw(Draft& draft, std::size_t) const override {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1, kMaxRank, 1).upto(kMaxElements / 5)});
    int rank = x.shape.size();
    Shape shape = x.shape;
    Ints widths;
    std::int64_t elements = element_count(shape);
    const bool bounded = draft.room_to_grow(0) < kMaxElements && kPolicy.kept_small.drawn(draft.choices());
    for (std::int64_t i = draft.between(1, std::min(rank, Ints::kCapacity / 2)); i > 0; --i) {
      std::int64_t& size = shape[rank - 1 - widths.size() / 2];
      const std::int64_t fits = kMaxElements / (elements / size) - size;
      const std::int64_t room = bounded ? std::min(fits, draft.room_to_grow(size)) : fits;
      std::int64_t most = std::min<std::int64_t>(2, room / 2);
      std::int64_t before = draft.between(size > 3 ? -1 : 0, most);
      std::int64_t after = draft.between(size > 3 ? -1 : 0, most);
      elements = elements / size * (size + before + after);
      widths.push_back(before);
      widths.push_back(after);
      size += before + after;
    }
    double value = static_cast<double>(draft.between(0, 1)) * (has_gradients(x.dtype) ? 0.5 : 1);
    Call call{.op = "pad", .forms = kConstant, .arguments = {Ref{x.id}, widths}};
    if (value == 0 && draft.flip()) call.forms = kZeros;
    call.add(python_number(x.dtype, value));
    draft.record(std::move(call), fresh_unknown(x.dtype, shape, hull(x.interval, of_number(x.dtype, value))), {});
  }
};

const Register<Operator, Pad> registered;

}  // namespace
}  // namespace jp::seedgen::pad_operators
