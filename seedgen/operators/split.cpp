// One tensor as several views: always at least two of them.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/over_dims.h"

namespace jp::seedgen::split_operators {
namespace {

constexpr std::string_view kNames[] = {"split", "chunk", "unbind", "tensor_split"};
constexpr std::string_view kForms[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)", "$0.#($1, dim=$2)"};
constexpr std::string_view kUnbind[] = {"torch.unbind($0, $2)", "$0.unbind($2)"};

constexpr std::int64_t kMostParts = 4;

class Split final : public Operator {
 public:
  std::string_view name() const override { return "split"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    bool unbinds = member == 2;
    Value x =
        draft.input({.dtypes = kEveryDtype, .shape = unbinds ? draw_for_unbind(draft) : draw_with_long_dim(draft)});
    Dim dim = unbinds ? Dim{0, draft.flip() ? 0 : -x.shape.size()} : draw_one_long_dim(draft, x.shape);
    std::int64_t size = x.shape[dim.at];
    std::int64_t count = std::min(size, draft.between(2, kMostParts));
    std::vector<std::int64_t> sizes = sizes_of(member, size, count);
    std::vector<Value> parts;
    for (std::int64_t part : sizes) {
      Value view = view_of(x, x.shape, x.strides);
      view.shape[dim.at] = part;
      if (unbinds) {
        view.shape.erase(dim.at);
        if (x.strides_known) view.strides.erase(dim.at);
      }
      parts.push_back(view);
    }
    // `split` takes the size of a part, the others their number.
    std::int64_t told = member == 0 ? sizes[0] : count;
    draft.record({.op = kNames[member],
                  .forms = unbinds ? Forms(kUnbind) : Forms(kForms),
                  .arguments = {Ref{x.id}, told, dim.written}},
                 std::move(parts), {.saves = Saves::kNothing, .several_views = true});
  }

 private:
  static ShapeWant draw_for_unbind(Draft& draft) {
    Shape pattern = {draft.between(2, kMostParts)};
    for (std::int64_t i = draft.between(0, kMaxRank - 2); i > 0; --i) pattern.push_back(-1);
    return ShapeWant::pattern(pattern);
  }

  static std::vector<std::int64_t> sizes_of(std::size_t member, std::int64_t size, std::int64_t count) {
    std::vector<std::int64_t> sizes;
    if (member == 2) return std::vector<std::int64_t>(static_cast<std::size_t>(size), 1);
    if (member == 3) {
      for (std::int64_t i = 0; i < count; ++i) sizes.push_back(size / count + (i < size % count ? 1 : 0));
      return sizes;
    }
    std::int64_t part = (size + count - 1) / count;
    for (std::int64_t left = size; left > 0; left -= part) sizes.push_back(std::min(part, left));
    return sizes;
  }
};

const Register<Operator, Split> registered;

}  // namespace
}  // namespace jp::seedgen::split_operators
