// Dimensions of size 1 removed and inserted. Literal chances here were chosen, not measured.
#include "seedgen/bases/operator.h"

namespace jp::seedgen::squeeze_operators {
namespace {

constexpr std::string_view kNames[] = {"squeeze", "squeeze_dim", "unsqueeze"};
constexpr std::string_view kAll[] = {"torch.squeeze($0)", "$0.squeeze()"};
constexpr std::string_view kDim[] = {"torch.squeeze($0, $1)", "$0.squeeze($1)", "$0.squeeze(dim=$1)"};
constexpr std::string_view kUnsqueeze[] = {"torch.unsqueeze($0, $1)", "$0.unsqueeze($1)"};

class Squeeze final : public Operator {
 public:
  std::string_view name() const override { return "squeeze"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    ShapeWant shapes[] = {ShapeWant::any(0), ShapeWant::any(1), ShapeWant::any(0, kMaxRank - 1)};
    Value x = draft.input({.dtypes = kEveryDtype, .shape = shapes[member]});
    int rank = x.shape.size();
    Shape shape = x.shape;
    Strides strides = x.strides;
    Call call{.op = kNames[member], .forms = kAll, .arguments = {Ref{x.id}}};
    auto drop = [&](int dim) {
      if (shape[dim] != 1) return;
      shape.erase(dim);
      if (x.strides_known) strides.erase(dim);
    };
    if (member == 0) {
      for (int dim = rank - 1; dim >= 0; --dim) drop(dim);
    } else {
      if (member == 1 && draft.choices().chance(1, 3)) return draw_several(draft, std::move(call), x);
      Dim dim = draft.dim(member == 1 ? rank : rank + 1);
      call.forms = member == 1 ? Forms(kDim) : Forms(kUnsqueeze);
      call.add(dim.written);
      if (member == 1) {
        drop(dim.at);
      } else {
        shape.insert(dim.at, 1);
        if (x.strides_known) strides.insert(dim.at, 1);
      }
    }
    draft.record(std::move(call), view_of(x, shape, strides), {.saves = Saves::kNothing});
  }

 private:
  static void draw_several(Draft& draft, Call call, const Value& x) {
    Ints written;
    Ints dropped = Ints::filled(x.shape.size(), 0);
    for (Dim dim : draft.dims(x.shape.size(), 1)) {
      written.push_back(dim.written);
      dropped[dim.at] = x.shape[dim.at] == 1 ? 1 : 0;
    }
    Shape shape;
    Strides strides;
    for (int i = 0; i < x.shape.size(); ++i) {
      if (dropped[i] == 1) continue;
      shape.push_back(x.shape[i]);
      if (x.strides_known) strides.push_back(x.strides[i]);
    }
    call.forms = kDim;
    call.add(written);
    draft.record(std::move(call), view_of(x, shape, strides), {.saves = Saves::kNothing});
  }
};

const Register<Operator, Squeeze> registered;

}  // namespace
}  // namespace jp::seedgen::squeeze_operators
