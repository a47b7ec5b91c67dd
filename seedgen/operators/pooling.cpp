// Pooling over two dimensions, and adaptive averages.
#include <algorithm>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kNames[] = {"max_pool2d", "avg_pool2d", "adaptive_avg_pool2d"};
constexpr std::string_view kForms[] = {"torch.nn.functional.#($0, $1, stride=$2, padding=$3)",
                                       "torch.nn.functional.#($0, $1, $2, $3)"};
constexpr std::string_view kAdaptive[] = {"torch.nn.functional.adaptive_avg_pool2d($0, $1)"};

class Pooling final : public Operator {
 public:
  std::string_view name() const override { return "pooling"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool averages = member != 0;
    Want want{.dtypes = kFloats, .shape = ShapeWant::any(3, 4, 1).upto(kMaxElements / 4)};
    want.fits = [&](const Value& value) { return inside(image_of(value, averages), range_of(value.dtype)); };
    Value x = draft.input(want);
    Shape shape = x.shape;
    int first = shape.size() - 2;
    Call call{.op = kNames[member], .forms = kForms, .arguments = {Ref{x.id}}};
    if (member == 2) {
      std::int64_t planes = numel(x.shape) / (shape[first] * shape[first + 1]);
      std::int64_t most = planes * 16 <= kMaxElements ? 4 : 2;
      shape[first] = draft.between(1, most);
      shape[first + 1] = draft.between(1, most);
      call.forms = kAdaptive;
      call.add(Ints{shape[first], shape[first + 1]});
    } else {
      Ints kernel, stride, padding;
      for (int i = 0; i < 2; ++i) {
        kernel.push_back(draft.between(1, std::min<std::int64_t>(3, x.shape[first + i])));
        stride.push_back(draft.between(1, 3));
        padding.push_back(draft.between(0, kernel[i] / 2));
        shape[first + i] = (x.shape[first + i] + 2 * padding[i] - kernel[i]) / stride[i] + 1;
      }
      call.arguments.insert(call.arguments.end(), {kernel, stride, padding});
    }
    draft.record(std::move(call), fresh_unknown(x.dtype, shape, image_of(x, averages)),
                 {.exactness = averages ? Exactness::kLoose : Exactness::kSame});
  }

 private:
  // Averages count the zeros of the padding.
  static Interval image_of(const Value& x, bool averages) {
    return averages ? rounded(hull(x.interval, {0, 0}), x.dtype, 16) : x.interval;
  }
};

const Register<Operator, Pooling> registered;

}  // namespace
}  // namespace jp::seedgen
