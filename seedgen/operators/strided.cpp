// as_strided: arbitrary sizes and strides inside the memory that the tensor spans.
// Literal chances here were chosen, not measured.
#include "seedgen/bases/strided.h"

#include <fmt/format.h>

#include "seedgen/bases/operator.h"

namespace jp::seedgen::strided_operators {
namespace {

constexpr std::string_view kForms[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)"};
constexpr std::string_view kOffset[] = {"torch.#($0, $1, $2, $0.storage_offset())",
                                        "$0.#($1, $2, storage_offset=$0.storage_offset())"};

class AsStrided final : public Operator {
 public:
  std::string_view name() const override { return "strided"; }
  std::vector<std::string_view> members() const override { return {"as_strided"}; }

  void draw(Draft& draft, std::size_t) const override {
    Value x = draft.input(want_for_strided());
    if (!is_dense(x)) return draw_own(draft, x);
    Strided part = draw_strided_of(draft, x, draft.choices().chance(1, 3));
    Value result = view_of(x, part.shape, part.strides);
    result.overlaps_itself = part.overlaps;
    draft.record({.op = "as_strided",
                  .forms = draft.flip() ? Forms(kForms) : Forms(kOffset),
                  .arguments = {Ref{x.id}, part.shape, part.strides}},
                 result, {.saves = Saves::kNothing});
  }

 private:
  // An argument with a layout of its own: its first element.
  static void draw_own(Draft& draft, const Value& x) {
    Value result = view_of(x, {1}, {1});
    result.strides_known = true;
    result.overlaps_itself = false;
    draft.record({.op = "as_strided", .forms = kForms, .arguments = {Ref{x.id}, Shape{1}, Strides{1}}}, result,
                 {.saves = Saves::kNothing});
  }
};

const Register<Operator, AsStrided> registered;

}  // namespace
}  // namespace jp::seedgen::strided_operators
